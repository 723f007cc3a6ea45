import FoundationEssentials
import PluginAPI
import PluginCompression
import PluginTesting
import TestSupport
import Testing

@testable import PathCase

/// Every input of a command may be compressed.
struct CompressedInputTests {
  private static let network = """
    {"name": "n", "pools": [{"id": "glc", "kind": "boundary"}, {"id": "pyr", "kind": "boundary"}],
     "processes": [{"id": "p", "reversible": true, "in": ["glc"], "out": ["pyr"]}]}
    """
  private static let rules = #"{"labels": ["U", "A", "C", "S"], "rules": {"R4": false}}"#
  private static let observations = "pool,label\nglc,S\n"

  private func plugin() async throws -> TestPlugin {
    try await TestPlugin(PathCasePlugin(), resources: Checkout.root.path + "/Plugins/PathCase/Resources")
  }

  @Test func `scenarios have the same result from compressed files`() async throws {
    let folder = try TemporaryFolder()
    let plugin = try await plugin()
    func result(_ ending: String, _ pack: ([UInt8]) throws -> [UInt8]) async throws -> (scenarios: Value, rules: Value)
    {
      func file(_ text: String, _ name: String) throws -> Value {
        .text(try folder.write(try pack(Array(text.utf8)), name + ending).path)
      }
      let rules = try file(Self.rules, "rules.json")
      let arguments: Record = [
        "network": try file(Self.network, "network.json"), "rules": rules,
        "observations": try file(Self.observations, "observed.csv"),
      ]
      return (
        try await plugin.run("smda", arguments).value, try await plugin.run("rules", ["rules": rules]).value
      )
    }
    let (plain, packed) = (try await result("", { $0 }), try await result(".gz", { try Gzip.compress($0) }))
    #expect(plain.scenarios["observed"].list?.count == 1 && plain == packed)
  }

  @Test func `an overlay has the same picture from a compressed file`() async throws {
    let folder = try TemporaryFolder()
    let plugin = try await plugin()
    let network = Value.text(try folder.write(try Gzip.compress(Array(Self.network.utf8)), "network.json.gz").path)
    func picture(_ bytes: [UInt8], _ name: String) async throws -> Value {
      let numbers = Value.text(try folder.write(bytes, name).path)
      let drawn = try await plugin.run("draw", ["network": network, "overlay": numbers])
      #expect(drawn.diagnostics.isEmpty, "each number has its process")
      return drawn.value
    }
    let table = Array("id,value\np,2.5\n".utf8)
    let plain = try await picture(table, "numbers.csv")
    #expect(plain.text?.contains("<svg") == true)
    #expect(try await picture(try Gzip.compress(table), "numbers.csv.gz") == plain)
  }
}
