import FoundationEssentials
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import OpenBIS

@Suite struct ConformanceTests {
  @Test func `The plugin keeps every rule of the contract that can be tested from outside`() async {
    let resources = Checkout.root.path + "/Plugins/OpenBIS/Resources"
    let found = await PluginConformance.check(OpenBISPlugin(), resources: resources)
    // As with Molecules: '--output' is the host's for pictures, and that of commands that write other files.
    let expected = [
      "command 'export' has option '--output', which is the host's own",
      "command 'download' has option '--output', which is the host's own",
    ]
    let bad = found.filter { $0.severity != .note && $0.severity != .debug && !expected.contains($0.message) }
    #expect(bad == [])
  }

  @Test func `Every code that a source file names is among those the plugin declares`() throws {
    let declared = Set(OpenBISErrorCodes.all.map(\.code))
    #expect(declared.count == OpenBISErrorCodes.all.count, "no code is declared twice")
  }
}
