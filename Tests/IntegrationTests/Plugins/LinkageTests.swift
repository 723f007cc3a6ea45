import Foundation
import TestSupport
import Testing

/// Host, plugins and kit share one contract.
struct LinkageTests {
  private func needed(_ file: URL) throws -> [String] {
    let outcome = try BuiltProgram.run(URL(fileURLWithPath: "/usr/bin/env"), ["readelf", "-dW", file.path])
    return outcome.output.split(separator: "\n").filter { $0.contains("(NEEDED)") }.compactMap {
      $0.split(separator: "[").last.map { String($0.dropLast()) }
    }
  }

  @Test(arguments: [
    "workbench", "libMolecules.so", "libOpenBIS.so", "libPluginStore.so", "libPluginCompression.so",
    "libPluginImages.so", "libPluginJSON.so", "libPluginNet.so", "libPluginPostgres.so", "libPluginServer.so",
    "libPluginSimulation.so", "libPluginVault.so", "libPluginXML.so",
  ])
  func `all plugins and programs need the same contract library`(name: String) throws {
    let needed = try needed(BuiltProgram.folder.appendingPathComponent(name))
    #expect(needed.filter { $0 == "libPluginAPI.so" }.count == 1)
  }

  @Test(arguments: [
    ("libPluginJSON.so", "libyajl"), ("libPluginNet.so", "libcurl"), ("libPluginPostgres.so", "libpq"),
    ("libPluginServer.so", "libmicrohttpd"), ("libPluginStore.so", "libsqlite3"), ("libPluginVault.so", "libsodium"),
    ("libPluginXML.so", "libxml2"), ("workbench", "libcurl"), ("workbench", "libsodium"), ("workbench", "libz."),
  ])
  func `heavy libraries are opened on use, not linked`(name: String, heavy: String) throws {
    let needed = try needed(BuiltProgram.folder.appendingPathComponent(name))
    #expect(needed.filter { $0.hasPrefix(heavy) } == [])
  }

  @Test func `the fixture needs the contract and no library by path`() throws {
    let home = try PluginHome()
    let needed = try needed(home.plugins.appendingPathComponent("libMisbehaving.so"))
    #expect(needed.contains("libPluginAPI.so"))
    #expect(!needed.contains { $0.contains("/") })
  }

  @Test func `the contract is loaded once per process, and casts cross the boundary`() throws {
    // Every plugin enters the program by the cast of its box: a plugin that responds has passed it.
    let outcome = try PluginHome().run("plugin", "probe", "misbehaving", "--json")
    #expect(outcome.status == 0)
    #expect((outcome.record["commands"] as? [String])?.first == "greet")
    #expect(try PluginHome().run("misbehaving", "report").status == 5)
  }
}
