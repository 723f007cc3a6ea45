import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

/// Results of commands as Arrow.
@MainActor struct ArrowResultTests {
  /// Returns the stream that a line writes into a file.
  private func bytes(_ run: CommandLineRun, _ words: [String]) async throws -> [UInt8] {
    let file = try run.file("result.arrow", "")
    try await run.run(words + ["--arrow", "--output", file])
    return Array(try Data(contentsOf: URL(fileURLWithPath: file)))
  }

  private func document(_ words: String...) async throws -> ArrowDocument {
    let document = try ArrowDocument(try await bytes(try CommandLineRun(), words))
    #expect(document.hasEnd && document.remaining == [])
    return document
  }

  @Test func `a table has the columns of CSV, with types and units`() async throws {
    let document = try await document("sample", "list")
    #expect(document.fields.map(\.name) == ["name", "weight"] && document.fields.map(\.type) == ["Utf8", "Float64"])
    #expect(document["name"] == ["granite", "slate, \"grey\""] && document["weight"] == [2.5, nil])
    #expect(document.field("name")?.metadata == ["title": "Name"])
    #expect(document.field("weight")?.metadata == ["unit": "kg", "title": "Weight", "description": "kilograms"])
  }

  @Test func `records, quantities and streams become rows`() async throws {
    let rock = try await document("sample", "info", "granite")
    #expect(rock["name"] == ["granite"] && rock.metadata == ["type": "sample.rock"])
    let distance = try await document("sample", "measure", "distance", "1,2,3")
    #expect(distance["value"] == [6.0] && distance.field("value")?.metadata == ["unit": "metre"])
    #expect(try await document("sample", "count", "3")["number"] == [1, 2, 3])
    #expect(try await document("sample", "echo", "a", "b")["value"] == ["a", "b"])
  }

  @Test func `a result without values is an empty stream`() async throws {
    let none = try await document("sample", "count", "0")
    #expect(none.fields.map(\.type) == ["Int64"] && none.batches == [])
    #expect(try await document("sample", "reset").fields == [])
  }

  @Test func `each command of a line has its own stream`() async throws {
    let run = try CommandLineRun()
    let first = try ArrowDocument(try await bytes(run, ["exec", "sample list; sample count 2"]))
    #expect(first["weight"] == [2.5, nil] && first.hasEnd)
    let second = try ArrowDocument(first.remaining)
    #expect(second["number"] == [1, 2] && second.hasEnd && second.remaining == [])
  }

  @Test func `a text or a picture is refused before the command runs`() async throws {
    let run = try CommandLineRun()
    let text = await run.error("sample", "warn", "--arrow")
    #expect(text?.code == "host.no-rows" && text?.kind == .usage && text?.message == "a text has no rows")
    #expect(text?.advice == "use '--json', or leave out '--arrow'")
    #expect(await run.error("sample", "render", "--arrow")?.code == "host.no-rows")
    #expect(run.messages == "")
  }

  @Test func `an Arrow stream is written to a terminal only with '--yes'`() async throws {
    func printer(_ assumesYes: Bool) -> ResultPrinter {
      let streams = StandardStreams(
        output: ByteSink(descriptor: nil, isTerminal: true), error: ByteSink(descriptor: nil), inputIsTerminal: false,
        environment: [:])
      var options = GlobalOptions()
      (options.format, options.assumeYes) = (.arrow, assumesYes)
      return ResultPrinter(
        .init(.any), options: options, streams: streams, pictures: .standard, trace: nil
      ) { _, _, _ in nil }
    }
    #expect(throws: OutputError.binaryOnTerminal) { try printer(false).prepare() }
    await #expect(throws: OutputError.binaryOnTerminal) { try await printer(false).emit(["n": 1]) }
    try printer(true).prepare()
    try await printer(true).emit(["n": 1])
  }
}

/// Streams of values as Arrow, while they are written.
struct ArrowStreamTests {
  private static let output = CommandDescription.Output(.record([.init("n", .integer)]), isStream: true)

  private static func printer(_ sink: ByteSink) -> ResultPrinter {
    var options = GlobalOptions()
    options.format = .arrow
    let streams = StandardStreams(
      output: sink, error: ByteSink(descriptor: nil), inputIsTerminal: false, environment: [:])
    return ResultPrinter(
      output, options: options, streams: streams, pictures: .standard, trace: nil
    ) { _, _, _ in nil }
  }

  /// Returns the bytes of a command that emitted values and failed.
  private static func failed(after values: [Value]) async throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let file = folder.url("x.arrow").path
    let descriptor = open(file, O_CREAT | O_WRONLY, 0o600)
    defer { close(descriptor) }
    let sink = ByteSink(descriptor: descriptor)
    let printer = printer(sink)
    for value in values { try await printer.emit(value) }
    try await printer.finish(failed: true)
    try sink.flush()
    return Array(try Data(contentsOf: URL(fileURLWithPath: file)))
  }

  @Test func `values emitted before a failure form a complete stream, and no values form none`() async throws {
    let document = try ArrowDocument(try await Self.failed(after: [["n": 1], ["n": 2]]))
    #expect(document["n"] == [1, 2] && document.hasEnd)
    #expect(try await Self.failed(after: []) == [])
  }

  /// Returns bytes of a pipe as soon as there are some.
  private static func read(_ descriptor: Int32) throws -> [UInt8] {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&state, 1, 60_000) == 1, "nothing was written")
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = Foundation.read(descriptor, &chunk, chunk.count)
    try #require(count > 0, "the pipe was closed")
    return Array(chunk[..<count])
  }

  @Test func `readers of a paused stream receive all rows so far`() async throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    defer { for end in [reader, writer] { close(end) } }
    let sink = ByteSink(descriptor: writer)
    let printer = Self.printer(sink)
    var bytes: [UInt8] = []
    var document = try ArrowDocument(bytes)
    for number in 1...2 {
      try await printer.emit(["n": .integer(number)])
      while document.batches.count < number {
        bytes += try Self.read(reader)
        // A message may arrive in parts.
        document = (try? ArrowDocument(bytes)) ?? document
      }
    }
    #expect(document["n"] == [1, 2] && !document.hasEnd)
    try await printer.finish(failed: false)
    try sink.flush()
    while !document.hasEnd {
      bytes += try Self.read(reader)
      document = (try? ArrowDocument(bytes)) ?? document
    }
    #expect(document.batches == [1, 1])
  }

  @Test func `a row of another type is an error, and earlier rows are written`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url("x.arrow").path
    let descriptor = open(file, O_CREAT | O_WRONLY, 0o600)
    defer { close(descriptor) }
    let sink = ByteSink(descriptor: descriptor)
    let printer = Self.printer(sink)
    try await printer.emit(["n": 1])
    await #expect(throws: ArrowError.mixedColumn("n", row: 2, .integer)) { try await printer.emit(["n": "one"]) }
    try await printer.finish(failed: true)
    try sink.flush()
    let document = try ArrowDocument(Array(try Data(contentsOf: URL(fileURLWithPath: file))))
    #expect(document["n"] == [1] && document.hasEnd)
  }

  @Test func `nothing is written after a failed write`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url("x").path
    try Data("old".utf8).write(to: URL(fileURLWithPath: file))
    // A descriptor that can only be read.
    let descriptor = open(file, O_RDONLY)
    defer { close(descriptor) }
    let printer = Self.printer(ByteSink(descriptor: descriptor))
    await #expect(throws: OutputError.failed(code: EBADF)) {
      try await printer.emit(["n": 1])
    }
    try await printer.finish(failed: true)
  }
}
