import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

@MainActor struct ProgramManifestTests {
  @Test func `a manifest describes the parts of its plugin`() throws {
    let manifest = try ProgramManifest(Array(ScriptedProgram.manifest().utf8), path: "/p/plugin.json")
    #expect(manifest.run == ["sh", "main.sh"])
    #expect(manifest.contributions.commands.map(\.name) == ["go"])
    #expect(manifest.contributions.settings.first?.defaultValue == "metre")
    #expect(manifest.stamp == PluginStamp(id: "scripted", version: "1.0.0", revision: 0, compiler: ""))
  }

  @Test func `a file type may declare its magic bytes`() throws {
    let text = ScriptedProgram.manifest(
      with: #", "fileTypes": [{"name": "T", "extensions": ["t"], "magic": {"$bytes": "AQI="}, "command": "go"}]"#)
    let manifest = try ProgramManifest(Array(text.utf8), path: "/p/plugin.json")
    #expect(manifest.contributions.fileTypes.first?.magic == [1, 2])
  }

  @Test func `damaged manifests are read or refused and never crash`() {
    let bytes = Array(ScriptedProgram.manifest().utf8)
    for offset in bytes.indices {
      for change: UInt8 in [1, 2, 32, 128] {
        var damaged = bytes
        damaged[offset] ^= change
        do throws(ErrorReport) {
          _ = try ProgramManifest(damaged, path: "/p/plugin.json")
        } catch {
          #expect(error.report.code == "host.plugin-bad-manifest")
        }
      }
    }
  }

  /// Returns a host that finds the plugins in a folder.
  private func host(_ folder: TemporaryFolder) throws -> PluginHost {
    var options = GlobalOptions()
    options.home = folder.url("home").path
    let path = PluginSearchPath(folders: [PluginSearchFolder(path: folder.url("plugins").path, source: .option)])
    return try HostSession(options: options, environment: [:], searchPath: path).plugins
  }

  @Test func `a manifest describes its plugin without running the program`() throws {
    let folder = try TemporaryFolder()
    let run = #"["/nowhere/at-all"]"#
    try folder.write(Array(ScriptedProgram.manifest(run: run).utf8), "plugins/scripted/plugin.json")
    // A library beside the manifest is a part of the program.
    try folder.write([1, 2, 3], "plugins/scripted/helper.so")
    for _ in 0..<2 {
      let plugins = try host(folder)
      let plugin = try #require(plugins.catalog.plugin("scripted"))
      #expect(plugin.state == .ready && plugin.source == .option && plugin.dossier?.name == "Scripted")
      #expect(plugins.catalog.plugins.count == 1)
      #expect(plugins.contributions(of: "scripted")?.commandNames == ["go"])
      let lock = PluginLock(data: plugins.folders.data)
      let table = try #require(PluginDescriptionValue.list(plugins.catalog, lock, isIsolating: false).table)
      #expect(table["isolation"]?.values[0] == "own process")
    }
  }

  @Test func `a search folder may be the plugin's own folder`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(ScriptedProgram.manifest().utf8), "plugins/plugin.json")
    #expect(try host(folder).catalog.plugin("scripted")?.state == .ready)
  }

  @Test func `an invalid manifest is listed with the reason`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array("{}".utf8), "plugins/broken/plugin.json")
    let plugin = try #require(try host(folder).catalog.plugin("broken"))
    #expect(plugin.state == .refused && plugin.error?.code == "host.plugin-bad-manifest")
  }

  @Test func `a manifest writable by others is not used`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Array(ScriptedProgram.manifest().utf8), "plugins/scripted/plugin.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
    #expect(try host(folder).catalog.plugin("scripted")?.error?.code == "host.plugin-unsafe")
  }

  @Test func `a program's commands run like those of libraries`() async throws {
    signal(SIGPIPE, SIG_IGN)
    let folder = try TemporaryFolder()
    try folder.write(Array(ScriptedProgram.manifest().utf8), "plugins/scripted/plugin.json")
    let script = #"""
      read -r line; echo '{"jsonrpc":"2.0","id":1,"result":{"protocol":1}}'
      read -r line; echo '{"jsonrpc":"2.0","method":"emit","params":{"id":2,"value":{"a":1}}}'
      echo '{"jsonrpc":"2.0","id":2,"result":null}'; read -r line
      """#
    try folder.write(Array(script.utf8), "plugins/scripted/main.sh")
    let output = CollectedOutput()
    try await CommandRunner(host: try host(folder)).run("scripted.go", from: nil, [:], output: output)
    #expect(output.values == [["a": 1]])
  }
}
