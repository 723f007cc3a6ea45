import Foundation
import TestSupport
import Testing

/// Packages of plugins, with the program itself.
struct PluginPackageTests {
  /// Packs a plugin 'tides' that is a program and prints its version, and returns the package.
  private func package(_ version: String, _ home: PluginHome) throws -> String {
    let manifest = #"""
      {"protocol": 1, "features": ["emit"], "run": ["sh", "main.sh"],
       "plugin": {"id": "tides", "name": "Tides", "version": "\#(version)", "summary": "Shows tides"},
       "commands": [{"name": "version", "summary": "Print the version", "arguments": [], "options": [], "effects": [],
         "output": {"schema": {"is": "text"}, "type": null, "stream": false}}]}
      """#
    let script = #"""
      read -r hello
      echo '{"jsonrpc":"2.0","id":1,"result":{"protocol":1}}'
      read -r call
      echo '{"jsonrpc":"2.0","method":"emit","params":{"id":2,"value":"\#(version)"}}'
      echo '{"jsonrpc":"2.0","id":2,"result":null}'
      read -r end

      """#
    try home.folder.write(Array(manifest.utf8), "\(version)/plugin.json")
    try home.folder.write(Array(script.utf8), "\(version)/main.sh")
    try home.folder.write([UInt8](repeating: 7, count: 100_000), "\(version)/resources/data")
    let file = home.folder.url("tides-\(version).wbplugin").path
    let packed = try home.runPlain("plugin", "pack", home.folder.url(version).path, "--output", file, "--json")
    #expect(packed.status == 0 && packed.record["version"] as? String == version, "\(packed.errors)")
    return file
  }

  @Test func `a library can be packed, installed from its package and used`() throws {
    let home = try PluginHome()
    try home.folder.write(Array("tide tables".utf8), "plugins/resources/tables/tides.txt")
    let files = ["one", "two"].map { home.folder.url($0 + ".wbplugin").path }
    for file in files {
      let packed = try home.runPlain("plugin", "pack", home.plugins.path, "--output", file, "--json")
      #expect(packed.status == 0, "\(packed.errors)")
      #expect(packed.record["id"] as? String == "misbehaving" && packed.record["os"] as? String == "linux")
      let version = try home.runPlain("version", "--json").record
      #expect(packed.record["contractRevision"] as? Int == version["oldestContract"] as? Int)
      #expect(packed.record["compiler"] as? String == version["compiler"] as? String)
    }
    let bytes = try files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    #expect(bytes[0] == bytes[1])
    let installed = try home.runPlain("plugin", "install", files[0], "--allow-unsigned", "--json")
    #expect(installed.status == 0, "\(installed.errors)")
    #expect(home.names("data/plugins/misbehaving/1.0.0/resources/tables") == ["tides.txt"])
    #expect(try home.runPlain("misbehaving", "greet").output == "hello from misbehaving\n")
    let outdated = try home.runPlain("plugin", "outdated", "--host", BuiltProgram.workbench.path, "--json")
    #expect(outdated.status == 0 && outdated.rows.isEmpty)
    #expect(
      try home.runPlain("plugin", "outdated", "--host", "/bin/true", "--json").errorCode == "host.not-a-workbench")
  }

  @Test func `an upgrade killed at any moment leaves the old version or the new one`() throws {
    let home = try PluginHome(withPlugin: false)
    let packages = try ["1.0.0", "2.0.0"].map { try package($0, home) }
    #expect(try home.run("plugin", "install", packages[0], "--allow-unsigned").status == 0)
    for round in 0..<40 {
      let goal = packages[(round + 1) % 2]
      _ = try home.run(
        "plugin", "install", goal, "--allow-unsigned", "--yes", deadlineInSeconds: 0.004 * Double(round))
      let used = try home.run("tides", "version")
      #expect(used.status == 0 && ["1.0.0\n", "2.0.0\n"].contains(used.output), "\(used.errors)")
    }
    #expect(try home.run("plugin", "verify").status == 0)
    #expect(try home.run("plugin", "install", packages[1], "--allow-unsigned", "--yes").status == 0)
    #expect(try home.run("tides", "version").output == "2.0.0\n")
    #expect(home.names("data/plugins") == ["plugins.lock", "tides"])
    #expect(home.names("data/plugins/tides").count <= 2)
  }

  @Test func `'--source' installs from the source even if a folder has the same name`() throws {
    let home = try PluginHome(withPlugin: false)
    _ = try package("1.0.0", home)
    try FileManager.default.moveItem(at: home.folder.url("1.0.0"), to: home.folder.url("tides"))
    let install = #"cd "$2" && "$0" plugin install tides --allow-unsigned --yes --json"#
    let outcome = try home.runShell(install + " --source lab", home.folder.path.path)
    #expect(outcome.errorCode == "host.unknown-source", "\(outcome.errors)")
    #expect(home.names("data/plugins") == [])
    #expect(try home.runShell(install, home.folder.path.path).status == 0)
    #expect(try home.runPlain("tides", "version").output == "1.0.0\n")
  }

  @Test func `a workbench with another contract refuses libraries, and no program`() throws {
    let home = try PluginHome()
    for file in [try package("1.0.0", home), home.plugins.appendingPathComponent("libMisbehaving.so").path] {
      #expect(try home.runPlain("plugin", "install", file, "--allow-unsigned").status == 0)
    }
    let contract = try #require(try home.runPlain("version", "--json").record["contract"] as? Int)
    let hosts = [
      (contract: 99, compiler: "another compiler", problem: "99"),
      (contract: contract, compiler: "another compiler", problem: "another compiler"),
    ]
    for host in hosts {
      let script = """
        #!/bin/sh
        echo '{"version":"9.0.0","contract":\(host.contract),"oldestContract":\(host.contract),"compiler":"\(host.compiler)"}'

        """
      let next = try home.folder.write(Array(script.utf8), "next/workbench").path
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: next)
      let rows = try home.runPlain("plugin", "outdated", "--host", next, "--json").rows
      #expect(rows.map { $0["id"] as? String } == ["misbehaving"])
      #expect((rows.first?["problem"] as? String)?.contains(host.problem) == true)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root is another user's root"))
  func `the log names the user who became root`() throws {
    let home = try PluginHome(withPlugin: false)
    let outcome = try BuiltProgram.run(
      BuiltProgram.workbench, ["plugin", "install", try package("1.0.0", home), "--allow-unsigned"],
      environment: ["WORKBENCH_HOME": home.home.path, "SUDO_USER": "ada"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let log = try String(contentsOf: home.home.appendingPathComponent("state/plugins.log"), encoding: .utf8)
    #expect(log.split(separator: "\t").dropFirst().first == "root (ada)")
  }

  @Test(arguments: [("tides", "1.0.0\n"), ("y", ""), ("", "")])
  func `an unsigned plugin is installed only if its id is typed`(answer: String, output: String) throws {
    let home = try PluginHome(withPlugin: false)
    let terminal = try PseudoTerminal(
      BuiltProgram.workbench.path, ["plugin", "install", try package("1.0.0", home)], columns: 100, rows: 24,
      environment: ["WORKBENCH_HOME": home.home.path, "TERM": "xterm"])
    #expect(terminal.reads("Type 'tides' to agree: "))
    #expect(String(decoding: terminal.output, as: UTF8.self).contains("everything that you can"))
    terminal.type(answer + "\n")
    #expect(terminal.end() == (output.isEmpty ? 7 : 0))
    #expect(try home.runPlain("tides", "version").output == output)
  }
}
