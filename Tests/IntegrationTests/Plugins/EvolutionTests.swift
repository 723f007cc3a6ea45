import Foundation
import TestSupport
import Testing

/// A plugin built on the contract's first revision runs on a later contract.
struct EvolutionTests {
  @Test func `a first-revision plugin runs on a contract with new fields, cases and requirements`() throws {
    let folder = try TemporaryFolder()
    let contract = try EvolvedContract(in: folder)
    let plugin = try folder.write(
      try PluginFixture.swift("FirstRevision", contract: .built), "libFirstRevision.so")
    try PluginFixture.tool(
      "swiftc",
      [
        "-swift-version", "6", "-parse-as-library", "-I", folder.path.path,
        "-Xcc", "-fmodule-map-file=" + folder.url("module.modulemap").path, "-L", folder.path.path, "-lPluginAPI",
        "-Xlinker", "-rpath", "-Xlinker", folder.path.path,
        Checkout.root.appendingPathComponent("Tests/Fixtures/Plugins/EvolvedHost/EvolvedHost.swift").path,
        "-o", folder.url("host").path,
      ])
    let outcome = try BuiltProgram.run(folder.url("host"), [plugin.path])
    #expect(
      outcome.output == """
        revision \(contract.revision) a-new-field the-default
        first-revision 1.2.3 shelf first-revision.too-heavy
        weigh ["writes"] true 1.5
        true
        warn warning first-revision.light 7 add some
        progress weighing 0.5
        emit 36.0 2.0 mole /data
        error first-revision.too-heavy 5 take less

        """)
  }
}
