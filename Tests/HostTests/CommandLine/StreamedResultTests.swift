import PluginAPI
import Testing

@testable import Host

/// The forms of all commands whose results are streams.
@MainActor struct StreamedResultTests {
  private let run: CommandLineRun
  private let entries: [CommandEntry]

  init() throws {
    run = try CommandLineRun()
    entries = run.interpreter.table.entries.filter(\.declaration.output.isStream)
  }

  /// Returns a value of a shape.
  private static func example(_ schema: ValueSchema) -> Value {
    switch schema {
    case .any, .text: "a\nb\u{1B}[2J"
    case .bool: true
    case .integer: 1
    case .number: 0.5
    case .choice(let words): .text(words.first ?? "")
    case .date: .date(Instant(seconds: 0))
    case .bytes: .bytes([0x0A])
    case .quantity: .quantity(1, unit: "m")
    case .picture: .picture(Picture(width: 1, height: 1, pixels: [1, 2, 3, 255]))
    case .array: nil
    case .optional(let schema): example(schema)
    case .list(let schema): [example(schema)]
    case .map(let schema): ["a": example(schema)]
    case .record(let fields): record(fields)
    case .table(let fields):
      .table(Table(columns: fields.map { .init($0.name, .values([example($0.schema)])) }))
    @unknown default: nil
    }
  }

  private static func record(_ fields: [ValueSchema.Field]) -> Value {
    .record(Record(fields.map { .init($0.name, example($0.schema)) }))
  }

  private static func printed(
    _ output: CommandDescription.Output, _ format: GlobalOptions.Format, _ values: [Value]
  ) async throws -> String {
    let streams = StandardStreams.memory()
    var options = GlobalOptions()
    options.format = format
    let printer = ResultPrinter(
      output, options: options, streams: streams, pictures: .standard, trace: nil
    ) { _, _, _ in nil }
    for value in values { try await printer.emit(value) }
    try await printer.finish(failed: false)
    return streams.output.contents
  }

  /// Returns a word that an argument accepts.
  private static func word(_ parameter: Parameter) -> String {
    switch parameter.kind {
    case .integer, .number: "1"
    case .choice(let words): words.first ?? ""
    default: "a"
    }
  }

  @Test func `the host and plugins have streaming commands`() {
    let names = entries.map(\.words)
    for name in ["sample count", "script", "exec", "batch gather"] { #expect(names.contains(name)) }
  }

  @Test func `every streaming command accepts --jsonl`() throws {
    for entry in entries {
      let words = entry.words.split(separator: " ").map(String.init)
      let line = words + entry.declaration.arguments.filter(\.isRequired).map(Self.word) + ["--jsonl"]
      #expect(try LineParser(table: run.interpreter.table).parse(line).options.format == .jsonLines, "\(entry.words)")
    }
  }

  @Test func `every stream is one document per line with --jsonl, and one list with --json`() async throws {
    for entry in entries {
      let output = entry.declaration.output
      let value = Self.example(output.schema)
      let lines = try await Self.printed(output, .jsonLines, [value, value]).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count == 3 && lines.last == "", "\(entry.words)")
      let documents = try lines.dropLast().map { try JSONReader.read(Array($0.utf8)) }
      let all = try JSONReader.read(Array(try await Self.printed(output, .json, [value, value]).utf8))
      #expect(all == .list(documents), "\(entry.words)")
    }
  }

  @Test func `a list in parts has one line per element`() async throws {
    for schema: ValueSchema in [.list(.record([.init("n", .integer)])), .table([.init("n", .integer)])] {
      let output = CommandDescription.Output(schema, isStream: true)
      let parts: [Value] = [[["n": 1], ["n": 2]], [], .table(Table(columns: [.init("n", .integers([3]))]))]
      #expect(try await Self.printed(output, .jsonLines, parts) == "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n")
    }
  }
}
