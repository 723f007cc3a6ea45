import FoundationEssentials
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import OpenBIS

@Suite struct ConformanceTests {
  @Test func `The plugin conforms to the contract`() async {
    let resources = Checkout.root.path + "/Plugins/OpenBIS/Resources"
    let found = await PluginConformance.check(OpenBISPlugin(), resources: resources)
    // As in Molecules: '--output' belongs to the host for pictures, and to commands that write other files.
    let expected = [
      "command 'export' has option '--output', which is the host's own",
      "command 'download' has option '--output', which is the host's own",
    ]
    let bad = found.filter { $0.severity != .note && $0.severity != .debug && !expected.contains($0.message) }
    #expect(bad == [])
  }

  @Test func `default values of settings are integers or null`() {
    let settings = OpenBISPlugin().contributions.settings
    #expect(settings.map(\.defaultValue) == [.null, 15, 7, 15, 256, .null])
  }

  @Test func `Every error code in a source file is declared by the plugin`() throws {
    let codes = OpenBISPlugin().contributions.errorCodes.map(\.code)
    let declared = Set(codes)
    #expect(declared.count == codes.count, "no code is declared twice")
    let plugin = Checkout.root.path + "/Plugins/OpenBIS"
    let files = try FileManager.default.subpathsOfDirectory(atPath: plugin).filter { $0.hasSuffix(".swift") }
    #expect(files.count > 100)
    for file in files {
      let text = String(
        decoding: try #require(FileManager.default.contents(atPath: plugin + "/" + file)), as: UTF8.self)
      for rest in text.split(separator: "code: \"openbis.").dropFirst() {
        let code = "openbis." + rest.prefix { $0 != "\"" }
        // The prefix of a code that is assembled.
        if code.hasSuffix(".") || code.hasSuffix("-") { continue }
        #expect(declared.contains(code), "\(file) names \(code)")
      }
    }
  }
}
