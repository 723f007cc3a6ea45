import Foundation
import TestSupport
import Testing

/// The commands that find faulty and slow plugins.
struct PluginWatchTests {
  /// Returns the text of a field; empty if it has none.
  private func text(_ row: [String: Any], _ field: String) -> String { (row[field] as? String) ?? "" }

  @Test func `bisect finds the plugin that crashes another command and quarantines nothing`() throws {
    let home = try PluginHome()
    let run = try home.run("plugin", "bisect", "doctor", "--json", wish: "trap-in-activate", deadlineInSeconds: 300)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.record["plugins"] as? [String] == ["misbehaving"])
    #expect(run.record["failure"] as? String == "it dies from SIGILL")
    #expect(run.record["command"] as? String == "doctor")
    #expect(try home.run("misbehaving", "greet").output == "hello from misbehaving\n")
  }

  @Test func `bisect keeps plugins named by the command enabled and reports if nothing fails`() throws {
    let home = try PluginHome()
    let thrown = try home.run("plugin", "bisect", "misbehaving", "throw", "--json")
    #expect(thrown.status == 0, "\(thrown.errors)")
    #expect(thrown.record["plugins"] as? [String] == ["misbehaving"] && thrown.record["runs"] as? Int == 2)
    #expect(thrown.record["failure"] as? String == "it exits with status 4")
    let hung = try home.run("plugin", "bisect", "misbehaving", "block", "--limit", "1", "--json")
    #expect(hung.record["failure"] as? String == "it does not end in time", "\(hung.errors)")
    #expect(try home.run("plugin", "bisect", "misbehaving", "greet", "--json").errorCode == "host.bisect-no-failure")
    let host = try home.run("plugin", "bisect", "help", "nothing-of-the-kind", "--json")
    #expect(host.record["plugins"] as? [String] == [])
    #expect(host.errors.contains("host.bisect-no-plugin"))
  }

  @Test func `bisect does not change the user's stores`() throws {
    let home = try PluginHome(withPlugin: false)
    let before = try home.runPlain("molecules", "list", "--json").rows.count
    #expect(before > 0)
    let run = try home.runPlain(
      "plugin", "bisect", "--json", "--", "exec", "molecules delete 1 --yes; molecules info nothing-like-it")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try home.runPlain("molecules", "list", "--json").rows.count == before)
  }

  @Test func `profile measures loading, activation, commands and screens`() throws {
    let home = try PluginHome(withPlugin: false)
    let run = try home.runPlain("plugin", "profile", "molecules", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let phases = Set(run.rows.map { text($0, "phase") })
    #expect(phases == ["load", "activate", "command", "screen"])
    for row in run.rows where text(row, "name") == "" || text(row, "name") == "list" {
      let milliseconds = try #require(row["milliseconds"] as? Double)
      let mebibytes = try #require(row["mebibytes"] as? Double)
      #expect(milliseconds >= 0 && mebibytes > 1)
      #expect(row["problem"] is NSNull)
    }
    let names = run.rows.map { text($0, "name") }
    #expect(names.contains("list") && !names.contains("fetch") && !names.contains("info"))
  }

  /// A program that keeps 64 MiB during its command.
  private static let filling = #"""
    import json, sys
    for line in sys.stdin:
        request = json.loads(line)
        number, method = request["id"], request["method"]
        if method == "call":
            held = bytearray(b"x" * (64 << 20))
            emitted = {"jsonrpc": "2.0", "method": "emit", "params": {"id": number, "value": len(held)}}
            print(json.dumps(emitted), flush=True)
        result = {"protocol": 1} if method == "hello" else None
        print(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}), flush=True)
    """#

  private static let fillingManifest = #"""
    {"protocol": 1, "run": ["python3", "main.py"],
     "plugin": {"id": "filling", "name": "Filling", "version": "1.0.0", "summary": "Needs memory"},
     "commands": [{"name": "fill", "summary": "Fill memory", "arguments": [], "options": [], "effects": [],
       "output": {"schema": {"is": "any"}, "type": null, "stream": false}}]}
    """#

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/python3"), "there is no python3"))
  func `profile includes the memory of a plugin's program, which is not loaded`() throws {
    let home = try PluginHome(withPlugin: false)
    try home.folder.write(Array(Self.fillingManifest.utf8), "plugins/filling/plugin.json")
    try home.folder.write(Array(Self.filling.utf8), "plugins/filling/main.py")
    let run = try home.run("plugin", "profile", "filling", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let rows = run.rows
    #expect(rows.compactMap { $0["phase"] as? String } == ["activate", "command"])
    #expect(rows.allSatisfy { $0["problem"] is NSNull }, "\(run.output)")
    let memory = rows.compactMap { $0["mebibytes"] as? Double }
    try #require(memory.count == 2)
    #expect(memory[1] > memory[0] + 64)
  }

  @Test func `profile reports why a plugin cannot be activated`() throws {
    let home = try PluginHome()
    for (wish, problem) in [("throw-in-activate", "not today"), ("trap-in-activate", "SIGILL")] {
      let run = try home.run("plugin", "profile", "misbehaving", "--json", wish: wish)
      let last = try #require(run.rows.last)
      let shown = text(last, "problem")
      #expect(shown.contains(problem), "\(run.output)")
      let phases = run.rows.map { text($0, "phase") }
      #expect(Set(phases).isSubset(of: ["load", "activate"]))
    }
    #expect(try home.run("plugin", "profile", "nothing", "--json").errorCode == "host.unknown-plugin")
  }

  @Test func `plugin doctor checks only plugins`() throws {
    let home = try PluginHome()
    let all = try home.run("plugin", "doctor", "--json", wish: "throw-in-activate")
    #expect(all.status == 1 && all.errorCode == "host.doctor-found-errors")
    let areas = Set(all.rows.map { text($0, "area") })
    #expect(areas.isSubset(of: ["plugins", "checks"]))
    let failed = all.rows.filter { text($0, "status") == "error" }.map { text($0, "name") }
    #expect(failed == ["misbehaving"])
    let one = try home.run("plugin", "doctor", "molecules", "--json", wish: "throw-in-activate")
    #expect(one.status == 0, "\(one.errors)")
    let names = one.rows.map { text($0, "name") }
    #expect(!names.isEmpty && names.allSatisfy { $0.hasPrefix("molecules") })
  }
}
