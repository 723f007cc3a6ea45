import PluginAPI
import PluginImages
import PluginTesting
import PluginVault
import Testing

@testable import WSABI

@MainActor @Suite struct PeopleControllerTests {
  let plugin: ScreensPlugin
  let test: TestPlugin

  init() async throws {
    plugin = try await ScreensPlugin.opened()
    test = try await TestPlugin(plugin)
  }

  private func people(_ width: Int = 90, _ height: Int = 24) async throws -> ScreenDriver {
    try await test.screen("people", size: Size(width: width, height: height))
  }

  private func lines(_ screen: ScreenDriver) -> [String] {
    screen.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `an empty list says how to begin`() async throws {
    #expect(try await people().text.contains("no people yet: press a to add one"))
  }

  @Test func `each person has a row, and the selected one a grid of cells`() async throws {
    try await plugin.add("Ada Lovelace", ["RightThumbFlat", "LeftIris"])
    try await plugin.add("Grace Hopper", ["Face2d"])
    let screen = try await people()
    let lines = lines(screen)
    #expect(lines[0].contains("People") && lines[0].contains("2 people"))
    #expect(lines[1].hasPrefix("▌ Ada Lovelace"))
    #expect(lines[2].contains("#1"))
    #expect(screen.text.contains("Right Thumb") && screen.text.contains("Left Iris"))
    #expect(screen.text.contains("empty"))
    let grace = try #require(lines.first { $0.contains("Grace Hopper") })
    #expect(grace.contains("○") && grace.contains("2026-"))
    #expect(!screen.text.contains("Face"))
  }

  @Test func `a template adds all its items with the most recent sensors, and selects the first`() async throws {
    try await plugin.add("Ada", ["RightThumbFlat"])
    let screen = try await people()
    await screen.press("E")
    await screen.answer("full")
    let told = screen.requests.compactMap { if case .status(let told) = $0 { told.message } else { nil } }
    #expect(told == ["no sensor is known yet for: face, iris"])
    let items = try await plugin.records.items(of: 1)
    #expect(items.count == 10 && Set(items.map(\.device.address)).count == 1)
    await screen.press("enter")
    #expect(screen.pushed.last == ScreenRequest("card", arguments: ["item": .integer(items[1].id)]))
    await screen.press("E")
    await screen.answer("fingers")
    #expect(try await plugin.records.items(of: 1).count == 10)
  }

  @Test func `a template applies to the person for whom it was chosen, even if the selection moved`() async throws {
    try await plugin.add("Ada", ["RightThumbFlat"])
    try await plugin.add("Grace", ["Face2d"])
    let screen = try await people()
    await screen.press("E", "down")
    await screen.answer("fingers")
    #expect(try await plugin.records.items(of: 1).count == 10)
    #expect(try await plugin.records.items(of: 2).count == 1)
  }

  @Test func `arrows select people and items, and enter opens the card of the item`() async throws {
    try await plugin.add("Ada", ["RightThumbFlat"])
    let items = try await plugin.add("Grace", ["LeftIris", "Face2d"])
    let screen = try await people()
    await screen.press("down")
    #expect(lines(screen).contains { $0.hasPrefix("▌ Grace") })
    await screen.press("right", "enter")
    #expect(screen.pushed.last == ScreenRequest("card", arguments: ["item": .integer(items[1].id)]))
    await screen.press("right", "left", "left", "enter")
    #expect(screen.pushed.last == ScreenRequest("card", arguments: ["item": .integer(items[0].id)]))
  }

  @Test func `selecting a person connects their sensors once the selection rests`() async throws {
    try await plugin.add("Ada", ["RightThumbFlat"])
    try await plugin.add("Grace", ["LeftIris", "Face2d"])
    let screen = try await people()
    #expect(plugin.sensors.newCalls().isEmpty)
    await screen.advance(by: 0.5)
    #expect(plugin.sensors.newCalls() == ["connect http://127.0.0.1:8000"])
    await screen.press("down")
    await screen.advance(by: 0.5)
    #expect(plugin.sensors.newCalls() == ["connect http://127.0.0.1:8000 http://127.0.0.1:8001"])
  }

  @Test func `people who are only scrolled past are not connected`() async throws {
    for name in ["Ada", "Grace", "Emmy"] { try await plugin.add(name, ["RightThumbFlat"]) }
    let screen = try await people()
    await screen.press("down", "down")
    await screen.advance(by: 1)
    #expect(plugin.sensors.newCalls().count == 1)
  }

  @Test func `the search filters the list by all fields, and escape ends it`() async throws {
    for name in ["Ada Lovelace", "Grace Hopper", "Adele Goldberg"] { try await plugin.add(name) }
    let screen = try await people()
    await screen.press("/")
    await screen.type("ad")
    #expect(lines(screen)[0].contains("/ ad") && lines(screen)[0].contains("2 people"))
    #expect(!screen.text.contains("Grace"))
    await screen.type("e l")
    #expect(screen.text.contains("Adele") && !screen.text.contains("Ada"))
    await screen.type("xyz")
    #expect(screen.text.contains("no person matches 'ade lxyz'"))
    await screen.press("escape")
    #expect(lines(screen)[0].contains("3 people"))
  }

  @Test func `the search text can be entered as an answer`() async throws {
    for name in ["Ada", "Grace", "Emmy"] { try await plugin.add(name) }
    let screen = try await people()
    await screen.perform(ActionInvocation("find"))
    await screen.answer("emmy")
    #expect(lines(screen)[0].contains("1 person") && screen.text.contains("▌ Emmy"))
    await screen.press("escape")
    #expect(lines(screen)[0].contains("3 people"))
  }

  @Test func `a found person stays selected when the search ends`() async throws {
    for name in ["Ada", "Grace", "Emmy"] { try await plugin.add(name) }
    let screen = try await people()
    await screen.press("/")
    await screen.type("emmy")
    await screen.press("enter", "escape")
    #expect(lines(screen).contains { $0.hasPrefix("▌ Emmy") })
  }

  @Test func `a new person is selected, and their walkthrough opens`() async throws {
    try await plugin.add("Ada")
    let screen = try await people()
    await screen.press("a")
    #expect(screen.pushed.last == ScreenRequest("walkthrough", arguments: ["person": 2]))
    #expect(lines(screen).contains { $0.hasPrefix("▌ no name yet") })
  }

  @Test func `a new person that was left empty is removed again`() async throws {
    try await plugin.add("Ada")
    let screen = try await people()
    func count() async throws -> Int { try await plugin.records.people(0..<10).total }
    await screen.press("a")
    await screen.receive(.returned(screen: "walkthrough", .null))
    await screen.press("a")
    await screen.receive(.returned(screen: "walkthrough", .null))
    #expect(try await count() == 2)
    await screen.press("up")
    await screen.advance(by: 0.1)
    #expect(try await count() == 1 && lines(screen)[0].contains("1 person"))
    await screen.press("a")
    #expect(try await count() == 2)
    await screen.press("L")
    try await plugin.records.unlock(StoreFolder.passphrase)
    #expect(try await count() == 1)
  }

  @Test func `a new person is kept once it has data, or while it is being set up`() async throws {
    try await plugin.add("Ada")
    let screen = try await people()
    await screen.press("a")
    await screen.send(.visible(false))
    await screen.press("up")
    #expect(try await plugin.records.people(0..<10).total == 2)
    await screen.press("down")
    await screen.send(.visible(true))
    _ = try await plugin.records.edit(person: 2, StoreSamples.biography("Grace"), at: StoreFolder.time)
    await screen.press("up")
    await test.settle()
    await screen.advance(by: 0.1)
    #expect(try await plugin.records.people(0..<10).total == 2 && screen.text.contains("Grace"))
    #expect(try await !plugin.records.withdrawPerson(1))
    #expect(try await !plugin.records.withdrawPerson(77))
  }

  @Test func `adding a person ends the search`() async throws {
    try await plugin.add("Ada")
    let screen = try await people()
    await screen.press("/")
    await screen.type("ada")
    await screen.press("enter", "a")
    #expect(lines(screen)[0].contains("2 people") && lines(screen).contains { $0.hasPrefix("▌ no name yet") })
  }

  @Test func `a duplicate has the items but no biography`() async throws {
    try await plugin.add("Ada", ["RightThumbFlat", "LeftIris"])
    let screen = try await people()
    await screen.press("D")
    #expect(lines(screen).contains { $0.hasPrefix("▌ no name yet") })
    #expect(screen.text.contains("Left Iris"))
    #expect(try await plugin.records.items(of: 2).map(\.submodality.wireName) == ["RightThumbFlat", "LeftIris"])
  }

  @Test func `a person is deleted after a confirmation and the key`() async throws {
    try await plugin.add("Ada", ["RightThumbFlat"])
    try await plugin.add("Grace")
    let screen = try await people()
    await screen.press("X")
    guard let sheet = screen.choice else {
      Issue.record("nothing is asked")
      return
    }
    #expect(sheet.isDestructive && sheet.title == "Delete Ada with 1 item?")
    #expect(sheet.choices.map(\.id) == ["keep", "delete"] && sheet.selected == "keep")
    await screen.answer("keep")
    #expect(lines(screen)[0].contains("2 people"))
    await screen.press("X")
    await screen.answer("delete")
    await screen.answer("another passphrase")
    #expect(lines(screen)[0].contains("2 people"))
    await screen.press("X")
    await screen.answer("delete")
    await screen.answer("correct horse battery staple")
    #expect(lines(screen)[0].contains("1 person") && !screen.text.contains("Ada"))
  }

  @Test func `a user who may not delete is refused before any question`() async throws {
    try await plugin.add("Ada", ["RightThumbFlat"])
    let key = VaultKeySource.passphrase(Array("four other plain words".utf8))
    _ = try await plugin.records.addUser("op", .operator, key: key)
    await plugin.records.lock()
    try await plugin.records.unlock(key)
    let screen = try await people()
    #expect(screen.controller.status.map(\.text) == ["op, operator"])
    await screen.press("X")
    #expect(screen.failures.map(\.code) == ["wsabi.not-permitted"])
    await plugin.records.lock()
    try await plugin.records.unlock(StoreFolder.passphrase)
    let refused = try await plugin.records.auditEntries(1..<1000).filter { $0.event.action == .permissionRefused }
    #expect(refused.map(\.event.outcome) == ["deletePeople"])
  }

  @Test func `the selected person is selected again, also after the store was locked`() async throws {
    for number in 1...120 { try await plugin.add("Person \(number)") }
    let screen = try await people()
    await screen.press("end", "up")
    await plugin.records.lock()
    await test.settle()
    #expect(screen.pushed.last?.screen == "unlock")
    let kept = screen.controller.saveState()
    let next = try plugin.makeController(ScreenRequest("people"), test.context)
    next.restore(kept)
    _ = next.handle(.resize(screen.geometry))
    #expect(next.start().count == 1)
    // Before anything was read, as while the store is still locked.
    #expect(next.saveState() == kept)
    try await plugin.records.unlock(StoreFolder.passphrase)
    next.restore(kept)
    _ = try #require(Load("place", among: next.start()), "nobody is sought")
    #expect(try await plugin.records.index(of: 119) == 118)
    #expect(try await plugin.records.index(of: 121) == nil)
  }

  @Test func `a list that opens far down also shows the people above`() async throws {
    for number in 10...40 { try await plugin.add("Person \(number)") }
    let screen = try await people(77, 21)
    await screen.press("end")
    let before = lines(screen)
    // As after a lock: the list is created again, and looks for the person selected last.
    let next = try await people(77, 21)
    await next.receive(.returned(screen: "settings", ["person": 31]))
    #expect(lines(next) == before)
    #expect(lines(next)[1].hasPrefix("  Person 23") && lines(next)[18].hasPrefix("▌ Person 40"))
    // Near the beginning everybody is seen from the first on.
    await next.receive(.returned(screen: "settings", ["person": 4]))
    #expect(lines(next)[1].contains("Person 10") && lines(next)[4].hasPrefix("▌ Person 13"))
  }

  @Test func `the list fills the rows below the last person when the screen grows`() async throws {
    for number in 10...40 { try await plugin.add("Person \(number)") }
    let screen = try await people(77, 12)
    await screen.press("end")
    #expect(lines(screen).last { !$0.isEmpty }?.contains("no items yet") == true)
    await screen.resize(77, 30)
    let shown = lines(screen).filter { $0.contains("Person") }
    #expect(shown.count == 27)
  }

  @Test func `the item that was just set up is selected`() async throws {
    let items = try await plugin.add("Ada", ["RightThumbFlat", "LeftIris", "Face2d"])
    let screen = try await people()
    await screen.receive(.returned(screen: "walkthrough", ["item": .integer(items[2].id)]))
    await screen.press("enter")
    #expect(screen.pushed.last == ScreenRequest("card", arguments: ["item": .integer(items[2].id)]))
    await screen.receive(.returned(screen: "walkthrough", .null))
    #expect(screen.text.contains("▌ Ada"))
  }

  @Test func `an item is deleted, and the others move up`() async throws {
    try await plugin.add("Ada", ["RightThumbFlat", "LeftIris", "Face2d"])
    let screen = try await people()
    await screen.press("right", "x")
    await screen.answer("delete")
    await screen.answer("correct horse battery staple")
    await screen.advance(by: 0.1)
    #expect(!screen.text.contains("Left Iris") && screen.text.contains("Face"))
    #expect(try await plugin.records.items(of: 1).map(\.index) == [0, 1])
  }

  @Test func `the list follows every change of the store`() async throws {
    try await plugin.add("Ada")
    let screen = try await people()
    try await plugin.add("Grace", ["Face2d"])
    await test.settle()
    await screen.advance(by: 0.1)
    #expect(lines(screen)[0].contains("2 people") && screen.text.contains("Grace"))
  }

  @Test func `cells show that a sensor is awaited, and problems`() async throws {
    let item = try await plugin.add("Ada", ["RightThumbFlat"])[0]
    let screen = try await people()
    plugin.note(["event": "capturing", "item": .integer(item.id), "address": "http://127.0.0.1:8000"])
    await test.settle()
    #expect(screen.text.contains("◌") && screen.text.contains("waiting …"))
    plugin.note([
      "event": "ended", "item": .integer(item.id), "outcome": "refused", "reason": "the glass is dirty",
    ])
    await test.settle()
    #expect(screen.text.contains("▲") && screen.text.contains("the glass is"))
    plugin.note(["event": "stored", "item": .integer(item.id), "capture": 1])
    await test.settle()
    #expect(!screen.text.contains("▲"))
  }

  @Test func `a captured item shows its thumbnail, which is made once and stored`() async throws {
    let picture = Picture(width: 300, height: 400, pixels: (0..<480_000).map { UInt8(truncatingIfNeeded: $0 / 7 | 3) })
    let png = try PNGWriter.bytes(of: picture)
    let item = try await plugin.add("Ada", ["RightThumbFlat"], capture: png)[0]
    let screen = try await people()
    let placed = try #require(screen.frame.pictures.first)
    #expect(placed.rect.width <= 18 && placed.rect.height <= 3)
    #expect(screen.text.contains("●"))
    let capture = try #require(try await plugin.records.item(item.id).capture)
    let kept = try #require(try await plugin.records.thumbnail(of: capture.id))
    #expect(try ImageReader.size(of: kept) == Size(width: 171, height: 228))
    #expect(screen.pushed.isEmpty)
    await screen.press("v")
    #expect(screen.pushed.last?.screen == "lightbox")
  }

  @Test func `data that is not a picture is described by its type`() async throws {
    try await plugin.add("Ada", ["RightThumbFlat"], capture: [0xFF, 0xA0, 0xFF, 1, 2, 3])
    let screen = try await people()
    #expect(screen.frame.pictures.isEmpty)
    #expect(screen.text.contains("image/"))
  }

  @Test func `data that is not a picture is read only once`() async throws {
    let item = try await plugin.add("Ada", ["RightThumbFlat"], capture: [0xFF, 0xA0, 0xFF, 1, 2, 3])[0]
    func looks() async throws -> Int {
      plugin.folder.wait(seconds: 100)
      return try await plugin.records.auditEntries(1..<10_000).count { $0.event.action == .captureRead }
    }
    let screen = try await people()
    let before = try await looks()
    _ = try await plugin.records.annotate(item.id, Annotation(conditions: [.bandaged], notes: ""), at: StoreFolder.time)
    await test.settle()
    await screen.advance(by: 1)
    #expect(screen.text.contains("✎"))
    #expect(try await looks() == before && before == 1)
  }

  @Test func `changes by another process are read again`() async throws {
    try await plugin.add("Ada")
    let screen = try await people()
    let other = try await plugin.folder.open()
    _ = try await other.addPerson(StoreSamples.biography("Grace"), at: StoreFolder.time)
    await other.close()
    test.context.notify(Station.recordsChanged, .integer(Station.anybody))
    await test.settle()
    await screen.advance(by: 0.1)
    #expect(screen.text.contains("Grace"))
  }

  @Test func `all items without a capture are captured together`() async throws {
    let items = try await plugin.add("Ada", ["RightThumbFlat", "LeftIris", "Face2d"], capture: [1, 2, 3])
    let screen = try await people()
    await screen.press("C")
    #expect(plugin.sensors.newCalls() == ["capture \(items[0].id)", "capture \(items[1].id)"])
  }

  @Test func `items whose last capture needs a decision are marked, and skipped when all are captured`() async throws {
    let items = try await plugin.add("Ada", ["RightThumbFlat", "LeftIris"])
    let intent = CaptureIntent(
      item: items[0].id, address: StoreSamples.address, session: StoreSamples.uuid(1), configuration: WireDictionary())
    try await plugin.records.end(try await plugin.records.begin(intent), .unknown(reason: "the program ended"))
    let screen = try await people()
    await screen.advance(by: 0.5)
    #expect(screen.text.contains("▲") && screen.text.contains("outcome unknown"))
    _ = plugin.sensors.newCalls()
    await screen.press("C")
    #expect(plugin.sensors.newCalls() == ["capture \(items[1].id)"])
    guard case .status(let diagnostic)? = screen.requests.last else {
      Issue.record("nothing is said")
      return
    }
    #expect(diagnostic.code == "wsabi.decision-needed")
  }

  @Test func `amputated parts are skipped when all are captured`() async throws {
    let items = try await plugin.add("Ada", ["RightThumbFlat", "LeftIris"])
    _ = try await plugin.records.annotate(
      items[0].id, Annotation(conditions: [.amputated], notes: ""), at: StoreFolder.time)
    let screen = try await people()
    await screen.press("C")
    #expect(plugin.sensors.newCalls() == ["capture \(items[1].id)"])
  }

  @Test func `a person with nothing left to capture is reported as complete`() async throws {
    try await plugin.add("Ada", ["RightThumbFlat"], capture: [1, 2, 3])
    let screen = try await people()
    await screen.press("C")
    #expect(plugin.sensors.newCalls().isEmpty)
    guard case .status(let note)? = screen.requests.last else {
      Issue.record("nothing is said")
      return
    }
    #expect(note.message == "all items are captured or under way")
  }

  @Test func `a card's request to set up its sensor cancels its operation and opens the walkthrough`() async throws {
    let item = try await plugin.add("Ada", ["RightThumbFlat"])[0]
    let screen = try await people()
    test.context.notify("walkthrough-asked", ["item": .integer(item.id), "from": "device"])
    await test.settle()
    #expect(plugin.sensors.newCalls() == ["cancel item \(item.id)"])
    #expect(
      screen.pushed.last
        == ScreenRequest("walkthrough", arguments: ["item": .integer(item.id), "from": "device"]))
  }

  @Test func `a lock that the sensor kept is reported with advice for an open list`() async throws {
    let screen = try await people()
    let address = StoreSamples.address
    test.context.notify("sensor-noted", LinkNote.lockKept(address).value)
    await test.settle()
    let advice = screen.requests.compactMap { if case .status(let note) = $0 { note.advice } else { nil } }
    let unlock = "'workbench wsabi sensor unlock \(address.text)'"
    #expect(advice == ["close all lists of people; if it stays locked, release it with \(unlock)"])
  }

  @Test func `people are read as the list scrolls`() async throws {
    for number in 1...200 { try await plugin.add("Person \(number)") }
    let screen = try await people(60, 12)
    await screen.press("end")
    #expect(lines(screen).contains { $0.hasPrefix("▌ Person 200") })
    await screen.press("page-up")
    #expect(lines(screen).contains { $0.hasPrefix("▌ Person 190") })
    await screen.press("home")
    #expect(lines(screen).contains { $0.hasPrefix("▌ Person 1 ") })
  }

  @Test func `linear mode reaches every person, forwards and backwards`() async throws {
    for number in 1...60 { try await plugin.add("Person \(number)") }
    let screen = try await people(60, 12)
    func walk(_ id: String) async -> [String] {
      var read: [String] = []
      for _ in 0..<60 {
        read += screen.outline.items.filter { $0.id.hasPrefix("person-") }.map(\.id)
        guard let action = screen.outline.items.first(where: { $0.id == id })?.action else { break }
        await screen.perform(action)
      }
      return read
    }
    #expect(await Set(walk("page-after")).count == 60)
    #expect(await Set(walk("page-before")).count == 60)
    #expect(screen.outline.items.first?.id == "person-1")
  }

  @Test func `cells and rows are selected with the mouse`() async throws {
    let items = try await plugin.add("Ada", ["RightThumbFlat", "LeftIris"])
    try await plugin.add("Grace")
    let screen = try await people()
    await screen.click(x: 29, y: 5, clicks: 2)
    #expect(screen.pushed.last == ScreenRequest("card", arguments: ["item": .integer(items[1].id)]))
    await screen.click(x: 5, y: 9)
    #expect(lines(screen).contains { $0.hasPrefix("▌ Grace") })
  }

  @Test func `a key opens the settings, and another locks the store`() async throws {
    let screen = try await people()
    await screen.press("s")
    #expect(screen.pushed.last?.screen == "settings")
    await screen.press("L")
    #expect(plugin.records.isLocked)
    #expect(screen.pushed.last?.screen == "unlock")
  }

  @Test func `the list draws in a frame of any size`() async throws {
    try await plugin.add("Ada", ["RightThumbFlat", "LeftIris", "Face2d"], capture: [1])
    for (width, height) in [(0, 0), (1, 1), (10, 3), (21, 5), (200, 60)] {
      let screen = try await people(width, height)
      #expect(screen.frame.frameSize == Size(width: width, height: height))
    }
  }
}
