import PluginAPI
import PluginTesting
import Testing

@testable import OpenBIS

@MainActor @Suite struct BrowserControllerTests {
  let plugin = ScreensPlugin()
  let test: TestPlugin

  init() async throws {
    test = try await TestPlugin(plugin, isOffline: false)
    try await SmallLab.fill(plugin.cache)
  }

  private func browser(_ arguments: Record = Record(), width: Int = 60) async throws -> ScreenDriver {
    let screen = try test.screen("browser", arguments, size: Size(width: width, height: 12))
    await screen.settle()
    return screen
  }

  private func changed(_ screen: ScreenDriver) async {
    test.context.notify("cache-changed", .text("lab"))
    test.context.loop.drain()
    test.context.loop.advance(by: 0.2)
    await screen.settle()
  }

  // MARK: Lists

  @Test func `the first screen shows the navigation of the server, and a refresh runs if it is due`() async throws {
    let screen = try await browser()
    #expect(screen.text.contains(" Navigation\n▌ Pëople"))
    #expect(screen.controller.title == "anna@lab")
    await screen.settle()
    #expect(plugin.calls == [.init(name: "sync", arguments: ["if-due": true, "account": "lab"])])
  }

  @Test func `opening an entity shows cached data at once, and requests its list and details`() async throws {
    let screen = try await browser()
    await screen.settle()
    _ = plugin.newCalls()
    plugin.answer("drill") { _ in
      await MainActor.run {
        #expect(screen.text.hasPrefix("▌ Plates"))
        #expect(screen.text.contains(" plate\n  Plate 1"))
        #expect(screen.text.contains("Plate 1   384 wells"))
      }
      return []
    }
    screen.press("down", "enter")
    #expect(screen.controller.title == "anna@lab › Plates")
    #expect(plugin.newCalls().isEmpty)
    await screen.settle()
    #expect(plugin.newCalls() == ["drill PLATES"])
    plugin.answer("drill") { _ in [] }
    screen.press("down", "enter")
    await screen.settle()
    #expect(plugin.newCalls() == ["drill P1", "detail P1"])
  }

  @Test func `sections are ordered from the last category to the first, and names by their numbers`() async throws {
    let screen = try await browser(["perm-id": "P1"])
    #expect(screen.controller.title == "anna@lab › Plate 1")
    let lines = screen.text.split(separator: "\n").map { $0.drop { $0 == " " || $0 == "▌" } }
    let order = ["Plate 1 ", "zell", "Well 10", "well", "Well 1 ", "Well 2 ", "(not loaded) X7"]
    #expect(lines.count == order.count)
    #expect(zip(lines, order).allSatisfy { ($0 + " ").hasPrefix($1) }, "\(lines)")
  }

  @Test func `back returns to the parent list with the previous selection`() async throws {
    let screen = try await browser()
    screen.press("down", "enter", "down", "enter")
    await screen.settle()
    #expect(screen.controller.title == "anna@lab › Plates › Plate 1")
    screen.press("escape")
    await screen.settle()
    #expect(screen.controller.title == "anna@lab › Plates")
    #expect(screen.text.contains("▌ Plate 1"))
    screen.press("left")
    await screen.settle()
    #expect(screen.text.contains("▌ Plates"))
    screen.press("escape")
    await screen.settle()
    #expect(screen.unhandled.last == .key(Key(.escape)))
  }

  @Test func `the row of the list's own entity shows its details`() async throws {
    let screen = try await browser(["perm-id": "P1"])
    screen.press("home", "enter")
    await screen.settle()
    #expect(screen.controller.title == "anna@lab › Plate 1")
    #expect(screen.pushed.last?.screen == "detail")
    #expect(screen.pushed.last?.arguments["perm-id"] == "P1")
  }

  @Test func `case 32: a cycle can be browsed endlessly`() async throws {
    let screen = try await browser(["perm-id": "P1"])
    for _ in 0..<60 {
      // P1 lists W2, and W2 lists P1.
      for _ in 0..<12 where !screen.text.contains("▌ Well 2") { screen.press("down") }
      screen.press("enter", "down", "enter")
      await screen.settle()
    }
    #expect(screen.controller.title.hasSuffix("Plate 1 › Well 2 › Plate 1"))
    #expect(screen.text.contains("Well 10"))
  }

  @Test func `case 31: a child that was never loaded is listed by its id, and its parent's list is requested`()
    async throws
  {
    let screen = try await browser(["perm-id": "P1"])
    await screen.settle()
    _ = plugin.newCalls()
    #expect(screen.text.contains("(not loaded) X7"))
    screen.press("end", "enter")
    await screen.settle()
    #expect(plugin.newCalls() == ["drill P1", "detail X7"])
    #expect(screen.controller.title == "anna@lab › Plate 1")
  }

  // MARK: Following the store

  @Test func `lists are updated by responses, and the selection stays`() async throws {
    let screen = try await browser()
    let cache = plugin.cache
    plugin.answer("drill") { _ in
      await MainActor.run { #expect(screen.text.contains("▌ Plate 2")) }
      try await cache.take(
        [EntityRow("A0", "A new plate", category: "plate"), EntityRow("P1", "Plate 1 renamed")], .drill(of: "PLATES"))
      try await cache.take(
        [EntityRow("PLATES", "Plates", category: "Navigation", children: ["P1", "P2", "A0"])], .roots(of: nil))
      return []
    }
    screen.press("down", "enter", "down", "down")
    await screen.settle()
    await changed(screen)
    #expect(screen.text.contains("A new plate"))
    #expect(screen.text.contains("Plate 1 renamed"))
    #expect(screen.text.contains("▌ Plate 2"))
  }

  @Test func `case 43: a shown entity that is deleted is replaced by its nearest existing ancestor`() async throws {
    let screen = try await browser()
    screen.press("down", "enter", "down", "down", "enter", "down", "enter")
    await screen.settle()
    #expect(screen.controller.title == "anna@lab › Plates › Plate 2 › Plate 1")
    var plate1 = EntityRow("P1")
    plate1.isDeleted = true
    var plate2 = EntityRow("P2")
    plate2.isDeleted = true
    try await plugin.cache.take([plate1, plate2], .roots(of: nil))
    await changed(screen)
    #expect(screen.controller.title == "anna@lab › Plates")
    let notices = screen.requests.compactMap { if case .status(let notice) = $0 { notice } else { nil } }
    #expect(notices.last?.code == "openbis.entity-deleted")
    #expect(notices.last?.message.contains("showing 'Plates'") == true)
  }

  @Test func `only the visible part of a list of 100 000 is read`() async throws {
    let children = (0..<100_000).map { "C\($0)" }
    try await plugin.cache.take([EntityRow("BIG", "Big", category: "plate", children: children)])
    try await plugin.cache.take(children.map { EntityRow($0, "Child \($0)", category: "well") })
    let screen = try await browser(["perm-id": "BIG"])
    #expect(screen.text.contains("Child C1"))
    screen.press("end")
    await screen.settle()
    #expect(screen.text.contains("▌ Child C99999"))
    screen.press("page-up", "page-up")
    await screen.settle()
    #expect(screen.text.contains("Child C9998"))
    #expect(screen.controller.status.map(\.text).last?.hasSuffix("of 100000") == true)
  }

  // MARK: Filter

  @Test func `the filter finds parts of words regardless of case and accents`() async throws {
    let screen = try await browser()
    screen.press("/")
    screen.type("EOP")
    await screen.settle()
    #expect(screen.controller.wantsText)
    #expect(screen.text.contains("▌ Pëople"))
    #expect(!screen.text.contains("Plates"))
    screen.press("escape")
    await screen.settle()
    #expect(screen.text.contains("Plates"))
  }

  @Test func `the filter of a list looks only below its entity`() async throws {
    while try await plugin.cache.indexSome() {}
    let screen = try await browser(["perm-id": "P1"])
    screen.press("/")
    screen.type("ell 1")
    await screen.settle()
    #expect(screen.text.contains("Well 10") && screen.text.contains("Well 1"))
    #expect(!screen.text.contains("Well 2"))
    screen.type("zzz")
    await screen.settle()
    #expect(screen.text.contains("no entity matches 'ell 1zzz'"))
  }

  // MARK: Servers and the network

  @Test func `without a server the screen says what to do`() async throws {
    plugin.failOpening(ErrorReport(code: "openbis.not-logged-in", kind: .notFound, "no server is known yet"))
    let screen = try await browser()
    #expect(screen.text.contains("no server is known yet"))
    #expect(screen.text.contains("press S for servers and users"))
    plugin.failOpening(nil)
    screen.receive(.returned(screen: "servers", ["changed": true]))
    await screen.settle()
    #expect(screen.text.contains("Plates"))
  }

  @Test func `a new account chosen above the details is shown and starts online`() async throws {
    let screen = try await browser()
    let plugin = plugin
    plugin.answer("sync") { _ in
      plugin.setReachable(false)
      throw ErrorReport(code: "net.refused", kind: .network, "'lab' refuses")
    }
    screen.press("down", "enter", "r")
    await screen.settle()
    #expect(screen.controller.status.first?.text == "offline · o to go online")
    plugin.setReachable(true)
    plugin.answer("sync") { _ in [] }
    _ = (plugin.newCalls(), plugin.newRefreshes())
    screen.receive(.returned(screen: "detail", ["changed": true]))
    await screen.settle()
    #expect(screen.controller.title == "anna@lab")
    #expect(screen.controller.status.first?.text.contains("offline") != true)
    await screen.settle()
    #expect(plugin.newRefreshes() == 1)
    // The server that was unreachable is not asked again for this one.
    screen.advance(by: 20)
    await screen.settle()
    #expect(plugin.newRefreshes() == 0)
  }

  @Test func `a refresh of the previous account does not delay the next`() async throws {
    let screen = try test.screen("browser", size: Size(width: 60, height: 12))
    let plugin = plugin
    plugin.answer("sync") { _ in
      await MainActor.run {
        if plugin.calls.count == 1 {
          screen.receive(.progress("sync", Progress("roots of Plates", fraction: 0.25)))
          screen.receive(.returned(screen: "servers", ["changed": true]))
        } else {
          #expect(screen.controller.status.first?.text == "refreshing …")
        }
      }
      return []
    }
    await screen.settle()
    #expect(plugin.calls.count == 2)
    #expect(screen.controller.status.first?.text == "1 of 2")
  }

  @Test func `the screen goes offline when the details find the server unreachable`() async throws {
    let screen = try await browser()
    await screen.settle()
    plugin.setReachable(false)
    #expect(screen.controller.status.first?.text == "offline · o to go online")
    _ = plugin.newRefreshes()
    screen.press("o")
    await screen.settle()
    #expect(plugin.newRefreshes() == 1)
  }

  @Test func `a list is requested once the details reach the server again`() async throws {
    let screen = try await browser()
    screen.press("down", "enter")
    plugin.setReachable(false)
    await screen.settle()
    screen.press("r")
    await screen.settle()
    #expect(screen.controller.status.first?.text == "offline · o to go online")
    _ = plugin.newCalls()
    await changed(screen)
    await screen.settle()
    #expect(plugin.newCalls().isEmpty)
    plugin.setReachable(true)
    await changed(screen)
    await screen.settle()
    #expect(plugin.newCalls() == ["drill PLATES"])
    #expect(screen.controller.status.first?.text.contains("offline") == false)
  }

  @Test func `an unreachable server makes the screen offline until the user goes online`() async throws {
    let screen = try await browser()
    let plugin = plugin
    plugin.answer("sync") { _ in
      plugin.setReachable(false)
      throw ErrorReport(code: "net.refused", kind: .network, "'lab' refuses")
    }
    screen.press("r")
    await screen.settle()
    #expect(screen.controller.status.first?.text == "offline · o to go online")
    _ = plugin.newCalls()
    screen.press("down", "enter")
    await screen.settle()
    #expect(plugin.newCalls().isEmpty)
    #expect(screen.text.contains("Plate 1"))
    plugin.answer("sync") { _ in [] }
    plugin.setReachable(true)
    screen.press("o")
    await screen.settle()
    #expect(plugin.newCalls() == ["drill PLATES"])
    #expect(screen.controller.status.first?.text.contains("offline") == false)
  }

  @Test func `case 50: an unreachable server is retried automatically at growing intervals`() async throws {
    let screen = try await browser()
    let plugin = plugin
    plugin.answer("sync") { _ in
      plugin.setReachable(false)
      throw ErrorReport(code: "net.refused", kind: .network, "'lab' refuses")
    }
    screen.press("down", "enter", "r")
    await screen.settle()
    #expect(screen.controller.status.first?.text == "offline · o to go online")
    let told = screen.requests.count
    _ = (plugin.newCalls(), plugin.newRefreshes())
    for wait in [15.0, 30, 60, 120, 300, 300] {
      screen.advance(by: wait - 1)
      await screen.settle()
      #expect(plugin.newRefreshes() == 0, "before \(wait) s")
      screen.advance(by: 1.5)
      await screen.settle()
      #expect(plugin.newRefreshes() == 1, "after \(wait) s")
    }
    // A user of the cache is not notified each time.
    #expect(!screen.requests.dropFirst(told).contains { if case .status = $0 { true } else { false } })
    plugin.answer("sync") { _ in
      plugin.setReachable(true)
      return []
    }
    screen.advance(by: 301)
    await screen.settle()
    #expect(plugin.newCalls().last == "drill PLATES")
    #expect(screen.controller.status.first?.text.contains("offline") != true)
    let notices = screen.requests.compactMap { if case .status(let notice) = $0 { notice } else { nil } }
    #expect(notices.last?.code == "openbis.online")
  }

  @Test func `an error of the server is shown, and does not make the screen offline`() async throws {
    plugin.answer("sync") { _ in throw ErrorReport(code: "openbis.remote", kind: .network, "the service fails") }
    let screen = try await browser()
    await screen.settle()
    let notices = screen.requests.compactMap { if case .status(let notice) = $0 { notice } else { nil } }
    #expect(notices.last?.message == "the service fails")
    #expect(screen.controller.status.allSatisfy { !$0.text.contains("offline") })
  }

  @Test func `a command that returned only cached data makes the screen offline`() async throws {
    let screen = try await browser()
    plugin.setReachable(false)
    screen.press("down", "enter")
    await screen.settle()
    #expect(screen.controller.status.first?.text == "offline · o to go online")
  }

  @Test func `a refresh shows its progress, and another one starts only after it`() async throws {
    let screen = try test.screen("browser", size: Size(width: 60, height: 12))
    let plugin = plugin
    plugin.answer("sync") { _ in
      await MainActor.run {
        guard plugin.calls.count == 1 else { return }
        screen.receive(.progress("sync", Progress("roots of Plates", fraction: 0.25)))
        #expect(screen.controller.status.first?.text == "roots of Plates 25 %")
        screen.press("r", "R")
      }
      return []
    }
    await screen.settle()
    #expect(plugin.calls.count == 1)
    screen.press("R")
    await screen.settle()
    #expect(plugin.calls.last == .init(name: "sync", arguments: ["full": true, "account": "lab"]))
    screen.advance(by: 61)
    await screen.settle()
    #expect(plugin.calls.last == .init(name: "sync", arguments: ["if-due": true, "account": "lab"]))
  }

  @Test func `offline mode sends no request`() async throws {
    let test = try await TestPlugin(plugin, isOffline: true)
    let screen = try test.screen("browser", size: Size(width: 60, height: 12))
    await screen.settle()
    screen.press("r", "down", "enter")
    await screen.settle()
    #expect(plugin.calls.isEmpty)
    #expect(screen.controller.status.first?.text == "offline · o to go online")
  }

  // MARK: Other screens

  @Test func `details are shown beside the list where they fit, and follow the selection after a pause`() async throws {
    let screen = try await browser(width: 120)
    screen.press("down")
    screen.advance(by: 0.2)
    #expect(screen.pushed.last == ScreenRequest("detail", arguments: ["perm-id": "PLATES", "account": "lab"]))
    let count = screen.pushed.count
    screen.press("up", "down")
    screen.advance(by: 0.2)
    #expect(screen.pushed.count == count)
    screen.press("enter")
    await screen.settle()
    #expect(screen.pushed.last?.arguments["perm-id"] == "PLATES")
  }

  @Test func `where details do not fit, they open on request`() async throws {
    let screen = try await browser()
    screen.press("down")
    screen.advance(by: 1)
    #expect(screen.pushed.isEmpty)
    screen.press("d")
    await screen.settle()
    #expect(screen.pushed.last?.screen == "detail")
  }

  @Test func `an entity found on another screen is opened below the current one`() async throws {
    let screen = try await browser()
    screen.press("s")
    await screen.settle()
    #expect(screen.pushed.last?.screen == "search")
    let search: Record = ["text": "plate", "selected": "P1"]
    screen.receive(.returned(screen: "search", ["open": "P1", "search": .record(search)]))
    await screen.settle()
    #expect(screen.controller.title == "anna@lab › Plate 1")
    screen.press("escape")
    await screen.settle()
    #expect(screen.controller.title == "anna@lab")
    #expect(screen.pushed.last == ScreenRequest("search", arguments: search))
    screen.receive(.returned(screen: "search", ["open": "P1", "search": .record(search)]))
    await screen.settle()
    let count = screen.pushed.count
    screen.press("^")
    await screen.settle()
    #expect(screen.controller.title == "anna@lab" && screen.pushed.count == count)
    screen.receive(.returned(screen: "tree", ["open": "W1"]))
    await screen.settle()
    #expect(screen.pushed.last?.arguments["perm-id"] == "W1")
    screen.receive(.returned(screen: "tree", ["open": "nowhere"]))
    await screen.settle()
    let notices = screen.requests.compactMap { if case .status(let notice) = $0 { notice } else { nil } }
    #expect(notices.last?.message == "'nowhere' is not in the cache")
  }

  @Test func `details that follow the selection do not replace a screen above the list`() async throws {
    let screen = try await browser(width: 120)
    screen.press("down")
    screen.send(.visible(false))
    screen.advance(by: 0.2)
    #expect(screen.pushed.isEmpty)
  }

  @Test func `members of a category without children are listed, counted without its own row`() async throws {
    var category = EntityRow("TYPE_04", "Type 04", category: "Navigation")
    category.isRootLevel = true
    try await plugin.cache.take([category], .navigation)
    let members = (0..<3).map { number in
      var row = EntityRow("M\(number)", "Member \(number)", category: "Type 04")
      row.isRootLevel = true
      return row
    }
    try await plugin.cache.take(members, .roots(of: nil))
    let screen = try await browser()
    screen.press("end", "up", "up", "up", "enter")
    await screen.settle()
    #expect(screen.controller.title == "anna@lab › Type 04", "\(screen.text)")
    #expect(screen.text.contains("Member 2"))
    #expect(screen.controller.status.last?.text == "3 listed")
    screen.press("down")
    await screen.settle()
    #expect(screen.controller.status.last?.text == "1 of 3")
  }

  // MARK: Typing ahead

  @Test func `keys pressed before the rows are loaded take effect in order afterwards`() async throws {
    let controller = try plugin.makeController(ScreenRequest("browser"), test.context)
    let size = Size(width: 60, height: 12)
    var waiting = (controller.handle(.resize(ScreenGeometry(size: size))) ?? []) + controller.start()
    #expect(controller.handle(.key(Key(.escape))) == nil)
    for key in [Key(.down), Key(.enter), Key(.down)] { waiting += try #require(controller.handle(.key(key))) }
    waiting += controller.perform(ActionInvocation("details"))
    let details = try await controller.runLoads(waiting).compactMap { effect -> ScreenRequest? in
      if case .detail(let request) = effect { request } else { nil }
    }
    #expect(controller.title == "anna@lab › Plates")
    #expect(details.map { $0.arguments["perm-id"] } == ["P1"])
  }

  @Test func `keys pressed ahead are dropped by escape and if nothing can be opened`() async throws {
    let controller = try plugin.makeController(ScreenRequest("browser"), test.context)
    _ = controller.handle(.resize(ScreenGeometry(size: Size(width: 60, height: 12))))
    guard case .load(let opening)? = controller.start().first else {
      Issue.record("nothing is opened")
      return
    }
    _ = controller.handle(.key(Key(.enter)))
    #expect(controller.handle(.key(Key(.escape))) == nil)
    _ = controller.handle(.key(Key(.enter)))
    let failed = try #require(opening.failed?(.failed(ErrorReport(code: "x", kind: .network, "it fails"))))
    _ = controller.complete(failed)
    #expect(controller.receive(.returned(screen: "servers", ["changed": true])).count > 1)
    #expect(controller.perform(ActionInvocation("search")).count == 1)
  }

  // MARK: Leaving

  @Test func `an export asks for its format and its file`() async throws {
    let screen = try await browser()
    screen.press("down", "e")
    screen.answer("html")
    screen.answer("plates.html")
    await screen.settle()
    #expect(
      plugin.calls.last
        == .init(
          name: "export", arguments: ["perm-id": "PLATES", "format": "html", "output": "plates.html", "account": "lab"])
    )
  }

  @Test func `the path to the current list is saved for the next start`() async throws {
    let screen = try await browser()
    screen.press("down", "enter", "down", "enter")
    await screen.settle()
    let state = screen.controller.saveState()
    let context = test.context
    let controller = try plugin.makeController(ScreenRequest("browser"), context)
    controller.restore(state)
    controller.restore([0xFF])
    #expect(controller.saveState() == PackedTexts().encoded)
    #expect(PackedTexts(encoded: state) == ["PLATES", "P1"])
  }
}
