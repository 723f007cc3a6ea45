import Foundation
import TestSupport
import Testing

/// Plugins that are programs in Python, with the SDK's file.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/python3"), "there is no python3"))
struct PythonPluginTests {
  private let home: PluginHome

  init() throws {
    home = try PluginHome(withPlugin: false)
    for name in ["words", "parts"] { try home.install(program: name) }
    try home.folder.write(Array("b a b\n".utf8), "text.txt")
  }

  private var text: String { home.folder.url("text.txt").path }

  @Test func `a plugin with one command has at most 25 lines`() throws {
    let file = Checkout.root.appendingPathComponent("Tests/Fixtures/Programs/words/main.py")
    #expect(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count <= 25)
  }

  @Test func `a program's command runs and is described and listed like all others`() throws {
    #expect(try home.run("words", "count", text, "--csv").output == "word,count\r\nb,2\r\na,1\r\n")
    #expect(
      try home.run("words", "count", text, "--least", "2", "--json").output == #"[{"word":"b","count":2}]"# + "\n")
    #expect(try home.run("help", "words", "count").output.contains("Smallest count"))
    #expect(try home.run("plugin", "why", "words", "count", "--json").record["plugin"] as? String == "words")
    let rows = try home.run("plugin", "list", "--json").rows.filter { $0["source"] as? String == "option" }
    #expect(Set(rows.compactMap { $0["isolation"] as? String }) == ["own process"])
    #expect(rows.allSatisfy { $0["state"] as? String == "ready" })
    let missing = try home.run("words", "count", text + "x", "--json")
    #expect(missing.status == 3)
    #expect(try home.run("words", "count", text, "--least", "many", "--json").status == 2)
  }

  @Test func `a program's error has its code, kind and advice`() throws {
    let outcome = try home.run("parts", "fail", "declared", "--json")
    #expect(outcome.status == 5 && outcome.errorCode == "parts.unusable")
    #expect(outcome.errors.contains("choose another"))
    let unknown = try home.run("parts", "fail", "unexpected", "--json")
    #expect(unknown.status == 4 && unknown.errorCode == "host.plugin-threw")
    #expect(unknown.errorMessage.contains("ZeroDivisionError"))
    let ended = try home.run("parts", "fail", "exit", "--json")
    #expect(ended.status == 4 && ended.errorCode == "host.plugin-ended")
    #expect(try home.run("help", "errors").output.contains("the part cannot be used"))
  }

  @Test func `a program renders values, reads settings and calls other plugins`() throws {
    #expect(try home.run("parts", "show").output == "<parts in metre>\n")
    #expect(try home.run("config", "set", "parts.unit", "foot").status == 0)
    #expect(try home.run("parts", "show").output == "<parts in foot>\n")
    let called = try home.run("parts", "ask-words", text, "--json")
    #expect(called.output == #"{"words":2,"first":"b"}"# + "\n")
  }

  @Test func `values of all kinds are included in the result`() throws {
    let outcome = try home.run("parts", "kinds", "--json")
    #expect(
      outcome.output
        == #"{"date":"2026-11-20T06:30:00Z","bytes":"AQI=","decimal":"1.50","nan":null,"list":[1,2.5,"x",true,null]}"#
        + "\n")
  }

  @Test func `a command that declares a picture draws it in the size that was asked for`() throws {
    for (options, size) in [([], [4, 2]), (["--size", "6x3"], [6, 3])] as [([String], [UInt8])] {
      let file = home.folder.url("sketch\(size).png")
      let outcome = try home.run(["parts", "sketch", "--output", file.path] + options)
      #expect(outcome.status == 0, "\(outcome.errors)")
      // The header of a PNG file has the width and height at byte 16.
      #expect(try Array(Data(contentsOf: file)[16..<24]) == [0, 0, 0, size[0], 0, 0, 0, size[1]])
    }
    #expect(try home.run("help", "parts", "sketch").output.contains("--size"))
  }

  @Test func `a command with both a table and a picture is an error`() throws {
    let script = """
      from workbench_plugin import Plugin
      plugin = Plugin("shapes", "Shapes", "1.0.0", "Shapes")
      plugin.command("shape", "Draw", table={"n": int}, picture=True)
      """
    let file = try home.folder.write(Array(script.utf8), "plugins/words/shapes.py").path
    let outcome = try BuiltProgram.run(URL(fileURLWithPath: "/usr/bin/python3"), ["-B", file])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("the result of command 'shape' is a table or a picture, not both"))
  }

  @Test func `a program's printed output goes to the log, not into results`() throws {
    #expect(try home.run("parts", "chatter", "--json").output == "1\n")
    let log = try String(contentsOf: home.home.appendingPathComponent("state/workbench.log"), encoding: .utf8)
    #expect(log.contains("\tparts\tprinted text") && log.contains("\tparts\tlogged text"))
  }

  @Test func `the time limit ends a hanging command and its program`() throws {
    let outcome = try home.run("parts", "hang", "--timeout", "2", "--json", deadlineInSeconds: 60)
    #expect(outcome.status == 124)
    let file = home.home.appendingPathComponent("state/plugins/parts/process")
    let process = try #require(Int32(try String(contentsOf: file, encoding: .utf8)))
    #expect(polls { !BatchHome.isAlive(process) })
  }

  @Test func `killing the host ends its programs`() throws {
    let file = home.home.appendingPathComponent("state/plugins/parts/process")
    let script = """
      "$0" parts hang --plugin-dir "$1" & host=$!
      until [ -s "$2" ]; do sleep 0.05; done
      kill -9 $host; wait $host
      """
    #expect(try home.runShell(script, file.path).status == 137)
    let process = try #require(Int32(try String(contentsOf: file, encoding: .utf8)))
    #expect(polls { !BatchHome.isAlive(process) })
  }

  @Test func `files open with the command of their type, and doctor runs a program's checks`() throws {
    try home.folder.write(Array("x".utf8), "sample.parts")
    let opened = try home.run("open", home.folder.url("sample.parts").path, "--json")
    #expect(opened.status == 0 && opened.output.contains("sample.parts"))
    #expect(try home.run("doctor", "--json").output.contains("the part is loose"))
  }

  @Test(arguments: [
    ("wait", ["bolt", "nut", "nothing chosen"]), ("wait down enter wait", ["chose nut"]),
    ("wait a wait", ["part 2", "nothing chosen"]), ("wait u wait", ["unit is metre"]),
  ]) func `a program's screen shows its views and receives keys`(keys: String, shown: [String]) throws {
    let outcome = try home.run("run", "parts", "--headless", "90x12", "--keys", keys)
    #expect(outcome.status == 0)
    for text in shown { #expect(outcome.output.contains(text)) }
  }

  @Test func `a program's store is listed, checked, backed up, restored and exported`() throws {
    #expect(try home.run("parts", "keep", "bolt", "--json").output == "1\n")
    let row = try home.run("store", "list", "--json").rows.first { $0["name"] as? String == "parts:shelf" }
    #expect((row?["path"] as? String)?.hasSuffix("/parts/shelf.sqlite") == true)
    #expect(row?["bytes"] as? Int ?? 0 > 0)
    #expect(try home.run("store", "check", "parts:shelf").status == 0)
    let backup = home.folder.url("shelf.backup").path
    #expect(try home.run("store", "backup", "parts:shelf", backup).status == 0)
    #expect(try home.run("parts", "keep", "nut", "--json").output == "2\n")
    #expect(try home.run("store", "export", "parts:shelf").output.contains("nut"))
    #expect(try home.run("store", "restore", "parts:shelf", backup, "--yes").status == 0)
    let exported = try home.run("store", "export", "parts:shelf").output
    #expect(exported.contains("bolt") && exported.contains("number") && !exported.contains("nut"))
    let bad = try home.run("store", "restore", "parts:shelf", text, "--yes", "--json")
    #expect(bad.status == 5 && bad.errorCode == "store.bad-backup")
    #expect(try home.run("parts", "keep", "nut", "--json").output == "2\n")
  }

  @Test func `parameter values are completed by a command of the program`() throws {
    let outcome = try home.runPlain("__complete", "--plugin-dir", home.plugins.path, "--", "parts", "pick", "")
    #expect(outcome.output.contains("bolt") && outcome.output.contains("nut"))
  }
}
