import FoundationEssentials
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import WSABI

@Suite struct ConformanceTests {
  @Test func `the plugin passes the conformance checks of the contract`() async {
    let resources = Checkout.root.path + "/Plugins/WSABI/Resources"
    let found = await PluginConformance.check(WSABIPlugin(), resources: resources)
    // Irreversible actions are confirmed by '--yes', as for the host's own commands. '--output' names the file of
    // captured data, as it does for a picture.
    let shared = ["--yes", "--output"].map { "has option '\($0)', which is the host's own" }
    let bad = found.filter { finding in
      finding.severity != .note && finding.severity != .debug
        && !shared.contains { finding.message.hasSuffix($0) }
    }
    #expect(bad == [])
  }

  @Test func `every error code in the sources is declared`() throws {
    let codes = WSABIPlugin().contributions.errorCodes.map(\.code)
    let declared = Set(codes)
    #expect(declared.count == codes.count, "no code is declared twice")
    let plugin = Checkout.root.path + "/Plugins/WSABI"
    let files = try FileManager.default.subpathsOfDirectory(atPath: plugin).filter { $0.hasSuffix(".swift") }
    #expect(files.count > 100)
    for file in files {
      let text = String(
        decoding: try #require(FileManager.default.contents(atPath: plugin + "/" + file)), as: UTF8.self)
      for rest in text.split(separator: "code: \"wsabi.").dropFirst() {
        let code = "wsabi." + rest.prefix { $0 != "\"" }
        if code.hasSuffix(".") || code.hasSuffix("-") || code.contains("\\") { continue }
        #expect(declared.contains(code), "\(file) names \(code)")
      }
    }
  }
}
