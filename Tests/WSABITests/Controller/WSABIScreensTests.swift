import PluginAPI
import PluginTesting
import Testing

@testable import WSABI

struct WSABIScreensTests {
  @Test func `a key means the same on every screen`() {
    let found = PluginConformance.checkKeys(
      of: WSABIPlugin(),
      except: [
        "enter": "the main thing of each screen",
        "x": "removes what is selected",
        "delete": "removes what is selected",
        "ctrl-s": "keeps what was typed and closes",
        "e": "edits what is selected: a person or a field of theirs",
        "h": "moves to the left: to an item, or a picture",
        "l": "moves to the right: to an item, or a picture",
        "left": "moves to the left: to an item or a step, or a picture",
        "right": "moves to the right: to an item, or a picture",
        "n": "the next ones: pictures or entries",
        "r": "brings up to date what is shown",
        "tab": "the other side of a card, the other log, the other line",
      ])
    #expect(found.map(\.message) == [])
  }
}
