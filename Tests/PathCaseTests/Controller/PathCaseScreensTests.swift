import PluginAPI
import PluginTesting
import Testing

@testable import PathCase

struct PathCaseScreensTests {
  @Test func `a key means the same on every screen`() {
    let found = PluginConformance.checkKeys(
      of: PathCasePlugin(),
      except: [
        "/": "searches what is shown: pathways or nodes"
      ])
    #expect(found.map(\.message) == [])
  }
}
