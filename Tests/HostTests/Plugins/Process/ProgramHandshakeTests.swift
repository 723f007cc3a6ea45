import PluginAPI
import Testing

@testable import Host

/// Programs know the version of the protocol, and no revision of the contract.
struct ProgramHandshakeTests {
  /// Hosts built on other contracts than this one.
  private static let contracts = [
    ContractStamp(revision: 5, oldest: 5, compiler: "another compiler"),
    ContractStamp(revision: 6, oldest: 5, compiler: "a later compiler"),
    ContractStamp(revision: 99, oldest: 99, compiler: ""),
  ]

  @Test func `hello names the protocol and its features, and no contract`() {
    let folders = PluginFolders(resources: "/r", data: "/d", state: "/s", cache: "/c")
    let hello = ProgramSession.hello("tides", isOffline: false, folders)
    #expect(
      hello.record?.fields.map(\.name) == ["protocol", "features", "host", "plugin", "offline", "folders"])
    #expect(hello["protocol"] == .integer(ProgramManifest.protocolVersion))
  }

  @Test func `a manifest has no place for a contract, and needs none`() throws {
    let text = ScriptedProgram.manifest(with: #", "contract": 99, "contractRevision": 1, "compiler": "x""#)
    let manifest = try ProgramManifest(Array(text.utf8), path: "/p/plugin.json")
    #expect(manifest == (try ProgramManifest(Array(ScriptedProgram.manifest().utf8), path: "/p/plugin.json")))
    #expect(manifest.stamp.revision == 0 && manifest.stamp.compiler == "")
  }

  @Test(arguments: contracts) func `a package of a program fits hosts of every contract`(contract: ContractStamp) throws
  {
    func artifact(_ fields: String) throws -> PackageIndex.Artifact {
      let package = #"{"url": "a", "sha256": "\#(String(repeating: "a", count: 64))", "size": 1\#(fields)}"#
      let plugin = #"{"id": "tides", "version": "1.0.0", "artifacts": [\#(package)]}"#
      let index = try PackageIndex(
        Array(#"{"format": 1, "name": "lab", "serial": 1, "plugins": [\#(plugin)]}"#.utf8))
      return try #require(index.releases.first?.artifacts.first)
    }
    #expect(try artifact("").objection(contract, plugin: "tides") == nil)
    let library = try artifact(#", "contractRevision": 5, "compiler": "c""#)
    #expect(library.objection(contract, plugin: "tides") != nil)
    #expect(library.objection(ContractStamp(revision: 6, oldest: 5, compiler: "c"), plugin: "tides") == nil)
  }
}
