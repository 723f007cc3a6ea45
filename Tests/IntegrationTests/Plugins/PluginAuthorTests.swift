import Foundation
import TestSupport
import Testing

/// The commands for authors of plugins, with the program itself.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/python3"), "there is no python3"))
struct PluginAuthorTests {
  private let home: PluginHome

  init() throws { home = try PluginHome(withPlugin: false) }

  private var folder: String { home.folder.url("tool").path }

  /// Makes a new plugin in Python.
  private func makePlugin() throws {
    let outcome = try home.runPlain("plugin", "new", "demo-tool", "--language", "python", "--folder", folder, "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// Replaces a text in a file of the plugin.
  private func edit(_ name: String, _ text: String, _ other: String) throws {
    let file = URL(fileURLWithPath: folder + "/" + name)
    let content = try String(contentsOf: file, encoding: .utf8)
    #expect(content.contains(text))
    try Data(content.replacingOccurrences(of: text, with: other).utf8).write(to: file)
  }

  /// Returns the outcomes of the checks, by their names.
  private func checks(_ outcome: BuiltProgram.Outcome) -> [String: String] {
    outcome.rows.reduce(into: [:]) { $0[$1["check"] as? String ?? ""] = $1["outcome"] as? String }
  }

  @Test func `a new Python plugin passes all checks and can be packed, installed and used`() throws {
    try makePlugin()
    let tests = try BuiltProgram.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      ["-C", folder, "python3", "-B", "-m", "unittest", "discover", "tests"])
    #expect(tests.status == 0, "\(tests.errors)")
    let validated = try home.runPlain("plugin", "validate", folder, "--json")
    #expect(validated.status == 0, "\(validated.output) \(validated.errors)")
    let checks = checks(validated)
    #expect(checks["manifest"] == "passed" && checks["conformance"] == "passed")
    #expect(checks["transcripts/examples.jsonl"] == "passed" && checks["package"] == "passed")
    let package = home.folder.url("demo.wbplugin").path
    #expect(try home.runPlain("plugin", "pack", folder, "--output", package).status == 0)
    #expect(try home.runPlain("plugin", "install", package, "--allow-unsigned").status == 0)
    let used = try home.runPlain("demo-tool", "summarize", "1", "2", "3")
    #expect(used.status == 0 && used.output == "2.000 ± 1.000 from 3 numbers\n", "\(used.errors)")
  }

  @Test func `a new Swift plugin builds with this installation's SDK and passes all checks`() throws {
    let made = try home.runPlain("plugin", "new", "demo-tool", "--folder", folder)
    #expect(made.status == 0, "\(made.errors)")
    try PluginFixture.tool("swift", ["build", "--package-path", folder])
    let validated = try home.runPlain("plugin", "validate", folder, "--json")
    #expect(validated.status == 0, "\(validated.output) \(validated.errors)")
    #expect(checks(validated)["library"] == "passed" && checks(validated)["conformance"] == "passed")
    #expect(try home.runPlain("plugin", "validate", folder, "--record", "--json").errorCode == "host.not-a-program")
    let used = try home.runPlain(
      "demo-tool", "summarize", "1", "2", "3", "--plugin-dir", folder + "/.build/debug")
    #expect(used.output == "2.000 ± 1.000 from 3 numbers\n", "\(used.errors)")
  }

  @Test func `a program whose responses differ from the recording fails until recorded again`() throws {
    try makePlugin()
    try edit("main.py", " ± ", " +- ")
    let differing = try home.runPlain("plugin", "validate", folder, "--json")
    #expect(differing.status == 1 && differing.errorCode == "host.validation-failed")
    let row = differing.rows.first { $0["check"] as? String == "transcripts/examples.jsonl" }
    #expect(row?["outcome"] as? String == "failed")
    #expect((row?["detail"] as? String)?.hasPrefix("line 5: expected ") == true)
    let recorded = try home.runPlain("plugin", "validate", "--record", folder, "--json")
    #expect(recorded.status == 0, "\(recorded.output) \(recorded.errors)")
    #expect(try home.runPlain("plugin", "validate", folder).status == 0)
    try FileManager.default.removeItem(atPath: folder + "/transcripts")
    #expect(checks(try home.runPlain("plugin", "validate", folder, "--json"))["transcripts"] == "skipped")
    #expect(try home.runPlain("plugin", "validate", folder, "--record").status == 0)
    let examples = try String(contentsOfFile: folder + "/transcripts/examples.jsonl", encoding: .utf8)
    #expect(examples.contains("9.79") && examples.split(separator: "\n").count == 3)
  }

  @Test func `an invalid example, a crash and an invalid manifest are reported`() throws {
    try makePlugin()
    try edit("plugin.json", "summarize 9.79 9.82 9.81", "summarize many")
    let example = try home.runPlain("plugin", "validate", folder, "--json")
    #expect(example.status == 1 && checks(example)["conformance.example"] == "failed")
    try edit("plugin.json", "summarize many", "summarize 1 2")
    try edit("main.py", "if __name__", "import os; os._exit(3)\nif __name__")
    let ended = try home.runPlain("plugin", "validate", folder, "--json")
    #expect(ended.status == 1 && checks(ended)["transcripts/examples.jsonl"] == "failed")
    try edit("plugin.json", #""protocol": 1"#, #""protocol": 99"#)
    let broken = try home.runPlain("plugin", "validate", folder, "--json")
    #expect(broken.status == 1 && checks(broken) == ["files": "failed"])
    let nothing = try home.runPlain("plugin", "validate", home.folder.url("nothing").path, "--json")
    #expect(nothing.status == 1 && checks(nothing) == ["files": "failed"])
  }

  @Test func `validation installs nothing and removes its temporary files`() throws {
    try makePlugin()
    let scratch = home.folder.url("scratch")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    let outcome = try BuiltProgram.run(
      BuiltProgram.workbench, ["plugin", "validate", folder],
      environment: ["WORKBENCH_HOME": home.home.path, "TMPDIR": scratch.path, "WORKBENCH_PLUGIN_PATH": nil])
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == [])
    #expect(home.names("data/plugins").filter { $0 != "plugins.lock" } == [])
  }

  @Test func `each change triggers a build, and an error leaves the manifest unchanged`() throws {
    try makePlugin()
    let process = try CommandLineProcess(["plugin", "dev", folder, "--jsonl"])
    var text = ""
    /// Reads until a number of builds were told, and returns the last one.
    func build(_ number: Int) -> String {
      func builds() -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }
      while builds().count < number {
        let more = process.readSome()
        if more.isEmpty { break }
        text += more
      }
      return builds().count >= number ? String(builds()[number - 1]) : ""
    }
    #expect(build(1).contains(#""outcome":"built","plugin":"demo-tool""#))
    try edit("main.py", "\"Statistics of numbers\"", "\"Sums of numbers\"")
    #expect(build(2).contains(#""outcome":"built""#))
    #expect(try String(contentsOfFile: folder + "/plugin.json", encoding: .utf8).contains("Sums of numbers"))
    // The build wrote the manifest, which starts no other one.
    try edit("main.py", "plugin.run()", "plugin.run(")
    #expect(build(3).contains(#""outcome":"failed""#) && build(3).contains("SyntaxError"))
    #expect(try String(contentsOfFile: folder + "/plugin.json", encoding: .utf8).contains("Sums of numbers"))
    process.send(SIGINT)
    #expect(process.wait().status == 130)
  }

  @Test func `a screen reopens after each build and shows errors over the old one`() throws {
    for (name, source) in [
      ("main.py", "Tests/Fixtures/Programs/parts/main.py"),
      ("workbench_plugin.py", "Sources/PluginSDK/Python/workbench_plugin.py"),
    ] {
      let content = try Data(contentsOf: Checkout.root.appendingPathComponent(source))
      try home.folder.write(Array(content), "tool/" + name)
    }
    let manifest = try BuiltProgram.run(
      URL(fileURLWithPath: "/usr/bin/python3"), ["-B", folder + "/main.py", "--manifest"])
    try home.folder.write(Array(manifest.output.utf8), "tool/plugin.json")
    let terminal = try PseudoTerminal(
      BuiltProgram.workbench.path, ["plugin", "dev", folder], columns: 100, rows: 24,
      environment: ["WORKBENCH_HOME": home.home.path, "TERM": "xterm"])
    #expect(terminal.reads("bolt"))
    var seen = terminal.output.count
    try edit("main.py", #"["bolt", "nut"], "nothing chosen""#, #"["rivet", "nut"], "nothing chosen""#)
    #expect(terminal.reads("rivet", from: seen))
    seen = terminal.output.count
    try edit("main.py", "plugin.run()", "plugin.run(")
    #expect(terminal.reads("SyntaxError", from: seen))
    seen = terminal.output.count
    try edit("main.py", "plugin.run(", "plugin.run()")
    #expect(terminal.reads("rivet", from: seen))
    terminal.type("q")
    #expect(terminal.end() == 0)
  }

  @Test func `the SDK's folder contains everything needed to compile a plugin`() throws {
    let text = try home.runPlain("sdk", "path")
    #expect(text.status == 0 && text.output == BuiltProgram.folder.path + "\n")
    let record = try home.runPlain("sdk", "path", "--json").record
    for name in ["modules", "headers", "sources", "python", "guide"] {
      let path = try #require(record[name] as? String)
      #expect(FileManager.default.fileExists(atPath: path), "\(name)")
    }
    #expect(try home.runPlain("help", "authors").output.contains("workbench plugin new"))
  }
}
