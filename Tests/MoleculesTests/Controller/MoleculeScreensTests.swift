import PluginAPI
import PluginTesting
import Testing

@testable import Molecules

struct MoleculeScreensTests {
  @Test func `a key has the same function on every screen`() {
    let found = PluginConformance.checkKeys(
      of: MoleculesPlugin(),
      except: [
        "enter": "the main thing of each screen",
        "left": "turns in the viewer, goes back in a page: arrows move in what is shown",
        "d": "what is known of the molecule: its details, and what its page says before it is downloaded",
      ])
    #expect(found.map(\.message) == [])
  }
}
