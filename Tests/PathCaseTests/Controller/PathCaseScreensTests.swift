import PluginAPI
import PluginTesting
import Testing

@testable import PathCase

struct PathCaseScreensTests {
  @Test func `a key has the same function on every screen`() {
    let found = PluginConformance.checkKeys(
      of: PathCasePlugin(),
      except: [
        "/": "searches what is shown: pathways or nodes"
      ])
    #expect(found.map(\.message) == [])
  }

  /// Checks the keys of the scenario browser, which replaces the graph and handles its keys itself.
  @Test func `keys of the scenario browser agree with other screens, with listed exceptions`() {
    let browser = ScreenDescription("scenarios", title: "Scenarios", actions: ScenarioKey.all.map(\.action))
    let found = PluginConformance.checkKeys(
      of: PathCasePlugin().parts.screens.map(\.description) + [browser],
      except: [
        "/": "searches what is shown: pathways or nodes", "enter": "the main thing of what is shown",
        "a": "the letter of the level: available", "c": "the letter of the level: accumulated",
        "s": "the letter of the level: severely accumulated", "u": "the letter of the level: unavailable",
        "g": "goes to something: a node, a scenario",
        "x": "takes away what was set by hand: a layout, a label, a filter",
        "+": "the sign of scenarios that run forwards", "-": "the sign of scenarios that run backwards",
        "n": "the next one: node or page", "N": "the one before: node or page",
        "o": "what is laid over: an overlay, observations", "O": "what is laid over: an overlay, observations",
        "left": "to the left: the picture or the focus", "right": "to the right: the picture or the focus",
        "f": "fits the graph, and the fewest processes", "r": "makes it anew: a layout, a draw",
      ])
    #expect(found.map(\.message) == [])
  }
}
