import PluginAPI
import PluginTesting
import Testing

@testable import OpenBIS

@MainActor @Suite struct EntitySearchControllerTests {
  let plugin = ScreensPlugin()
  let test: TestPlugin

  init() async throws {
    test = try await TestPlugin(plugin, isOffline: false)
    try await SmallLab.fill(plugin.cache)
  }

  private func search(_ arguments: Record = ["account": "lab"]) async throws -> ScreenDriver {
    let screen = try test.screen("search", arguments, size: Size(width: 70, height: 10))
    await screen.settle()
    return screen
  }

  private nonisolated static func value(_ id: String, _ header: String) -> Value {
    ["permId": .text(id), "category": "plate", "summaryHeader": .text(header), "summary": "", "children": .null]
  }

  @Test func `cached entities are found while typing`() async throws {
    let screen = try await search()
    screen.type("we")
    await screen.settle()
    #expect(screen.text.contains("Well 1"))
    #expect(screen.text.contains("4 in the cache"))
    screen.press("down", "enter")
    #expect(screen.pushed.last?.screen == "detail")
    #expect(screen.pushed.last?.arguments["perm-id"]?.text?.hasPrefix("W") == true)
  }

  @Test func `an entity with a list is opened, and returning restores the query and its results`() async throws {
    plugin.answer("search") { _ in [[Self.value("Z", "Plate Z"), Self.value("A", "Plate A")]] }
    let screen = try await search()
    screen.type("plate")
    screen.advance(by: 1)
    await screen.settle()
    screen.press("down", "down", "enter")
    guard case .pop(let value)? = screen.requests.last else {
      Issue.record("not opened")
      return
    }
    #expect(value["open"].text == "P1")
    _ = plugin.newCalls()
    let again = try await search(try #require(value["search"].record))
    #expect(again.text == screen.text)
    again.advance(by: 5)
    await again.settle()
    #expect(plugin.newCalls().isEmpty)
    again.press("enter")
    if case .pop(let value)? = again.requests.last {
      #expect(value["open"] == "P1")
    } else {
      Issue.record("what was opened is not selected")
    }
  }

  @Test func `links in the details beside a search leave the search`() async throws {
    let screen = try await search()
    screen.type("we")
    screen.receive(.returned(screen: "detail", .null))
    #expect(!screen.requests.contains { if case .pop = $0 { true } else { false } })
    screen.receive(.returned(screen: "detail", ["open": "P2"]))
    if case .pop(let value)? = screen.requests.last {
      #expect(value["open"] == "P2" && value["search"]["text"] == "we")
    } else {
      Issue.record("not opened")
    }
  }

  @Test func `the kind of search is chosen among those of the server, and remembered`() async throws {
    let screen = try await search()
    screen.press("ctrl-t")
    #expect(screen.requests.count == 1)
    try await plugin.setSearchKinds([.init(key: "all", label: "Everything"), .init(key: "seq", label: "Sequences")])
    let other = try await search()
    other.type("gattaca")
    other.press("ctrl-t")
    guard case .question(let question)? = other.requests.last, case .choice(let request) = question.form else {
      Issue.record("nothing is asked")
      return
    }
    #expect(request.choices.map(\.id) == ["all", "seq"] && request.selected == "all")
    other.answer("seq")
    #expect(other.text.contains("search domain 'Sequences'"))
    other.advance(by: 1)
    await other.settle()
    #expect(plugin.calls.last?.arguments["domain"] == "seq")
    let third = try await search()
    third.type("gat")
    #expect(third.text.contains("search domain 'Sequences'"))
  }

  @Test func `the server is searched after a second, for at least three letters`() async throws {
    let screen = try await search()
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

  @Test func `results of the server are listed first, in its order`() async throws {
    plugin.answer("search") { _ in
      [[Self.value("Z", "Plate Z"), Self.value("P1", "Plate 1"), Self.value("A", "Plate A")]]
    }
    let screen = try await search()
    screen.type("plate")
    screen.advance(by: 1)
    await screen.settle()
    let rows = screen.text.split(separator: "\n").dropFirst(2).map { $0.dropFirst(2).prefix(7) }
    #expect(Array(rows.prefix(4)) == ["Plate Z", "Plate 1", "Plate A", "Plate 2"])
    #expect(screen.text.contains("↓ 3 found by the server"))
    #expect(!screen.requests.contains { if case .pop = $0 { true } else { false } })
  }

  @Test func `a single result of the server is opened`() async throws {
    plugin.answer("search") { _ in [[Self.value("Z", "Plate Z")]] }
    let screen = try await search()
    screen.type("plate z")
    screen.advance(by: 1)
    await screen.settle()
    #expect(screen.pushed == [ScreenRequest("detail", arguments: ["perm-id": "Z", "account": "lab"])])
  }

  @Test func `a stale response is dropped`() async throws {
    plugin.answer("search") { _ in [[Self.value("Z", "Plate Z")]] }
    let screen = try await search()
    screen.type("plate")
    screen.advance(by: 1)
    screen.type("s")
    await screen.settle()
    #expect(!screen.text.contains("Plate Z"))
    #expect(screen.requests.isEmpty)
  }

  @Test func `offline only the cache is searched, and the screen reports it`() async throws {
    plugin.setReachable(false)
    let screen = try await search()
    screen.type("well")
    screen.advance(by: 2)
    await screen.settle()
    #expect(plugin.newCalls().isEmpty)
    #expect(screen.text.contains("offline: the server was not searched"))
    #expect(screen.text.contains("Well 10"))
  }

  @Test func `parts of words are found if no word starts with the text`() async throws {
    while try await plugin.cache.indexSome() {}
    let screen = try await search()
    screen.type("ell 1")
    await screen.settle()
    #expect(screen.text.contains("Well 1"))
  }

  @Test(arguments: ["", "ab", "\"", "*", "a\"b*", "' OR 1=1", "NEAR(a b)", "שלום", "\u{1B}[31m", "%_"])
  func `case 57: any text can be searched`(words: String) async throws {
    let screen = try await search()
    screen.send(.paste(words))
    screen.send(.paste(String(repeating: "x", count: 10_000)))
    screen.advance(by: 2)
    await screen.settle()
    #expect(Harm.found(in: screen.text, allowing: ["\n"]).isEmpty)
    screen.press("escape")
    #expect(screen.text.contains("type words"))
  }
}
