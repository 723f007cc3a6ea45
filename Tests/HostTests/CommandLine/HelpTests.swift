import Foundation
import PluginAPI
import Testing

@testable import Host

@MainActor struct HelpTests {
  @Test(arguments: [
    ["help"], ["help", "sample"], ["help", "sample", "measure", "distance"], ["help", "sample", "render"],
    ["help", "config", "set"], ["help", "options"], ["help", "scripts"], ["help", "keys"], ["help", "statuses"],
    ["help", "settings"], ["help", "environment"], ["man", "sample", "measure", "distance"], ["help", "script"],
  ]) func `help matches its snapshots`(words: [String]) async throws {
    try expectSnapshot(try await CommandLineRun().output(words), words.joined(separator: "-") + ".txt")
  }

  @Test(arguments: CompletionScript.allCases) func `completion scripts match their snapshots`(
    shell: CompletionScript
  ) async throws {
    try expectSnapshot(
      try await CommandLineRun().output(["completion", shell.rawValue]), "completion.\(shell.rawValue)")
  }

  @Test func `'--help' and 'help' print the same text`() async throws {
    let run = try CommandLineRun()
    #expect(try await run.output("sample", "list", "--help") == run.output("help", "sample", "list"))
    #expect(try await run.output("--help") == run.output("help"))
    #expect(try await run.output("sample", "-h") == run.output("help", "sample"))
  }

  @Test func `help is also available as JSON`() async throws {
    let value = try JSONReader.read(Array(try await CommandLineRun().output("help", "sample", "info", "--json").utf8))
    #expect(value["words"] == "sample info" && value["arguments"].list?.first?["name"] == "rock")
  }

  @Test func `help about an unknown name suggests the nearest one`() async throws {
    let run = try CommandLineRun()
    #expect(await run.error("help", "sampel")?.advice == "did you mean 'sample'?")
    #expect(await run.error("help", "sample", "lst")?.advice == "did you mean 'list'?")
    #expect(await run.error("help", "errrors")?.advice == "did you mean 'errors'?")
    #expect(await run.error("help", "schema")?.exitStatus == 2)
  }

  @Test func `help about an argument of a command refers to the command's help`() async throws {
    let run = try CommandLineRun()
    #expect(await run.error("help", "schema")?.advice == "show examples with 'workbench help help'")
    #expect(await run.error("help", "help", "schema")?.advice == "show its help with 'workbench help help'")
    #expect(try await run.output("help", "help").contains("schema COMMAND"))
  }

  @Test func `an empty default is not mentioned`() {
    func explanation(_ standard: Value) -> String {
      HelpText.explanation(Parameter("server", .text, "Address of the server", defaultValue: standard))
    }
    #expect(explanation("") == "Address of the server")
    #expect(explanation("a.b") == "Address of the server; default a.b")
  }

  @Test func `effects read as the predicate of a sentence`() {
    #expect(HelpText.effects([]) == "")
    #expect(HelpText.effects([.writes]) == "changes files or stores")
    #expect(HelpText.effects([.reads, .network]) == "reads files or stores, and uses the network or a device")
    #expect(
      HelpText.effects([.reads, .writes, .deletes, .network])
        == "reads and changes files or stores, deletes data, and uses the network or a device")
  }

  @Test func `every error code in the sources is documented`() async throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/Host")
    let known = Set(HostErrorCodes.all.map(\.code))
    var missing: Set<String> = []
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /code: (?:[^"\n]{0,60}\? )?"(host\.[a-z-]+)"(?: : "(host\.[a-z-]+)")?/) {
        for code in [match.1, match.2 ?? match.1] where !known.contains(String(code)) { missing.insert(String(code)) }
      }
    }
    #expect(missing.sorted() == [])
    #expect(Set(HostErrorCodes.all.map(\.code)).count == HostErrorCodes.all.count)
    #expect(try await CommandLineRun().output("help", "errors").contains("sample.no-rock"))
  }

  @Test func `one error code is explained, and unknown codes and words after topics are named`() async throws {
    let run = try CommandLineRun()
    let one = try JSONReader.read(Array(try await run.output("help", "errors", "sample.no-rock", "--json").utf8))
    #expect(one.list?.map { $0["code"].text } == ["sample.no-rock"])
    let unknown = await run.error("help", "errors", "sample.no-rok")
    #expect(unknown?.code == "host.unknown-code" && unknown?.advice?.contains("sample.no-rock") == true)
    for words in [["errors", "host.not-in-scripts", "more"], ["keys", "more"]] {
      let error = await run.error(["help"] + words)
      #expect(error?.code == "host.extra-argument" && error?.message.contains("'more'") == true)
    }
  }

  @Test func `a schema describes a command's output`() async throws {
    let run = try CommandLineRun()
    let schema = try JSONReader.read(Array(try await run.output("help", "schema", "sample", "list").utf8))
    #expect(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema" && schema["type"] == "array")
    let row = schema["items"]
    #expect(row["required"] == ["name", "weight"] && row["additionalProperties"] == false)
    #expect(row["properties"]["weight"]["anyOf"] == [["type": "number"], ["type": "null"]])
    #expect(row["properties"]["weight"]["description"] == "kilograms")
    let stream = try JSONReader.read(Array(try await run.output("help", "schema", "sample", "count").utf8))
    #expect(stream["type"] == "array" && stream["items"]["properties"]["number"]["type"] == "integer")
  }

  @Test func `every kind of value has a JSON schema`() {
    let shapes: [(ValueSchema, String)] = [
      (.any, "{}"), (.bool, #"{"type":"boolean"}"#), (.integer, #"{"type":"integer"}"#),
      (.text, #"{"type":"string"}"#), (.choice(["a"]), #"{"type":"string","enum":["a"]}"#),
      (.date, #"{"type":"string","format":"date-time"}"#), (.bytes, #"{"type":"string","contentEncoding":"base64"}"#),
      (.optional(.bool), #"{"anyOf":[{"type":"boolean"},{"type":"null"}]}"#),
      (.list(.number), #"{"type":"array","items":{"type":"number"}}"#),
      (.map(.text), #"{"type":"object","additionalProperties":{"type":"string"}}"#),
      (
        .quantity,
        #"{"type":"object","properties":{"value":{"type":"number"},"unit":{"type":"string"}},"#
          + #""required":["value","unit"],"additionalProperties":false}"#
      ),
    ]
    for (shape, text) in shapes { #expect(JSONWriter.text(of: .record(JSONSchema.schema(shape))) == text) }
    #expect(JSONSchema.schema(.picture)["required"] == ["width", "height", "format"])
  }
}
