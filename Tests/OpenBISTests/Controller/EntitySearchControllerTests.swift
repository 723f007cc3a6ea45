import PluginAPI
import PluginTesting
import Testing

@testable import OpenBIS

@MainActor @Suite struct EntitySearchControllerTests {
  let plugin = ScreensPlugin()
  let test: TestPlugin

  init() async throws {
    test = try await TestPlugin(plugin, isOffline: false)
    try SmallLab.fill(plugin.cache)
  }

  private func search(_ arguments: Record = ["account": "lab"]) throws -> ScreenDriver {
    try test.screen("search", arguments, size: Size(width: 70, height: 10))
  }

  private nonisolated static func value(_ id: String, _ header: String) -> Value {
    ["permId": .text(id), "category": "plate", "summaryHeader": .text(header), "summary": "", "children": .null]
  }

  @Test func `what is kept is found while one types`() throws {
    let screen = try search()
    screen.type("we")
    #expect(screen.text.contains("Well 1"))
    #expect(screen.text.contains("4 kept here"))
    screen.press("down", "enter")
    if case .pop(let value)? = screen.requests.last {
      #expect(value["open"].text?.hasPrefix("W") == true)
    } else {
      Issue.record("not opened")
    }
  }

  @Test func `the server is asked after a second, for three letters at least`() async throws {
    let screen = try search()
    screen.type("pl")
    screen.advance(by: 5)
    await screen.settle()
    #expect(plugin.newCalls().isEmpty)
    screen.type("a")
    screen.advance(by: 0.9)
    screen.type("t")
    screen.advance(by: 0.9)
    await screen.settle()
    #expect(plugin.newCalls().isEmpty)
    screen.advance(by: 0.2)
    await screen.settle()
    #expect(
      plugin.calls == [
        .init(name: "search", arguments: ["text": "plat", "remote": true, "limit": 200, "account": "lab"])
      ])
    #expect(screen.text.contains("the server found nothing"))
  }

  @Test func `what the server found stands first, in its order`() async throws {
    plugin.answer("search") { _ in
      [[Self.value("Z", "Plate Z"), Self.value("P1", "Plate 1"), Self.value("A", "Plate A")]]
    }
    let screen = try search()
    screen.type("plate")
    screen.advance(by: 1)
    await screen.settle()
    let rows = screen.text.split(separator: "\n").dropFirst(2).map { $0.dropFirst(2).prefix(7) }
    #expect(Array(rows.prefix(4)) == ["Plate Z", "Plate 1", "Plate A", "Plate 2"])
    #expect(screen.text.contains("↓ 3 found by the server"))
    #expect(!screen.requests.contains { if case .pop = $0 { true } else { false } })
  }

  @Test func `a single answer of the server is opened`() async throws {
    plugin.answer("search") { _ in [[Self.value("Z", "Plate Z")]] }
    let screen = try search()
    screen.type("plate z")
    screen.advance(by: 1)
    await screen.settle()
    if case .pop(let value)? = screen.requests.last {
      #expect(value == ["open": "Z"])
    } else {
      Issue.record("not opened")
    }
  }

  @Test func `an answer to words of before is dropped`() async throws {
    plugin.answer("search") { _ in [[Self.value("Z", "Plate Z")]] }
    let screen = try search()
    screen.type("plate")
    screen.advance(by: 1)
    screen.type("s")
    await screen.settle()
    #expect(!screen.text.contains("Plate Z"))
    #expect(screen.requests.isEmpty)
  }

  @Test func `offline only what is kept is found, and the screen says so`() async throws {
    let screen = try search(["account": "lab", "offline": true])
    screen.type("well")
    screen.advance(by: 2)
    await screen.settle()
    #expect(plugin.newCalls().isEmpty)
    #expect(screen.text.contains("offline: the server is not asked"))
    #expect(screen.text.contains("Well 10"))
  }

  @Test func `parts of words are found where no word begins so`() throws {
    while try plugin.cache.indexSomeAndWait() {}
    let screen = try search()
    screen.type("ell 1")
    #expect(screen.text.contains("Well 1"))
  }

  @Test(arguments: ["", "ab", "\"", "*", "a\"b*", "' OR 1=1", "NEAR(a b)", "שלום", "\u{1B}[31m", "%_"])
  func `case 57: any words can be searched for`(words: String) async throws {
    let screen = try search()
    screen.send(.paste(words))
    screen.send(.paste(String(repeating: "x", count: 10_000)))
    screen.advance(by: 2)
    await screen.settle()
    #expect(Harm.found(in: screen.text, allowing: ["\n"]).isEmpty)
    screen.press("escape")
    #expect(screen.text.contains("type words"))
  }
}
