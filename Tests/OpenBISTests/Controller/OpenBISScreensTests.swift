import PluginAPI
import PluginTesting
import Testing

@testable import OpenBIS

struct OpenBISScreensTests {
  @Test func `a key means the same on every screen`() {
    let found = PluginConformance.checkKeys(of: OpenBISPlugin())
    #expect(found.map(\.message) == [])
  }
}
