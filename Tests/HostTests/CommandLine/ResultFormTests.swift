import Foundation
import PluginAPI
import Synchronization
import Testing

@testable import Host

@MainActor struct ResultFormTests {
  @Test func `each kind of value has its JSON form`() {
    let value: Value = [
      "nothing": nil, "flag": true, "whole": -3, "number": 1.5, "missing": .number(.nan), "endless": .number(.infinity),
      "text": "a\"b\\c\n\u{1}é", "exact": .decimal("12345678901234567890.10"), "bytes": .bytes([1, 2, 3, 255]),
      "date": .date(Instant(seconds: 0)), "length": .quantity(1.8, unit: "angstrom"), "list": [1, [], [:]],
      "table": .table(
        Table(columns: [.init("x", .integers([1, 2])), .init("y", .numbers([0.5, .nan], decimals: 1))])),
    ]
    #expect(
      JSONWriter.text(of: value)
        == #"{"nothing":null,"flag":true,"whole":-3,"number":1.5,"missing":null,"endless":null,"#
        + #""text":"a\"b\\c\n\u0001é","exact":"12345678901234567890.10","bytes":"AQID/w==","#
        + #""date":"1970-01-01T00:00:00Z","length":{"value":1.8,"unit":"angstrom"},"list":[1,[],{}],"#
        + #""table":[{"x":1,"y":0.5},{"x":2,"y":null}]}"#)
    #expect(JSONWriter.text(of: ["a": [1]], indentation: 2) == "{\n  \"a\": [\n    1\n  ]\n}")
  }

  @Test func `JSON texts have escapes at their start, in their middle and at their end`() {
    let texts = [
      ("", "\"\""), ("plain", #""plain""#), ("\n", #""\n""#), ("\"\\", #""\"\\""#), ("\tab\r", #""\tab\r""#),
      ("a\"b\\c", #""a\"b\\c""#), ("\u{0}é\u{1F}", #""\u0000é\u001f""#),
      ("a text longer than fifteen bytes\n, twice\n", #""a text longer than fifteen bytes\n, twice\n""#),
    ]
    for (text, json) in texts { #expect(JSONWriter.text(of: .text(text)) == json) }
  }

  @Test func `terminal control characters are escaped in JSON and replaced in text and rows`() {
    let text = "a\u{1B}[31m\u{9B}2J\u{7F}\u{202E}b\u{2066}\u{2028}é\"\\"
    #expect(
      JSONWriter.text(of: .text(text)) == #""a\u001b[31m\u009b2J\u007f\u202eb\u2066\u2028é\"\\""#)
    #expect(
      StyledTextWriter.harmless(text)
        == "a\u{FFFD}[31m\u{FFFD}2J\u{FFFD}\u{FFFD}b\u{FFFD}\u{FFFD}é\"\\")
    #expect(StyledTextWriter.harmless("שלום\u{200F} – “quoted” … 日本") == "שלום\u{200F} – “quoted” … 日本")
    var rows = DelimitedWriter(.comma)
    rows.write(.list([["a": .text("x\u{1B}[2J\r\ny\rz")]]))
    #expect(String(decoding: rows.bytes, as: UTF8.self) == "a\r\n\"x\u{FFFD}[2J\ny\u{FFFD}z\"\r\n")
  }

  @Test func `a result is printed in every format`() async throws {
    let run = try CommandLineRun()
    #expect(
      try await run.output("sample", "list")
        == "Name           Weight (kg)\ngranite               2.50\nslate, \"grey\"            –\n")
    #expect(
      try await run.output("sample", "list", "--json")
        == #"[{"name":"granite","weight":2.5},{"name":"slate, \"grey\"","weight":null}]"# + "\n")
    #expect(
      try await run.output("sample", "list", "--jsonl")
        == #"{"name":"granite","weight":2.5}"# + "\n" + #"{"name":"slate, \"grey\"","weight":null}"# + "\n")
    #expect(
      try await run.output("sample", "list", "--csv") == "name,weight\r\ngranite,2.5\r\n\"slate, \"\"grey\"\"\",\r\n")
    #expect(try await run.output("sample", "list", "--tsv") == "name\tweight\ngranite\t2.5\nslate, \"grey\"\t\n")
    #expect(
      try await run.output("sample", "list", "--plain")
        == "Name: granite, Weight (kg): 2.50\nName: slate, \"grey\"\n")
  }

  @Test func `an empty list has its declared columns, or those of a later part`() {
    let schema = ValueSchema.list(.record([.init("a", .integer), .init("b", .text)]))
    var declared = DelimitedWriter(.comma)
    declared.write(.list([]), schema: schema)
    declared.write(.list([["a": 1, "b": "x"]]), schema: schema)
    #expect(String(decoding: declared.bytes, as: UTF8.self) == "a,b\r\n1,x\r\n")
    var undeclared = DelimitedWriter(.comma)
    undeclared.write(.list([]))
    undeclared.write(.list([["a": 1]]))
    #expect(String(decoding: undeclared.bytes, as: UTF8.self) == "a\r\n1\r\n")
  }

  @Test func `a map of numbers becomes rows instead of a JSON cell`() {
    let schema = ValueSchema.record([.init("status", .text), .init("fluxes", .map(.number))])
    let value: Value = ["status": "optimal", "fluxes": ["R_1": 2.5, "R_2": nil, "R_3": 0]]
    var rows = DelimitedWriter(.comma)
    rows.write(value, schema: schema)
    #expect(String(decoding: rows.bytes, as: UTF8.self) == "id,fluxes\r\nR_1,2.5\r\nR_2,\r\nR_3,0\r\n")
    // Counts by name belong to their record.
    var counts = DelimitedWriter(.tab)
    counts.write(
      ["id": "m", "elements": ["C": 2]], schema: .record([.init("id", .text), .init("elements", .map(.integer))]))
    #expect(String(decoding: counts.bytes, as: UTF8.self) == "id\telements\nm\t{\"C\":2}\n")
  }

  @Test func `a record with one table is printed as the rows of that table`() {
    let table = Value.table(Table(columns: [.init("x", .integers([1, 2])), .init("y", .texts(["a", ""]))]))
    var rows = DelimitedWriter(.comma)
    rows.write(["sum": 3, "points": table])
    #expect(String(decoding: rows.bytes, as: UTF8.self) == "x,y\r\n1,a\r\n2,\r\n")
    var record = DelimitedWriter(.comma)
    record.write(["sum": 3, "points": table, "more": table])
    #expect(String(decoding: record.bytes, as: UTF8.self).hasPrefix("sum,points,more\r\n3,"))
  }

  @Test func `a plugin's renderer formats values of its types`() async throws {
    let run = try CommandLineRun(environment: ["TERM": "xterm"])
    #expect(try await run.output("sample", "info", "granite") == "rock granite\n")
    #expect(
      try await run.output("--color", "always", "sample", "info", "granite").contains("\u{1B}[1mrock granite\u{1B}["))
    #expect(try await run.output("sample", "info", "granite", "--color=always", "--plain") == "rock granite\n")
    #expect(try await run.output("sample", "info", "granite", "--json") == #"{"name":"granite"}"# + "\n")
  }

  @Test func `messages have readable colors on a light terminal`() {
    func warning(on background: GlobalOptions.BackgroundChoice) -> String {
      let streams = StandardStreams.memory(environment: ["TERM": "xterm"])
      var options = GlobalOptions()
      (options.color, options.background) = (.always, background)
      MessagePrinter(streams: streams, options: options).write(Diagnostic(.warning, code: "sample.dust", "dust"))
      return streams.error.contents
    }
    let (dark, light) = (warning(on: .dark), warning(on: .light))
    #expect(dark.contains("33mwarning:") && light.contains("35mwarning:"), "\(dark) \(light)")
  }

  @Test func `a stream is a list in JSON and one line per value in JSON Lines`() async throws {
    let run = try CommandLineRun()
    #expect(try await run.output("sample", "count", "2", "--json") == #"[{"number":1},{"number":2}]"# + "\n")
    #expect(try await run.output("sample", "count", "0", "--json") == "[]\n")
    #expect(try await run.output("sample", "count", "2", "--jsonl") == "{\"number\":1}\n{\"number\":2}\n")
    #expect(try await run.output("sample", "count", "2", "--csv") == "number\r\n1\r\n2\r\n")
    #expect(try await run.output("sample", "reset", "--json") == "null\n")
    #expect(try await run.output("sample", "reset") == "")
  }

  @Test func `a picture is printed as text or JSON, or written to a file`() async throws {
    let run = try CommandLineRun()
    #expect(try await run.output("sample", "render", "--graphics", "ascii", "--size", "4x4").count > 4)
    let json = try await run.output("sample", "render", "--json", "--size", "3x2")
    let value = try JSONReader.read(Array(json.utf8))
    #expect(value["width"] == 3 && value["height"] == 2 && value["format"] == "png")
    let png = Data(base64Encoded: value["data"].text ?? "") ?? Data()
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    let path = try run.file("old.png", "old")
    #expect(try await run.output("sample", "render", "--output", path) == "")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).starts(with: [0x89, 0x50]))
    #expect(run.messages.contains("note: wrote '\(path)', 4×2 pixels\n"))
    #expect(try await run.output("sample", "render", "--output", path, "--json").contains(#""file":"#))
    #expect(await run.error("sample", "render", "--csv")?.code == "host.no-rows")
  }

  @Test func `a complete result replaces the old output file`() async throws {
    let run = try CommandLineRun()
    let file = try run.file("names.csv", "old")
    #expect(try await run.output("sample", "list", "--csv", "--output", file) == "")
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("name,weight\r\n"))
    for name in ["-", "/dev/stdout", "/dev/fd/1"] {
      #expect(try await run.output("sample", "echo", "a", "--output", name) == "a\n")
    }
    #expect(await run.error("sample", "fail", "network", "--output", file)?.kind == .network)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("name,weight\r\n"))
    #expect(await run.error("sample", "list", "--output", run.home + "/no/x")?.code == "host.unwritable-file")
    let trace = run.home + "/trace"
    let error = await run.error("sample", "render", "--output", run.home + "/no/x.png", "--trace", trace)
    #expect(error?.code == "host.unwritable-file")
    #expect(HostFile.size(trace) == nil, "nothing is drawn for a file that cannot be written")
    #expect(try await run.output("exec", "sample echo a; sample echo b", "--output", file) == "")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "a\nb\n")
    #expect(try await run.output("exec", "sample echo a; sample echo b --output '\(file)'; sample echo c") == "a\nc\n")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "b\n")
    #expect(try await run.output("sample", "reset", "--dry-run", "--output", file).contains("sample reset"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "b\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: run.home) == ["names.csv"])
  }

  @Test func `a result that reports faults is still written to its file`() async throws {
    let run = try CommandLineRun()
    let file = try run.file("report.txt", "")
    let data = run.home + "/data"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: data)
    #expect(await run.error("doctor", "--output", file)?.code == "host.doctor-found-errors")
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("folders"))
  }

  @Test func `binary data is written to a pipe, and to a terminal only with '--yes'`() throws {
    func write(_ bytes: [UInt8], isTerminal: Bool, yes: Bool = false) throws {
      let streams = StandardStreams(
        output: ByteSink(descriptor: nil, isTerminal: isTerminal), error: ByteSink(descriptor: nil),
        inputIsTerminal: false, environment: [:])
      var options = GlobalOptions()
      options.assumeYes = yes
      try ResultPrinter(.init(.any), options: options, streams: streams, pictures: .standard, trace: nil) { _, _, _ in
        nil
      }.write(raw: bytes)
    }
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
    try write(png, isTerminal: false)
    try write(png, isTerminal: true, yes: true)
    try write(Array("é\tb\r\n".utf8), isTerminal: true)
    for bytes in [png, [0x1B], Array("a\u{9B}b".utf8), [0]] {
      #expect(throws: OutputError.binaryOnTerminal) { try write(bytes, isTerminal: true) }
    }
  }

  @Test func `writing a long result does not block the event loop`() async throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    defer { close(writer) }
    let streams = StandardStreams(
      output: ByteSink(descriptor: writer), error: ByteSink(descriptor: nil), inputIsTerminal: false, environment: [:])
    var options = GlobalOptions()
    options.format = .json
    let printer = ResultPrinter(
      .init(.any), options: options, streams: streams, pictures: .standard, trace: nil
    ) { _, _, _ in nil }
    let count = 1 << 20
    try await printer.emit(.text(String(repeating: "x", count: count)))
    // The result exceeds what a pipe holds, and its reader waits for a turn of the loop.
    let turn = WorkSemaphore()
    let isLoopFree = Mutex(false)
    WorkQueue("test.reader").async {
      // Closed by its reader: elsewhere, the number could name another test's file before this loop ends.
      defer { close(reader) }
      let isFree = turn.wait(seconds: 20)
      isLoopFree.withLock { $0 = isFree }
      var (left, chunk) = (count + 3, [UInt8](repeating: 0, count: 1 << 16))
      while left > 0 {
        let length = read(reader, &chunk, chunk.count)
        if length <= 0 { return }
        left -= length
      }
    }
    Task { turn.signal() }
    try await printer.finish(failed: false)
    #expect(isLoopFree.withLock { $0 })
  }

  @Test func `a wide table is truncated to the terminal, but never its numbers`() {
    let long = String(repeating: "x", count: 100)
    let table = Table(columns: [.init("name", .texts([long])), .init("n", .integers([123_456_789]))])
    let lines = TextTable(table).render(width: 40, indentation: 0, isPlain: false).plainText.split(separator: "\n")
    #expect(lines.allSatisfy { TextWidth.columns($0) <= 40 })
    #expect(lines.last?.hasSuffix("…  123456789") == true)
    #expect(TextTable.fixed(-0.004, 2) == "0.00" && TextTable.fixed(-1.005, 1) == "-1.0")
    #expect(TextTable.fixed(2.5, 0) == "3" && TextTable.fixed(0.05, 3) == "0.050")
  }

  @Test func `text omits a column without values`() {
    let table = Table(columns: [
      .init("name", .texts(["a", "b"])), .init("none", .values([.null, .null])),
      .init("some", .numbers([.nan, 2], decimals: nil)),
    ])
    let text = TextTable(table).render(width: 40, indentation: 0, isPlain: false).plainText
    #expect(text.contains("some") && !text.contains("none"))
    let empty = Table(columns: [.init("name", .texts([])), .init("none", .values([]))])
    #expect(TextTable(empty).render(width: 40, indentation: 0, isPlain: false).plainText.contains("none"))
  }

  /// Returns the lines of the parts of a stream.
  private func lines(_ schema: ValueSchema, _ parts: [Value]) async throws -> [Substring] {
    let streams = StandardStreams.memory()
    let printer = ResultPrinter(
      .init(schema, isStream: true), options: GlobalOptions(), streams: streams, pictures: .standard, trace: nil
    ) { _, _, _ in nil }
    for part in parts { try await printer.emit(part) }
    try await printer.finish(failed: false)
    return streams.output.contents.split(separator: "\n")
  }

  @Test func `a streamed table repeats its heading only when its columns change`() async throws {
    let fields: [ValueSchema.Field] = [.init("n", .integer), .init("m", .integer)]
    let values: [Value] = [.null, 3, .null, 4]
    let parts = values.map { value in
      Value.table(Table(columns: [.init("n", .integers([1])), .init("m", .values([value]))]))
    }
    #expect(try await lines(.table(fields), parts) == ["n", "1", "n  m", "1  3", "1  –", "1  4"])
    let lists = values.map { value in Value.list([["n": 1, "m": value]]) }
    #expect(try await lines(.list(.record(fields)), lists) == ["n", "1", "n  m", "1  3", "1  –", "1  4"])
    // Rows without the columns of the heading have their own.
    #expect(try await lines(.list(.record(fields)), [lists[1], [["m": 5]]]) == ["n  m", "1  3", "m", "5"])
  }

  @Test func `parts of a streamed table are aligned, and a wide part widens later ones`() async throws {
    let schema = ValueSchema.table([.init("name", .text), .init("n", .integer)])
    let parts = [("long name", 1), ("a", 200), ("b", 3)].map { name, number in
      Value.table(Table(columns: [.init("name", .texts([name])), .init("n", .integers([number]))]))
    }
    #expect(
      try await lines(schema, parts) == ["name       n", "long name  1", "a          200", "b            3"])
  }

  @Test func `the tables of a stream are printed as one table`() async throws {
    let output = CommandDescription.Output(.table([.init("n", .integer)]), isStream: true)
    let parts = [[1, 2], [], [3]].map { Value.table(Table(columns: [.init("n", .integers($0))])) }
    func text(_ format: GlobalOptions.Format, _ parts: [Value]) async throws -> String {
      let streams = StandardStreams.memory()
      var options = GlobalOptions()
      options.format = format
      let printer = ResultPrinter(
        output, options: options, streams: streams, pictures: .standard, trace: nil
      ) { _, _, _ in nil }
      for part in parts { try await printer.emit(part) }
      try await printer.finish(failed: false)
      return streams.output.contents
    }
    #expect(try await text(.json, parts) == #"[{"n":1},{"n":2},{"n":3}]"# + "\n")
    #expect(try await text(.json, [parts[1]]) == "[]\n")
    #expect(try await text(.jsonLines, parts) == "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n")
    #expect(try await text(.csv, parts) == "n\r\n1\r\n2\r\n3\r\n")
    // A batch record has the rows of all parts, as the result of the command alone has.
    let collected = CollectedOutput()
    for part in parts { try await collected.emit(part) }
    #expect(collected.value(of: output) == .list([["n": 1], ["n": 2], ["n": 3]]))
    #expect(collected.value(of: .init(.any, isStream: true)) == .list(parts))
    let one = CollectedOutput()
    try await one.emit(parts[0])
    #expect(one.value(of: output) == parts[0])
  }

  @Test func `text from data cannot control the terminal`() async throws {
    let run = try CommandLineRun()
    let text = try await run.output("sample", "echo", "a\u{1B}[2Jb\u{9B}c")
    #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" })
    #expect(text.contains("a") && text.contains("c"))
  }

  @Test func `warnings and notes go to standard error`() async throws {
    let run = try CommandLineRun()
    #expect(try await run.output("sample", "warn") == "swept\n")
    #expect(run.messages == "note: granite is hard\nwarning: line 7, column 3: there is dust; sweep\n")
    let quiet = try CommandLineRun()
    try await quiet("sample", "warn", "--quiet")
    #expect(quiet.messages == "warning: line 7, column 3: there is dust; sweep\n")
    let json = try CommandLineRun()
    try await json("sample", "warn", "--json")
    #expect(
      json.messages.hasPrefix(
        #"{"diagnostic":{"severity":"note","code":"sample.note","message":"granite is hard","line":null,"#
          + #""column":null,"advice":null}}"#))
    #expect(json.messages.contains(#""line":7,"column":3,"advice":"sweep""#))
  }

  @Test func `a dry run prints the command that would run`() async throws {
    let run = try CommandLineRun()
    #expect(
      try await run.output("--dry-run", "--json", "sample", "measure", "distance", "1,2,3")
        == #"{"command":"sample measure distance","arguments":{"point":[[1.0,2.0,3.0]],"scale":1,"unit":"metre","#
        + #""round":false,"tag":null},"effects":[]}"# + "\n")
  }

  @Test func `a trace has a line per step, and a record has a line per command`() async throws {
    let run = try CommandLineRun()
    let trace = try run.file("trace.jsonl", "")
    let script = try run.file("record.wbs", "")
    try await run("sample", "measure", "distance", "-1,2,3", "--tag", "it's", "--trace", trace, "--record", script)
    let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
    let events = try lines.map { try JSONReader.read(Array($0.utf8))["event"].text }
    #expect(events == ["start", "value", "end"])
    #expect(
      try String(contentsOfFile: script, encoding: .utf8)
        == "sample measure distance '--tag=it'\\''s' -- -1,2,3\n"
        || String(contentsOfFile: script, encoding: .utf8) == "sample measure distance '--tag=it'\\''s' -1,2,3\n")
  }

  @Test func `a command that cannot be recorded does not run`() async throws {
    let run = try CommandLineRun()
    let folder = FilePath.folder(of: try run.file("notes.txt", ""))
    try await run("sample", "echo", "a", "--record", folder + "/record.wbs")
    let output = run.streams.output.contents
    let missing = folder + "/none/record.wbs"
    let error = await run.error("sample", "echo", "b", "--record", missing)
    #expect(error?.message.contains(missing) == true && run.streams.output.contents == output)
  }

  @Test func `traces and records omit personal data, and a record without it is not run`() async throws {
    let run = try CommandLineRun()
    let (trace, script) = (try run.file("trace.jsonl", ""), try run.file("record.wbs", ""))
    let files = ["--trace", trace, "--record", script]
    try await run.run(["sample", "info", "granite", "--owner", "Ada", "--finder", "Bo", "--finder", "Cy"] + files)
    let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
    let arguments = try JSONReader.read(Array(try #require(lines.first).utf8))["arguments"]
    #expect(arguments["rock"] == "granite" && arguments["owner"] == "…" && arguments["finder"] == ["…", "…"])
    let recorded = try String(contentsOfFile: script, encoding: .utf8)
    #expect(recorded == "sample info --owner=… --finder=… --finder=… granite\n")
    for name in ["Ada", "Bo", "Cy"] { #expect(!lines.joined().contains(name) && !recorded.contains(name)) }
    // Run unchanged, it would state that someone is called '…'.
    for line in [["--owner", "…"], ["--finder", "Bo", "--finder", "…"]] {
      let report = await #expect(throws: ErrorReport.self) {
        try await run.run(["sample", "info", "granite"] + line)
      }
      #expect(report?.code == "host.left-out")
    }
    #expect(try await run.output("sample", "info", "granite", "--owner", "Ada … Lovelace") == "rock granite\n")
  }
}
