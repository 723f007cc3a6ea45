import PluginAPI
import PluginTesting
import Testing

@testable import WSABI

@MainActor @Suite struct UnlockControllerTests {
  let plugin: ScreensPlugin
  let test: TestPlugin

  init() async throws {
    plugin = try ScreensPlugin()
    test = try await TestPlugin(plugin)
  }

  @Test func `the first run says that there is no store, and makes one of a passphrase typed twice`() throws {
    let screen = try test.screen("unlock", size: Size(width: 80, height: 20))
    #expect(screen.text.contains("There is no store of people and captures yet."))
    #expect(screen.text.contains("Make a store that a passphrase opens"))
    screen.press("enter")
    guard case .ask(_, let question)? = screen.requests.last else {
      Issue.record("nothing is asked")
      return
    }
    #expect(question.isSecret && question.title == "New passphrase of the store")
    screen.answer("four good plain words")
    screen.answer("four good plain words")
    #expect(screen.pushed.last?.screen == "people")
    #expect(plugin.records.exists && !plugin.records.isLocked)
    #expect(plugin.sensors.newCalls() == ["resume"])
  }

  @Test func `two passphrases that differ make nothing`() throws {
    let screen = try test.screen("unlock")
    screen.press("enter")
    screen.answer("one")
    screen.answer("another")
    #expect(screen.text.contains("The two passphrases are not the same; try again."))
    #expect(screen.pushed.isEmpty && !plugin.records.exists)
  }

  @Test func `a locked store is opened by its passphrase and by no other`() async throws {
    try await plugin.records.create(StoreFolder.passphrase, user: "anna")
    await plugin.records.lock()
    let screen = try test.screen("unlock")
    #expect(screen.text.contains("The store of people and captures is locked."))
    screen.press("enter")
    screen.answer("not this one")
    #expect(screen.pushed.isEmpty && plugin.records.isLocked)
    #expect(screen.outline.text.count == 2)
    screen.press("enter")
    screen.answer("correct horse battery staple")
    #expect(screen.pushed.last?.screen == "people" && !plugin.records.isLocked)
  }

  @Test func `a key file is made at the first run, and opens the store`() async throws {
    let path = plugin.folder.path + ".key"
    let screen = try test.screen("unlock")
    screen.press("f")
    screen.answer(path)
    #expect(screen.pushed.last?.screen == "people")
    await plugin.records.lock()
    let again = try test.screen("unlock")
    again.press("f")
    again.answer(path)
    #expect(again.pushed.last?.screen == "people" && !plugin.records.isLocked)
  }

  @Test func `every screen with records leaves when the store is locked`() async throws {
    try await plugin.records.create(StoreFolder.passphrase, user: "anna")
    let item = try await plugin.add("Ada", ["RightThumbFlat"])[0]
    let all: [(String, Record)] = [
      ("people", [:]), ("card", ["item": .integer(item.id)]), ("lightbox", ["item": .integer(item.id)]),
      ("walkthrough", ["item": .integer(item.id)]), ("biography", ["person": .integer(item.person)]), ("settings", [:]),
      ("date", ["person": .integer(item.person)]), ("log", [:]),
    ]
    let screens = try all.map { try test.screen($0, $1) }
    await plugin.records.lock()
    test.context.loop.drain()
    for screen in screens {
      #expect(screen.pushed.last?.screen == "unlock", "\(screen.controller.title)")
    }
    for (name, arguments) in all {
      #expect(try test.screen(name, arguments).pushed.last?.screen == "unlock", "\(name)")
    }
  }

  @Test func `what can be chosen is seen and clicked in every room there is`() throws {
    for (width, height) in [(60, 16), (80, 20), (40, 9), (30, 7)] {
      let screen = try test.screen("unlock", size: Size(width: width, height: height))
      let rows = screen.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let y = try #require(rows.firstIndex { $0.contains("f      Make a store") }, "\(width)×\(height)")
      screen.click(x: width / 2, y: y)
      guard case .ask(UnlockController.keyFileAsked, _)? = screen.requests.last else {
        Issue.record("nothing is asked at \(width)×\(height)")
        continue
      }
    }
  }
}
