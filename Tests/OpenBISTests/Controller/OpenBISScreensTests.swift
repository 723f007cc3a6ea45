import PluginAPI
import PluginTesting
import Testing

@testable import OpenBIS

struct OpenBISScreensTests {
  @Test func `a key has the same function on every screen`() {
    let found = PluginConformance.checkKeys(of: OpenBISPlugin())
    #expect(found.map(\.message) == [])
  }
}
