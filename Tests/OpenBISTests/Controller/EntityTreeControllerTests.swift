import PluginAPI
import PluginTesting
import Testing

@testable import OpenBIS

@MainActor @Suite struct EntityTreeControllerTests {
  let plugin = ScreensPlugin()
  let test: TestPlugin

  init() async throws {
    test = try await TestPlugin(plugin, isOffline: true)
    try await SmallLab.fill(plugin.cache)
  }

  private func tree(_ id: String, _ more: Record = Record()) async throws -> ScreenDriver {
    var arguments: Record = ["perm-id": .text(id), "account": "lab"]
    for field in more.fields { arguments[field.name] = field.value }
    let screen = try test.screen("tree", arguments, size: Size(width: 60, height: 14))
    await screen.settle()
    return screen
  }

  @Test func `case 32: descendants are shown as a tree that contains each entity once`() async throws {
    let screen = try await tree("PLATES")
    let lines = screen.text.split(separator: "\n").map { $0.dropFirst(2) }
    #expect(
      lines == [
        "Plates  [Navigation]", "├─ Plate 1  [plate]", "│  ├─ Well 10  [zell]", "│  ├─ Well 1  [well]",
        "│  ├─ Well 2  [well]", "│  │  └─ Plate 1  [plate]  ↑ above", "│  └─ (not loaded) X7", "└─ Plate 2  [plate]",
        "   └─ Plate 1  [plate]  ↑ above",
      ])
    #expect(screen.controller.status.first?.text.hasPrefix("6 entities, up to 3 levels") == true)
  }

  @Test func `levels can be added and removed, and a line opens its entity`() async throws {
    let screen = try await tree("PLATES")
    screen.press("-", "-")
    await screen.settle()
    #expect(screen.text.contains("│  └─ … 4 below"))
    screen.press("+")
    await screen.settle()
    #expect(screen.text.contains("Well 10"))
    screen.press("down", "enter")
    if case .pop(let value)? = screen.requests.last {
      #expect(value == ["open": "P1"])
    } else {
      Issue.record("not opened")
    }
    screen.press("down", "enter")
    #expect(screen.pushed == [ScreenRequest("detail", arguments: ["perm-id": "W10", "account": "lab"])])
    screen.receive(.returned(screen: "detail", ["open": "P2"]))
    if case .pop(let value)? = screen.requests.last {
      #expect(value == ["open": "P2"])
    } else {
      Issue.record("not handed on")
    }
  }

  @Test func `one entity and one level are counted in the singular`() async throws {
    let screen = try await tree("W1")
    screen.press("-", "-")
    await screen.settle()
    #expect(screen.controller.status.first?.text.hasPrefix("1 entity, 1 level ·") == true)
  }

  @Test func `parents of an entity are shown in the opposite direction`() async throws {
    let screen = try await tree("W1")
    screen.press("b")
    await screen.settle()
    #expect(screen.controller.title == "Parents")
    #expect(screen.text.contains("└─ Plate 1"))
    #expect(screen.text.contains("Plates  [Navigation]"))
  }

  @Test func `case 33: a long chain is walked in the cache to its end`() async throws {
    try await plugin.cache.take((0..<3000).map { EntityRow("N\($0)", "Link \($0)", children: ["N\($0 + 1)"]) })
    let counts = try await plugin.cache.withGraph(isUpward: false) { try EntityWalk.from("N0", $0) { _ in } }
    #expect(counts == .init(entities: 3000, notLoaded: 1, depth: 3000))
  }
}
