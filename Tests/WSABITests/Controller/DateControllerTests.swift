import PluginAPI
import PluginTesting
import Testing

@testable import WSABI

@MainActor @Suite struct DateControllerTests {
  let plugin: ScreensPlugin
  let test: TestPlugin

  init() async throws {
    plugin = try await ScreensPlugin.opened()
    test = try await TestPlugin(plugin)
  }

  /// Returns the picker of a person with days of birth.
  private func picker(_ days: [String] = [], _ size: Size = Size(width: 56, height: 16)) async throws -> ScreenDriver {
    var biography = StoreSamples.biography("Ada")
    biography.datesOfBirth = days
    let person = try await plugin.records.addPerson(biography, at: StoreFolder.time)
    return try await test.screen("date", ["person": .integer(person.id)], size: size)
  }

  private func given(_ screen: ScreenDriver) -> Value? {
    for case .pop(let value) in screen.requests { return value }
    return nil
  }

  @Test func `a day is typed digit by digit, from year to month to day`() async throws {
    let screen = try await picker()
    await screen.type("18151210")
    #expect(screen.text.contains("1815-12-10") && screen.text.contains("December 1815"))
    await screen.press("enter")
    #expect(given(screen) == "1815-12-10")
  }

  @Test func `enter completes a partly typed day`() async throws {
    let screen = try await picker(["1970-11-30"])
    await screen.press("right")
    await screen.type("2")
    #expect(screen.text.contains("1970-2_"))
    await screen.press("enter")
    #expect(given(screen) == "1970-02-28")
  }

  @Test func `the selected part and day are marked without colors`() async throws {
    let screen = try await picker(["1970-11-30"])
    #expect(screen.text.contains("1970-11-30 year") && screen.text.contains("[30]"))
    await screen.press("right", "up")
    #expect(screen.text.contains("1970-12-30 month") && screen.text.contains("[30]"))
  }

  @Test func `arrows change each part, and roll over at the ends of months`() async throws {
    let screen = try await picker(["1970-01-31"])
    await screen.press("up", "right", "up", "right", "up")
    #expect(screen.text.contains("1971-03-01"))
    await screen.press("page-up", "down", "left", "left", "down", "enter")
    #expect(given(screen) == "1970-01-31")
  }

  @Test func `a day that does not exist is corrected with a message`()
    async throws
  {
    let screen = try await picker(["1999-02-01"])
    await screen.press("right", "right")
    await screen.type("31")
    await screen.press("enter")
    #expect(screen.text.contains("1999-02-28") && screen.text.contains("that month has 28 days"))
  }

  @Test func `a day of the calendar is selected with a click`() async throws {
    let screen = try await picker(["2026-11-01"])
    let rows = screen.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let y = try #require(rows.firstIndex { $0.contains(" 16 17 18") })
    let x = try #require(Array(rows[y]).indices.first { Array(rows[y])[$0...].starts(with: "18") })
    await screen.click(x: x, y: y)
    #expect(screen.text.contains("2026-11-18") && given(screen) == nil)
    await screen.click(x: x, y: y, clicks: 2)
    #expect(given(screen) == "2026-11-18")
    await screen.click(x: 0, y: 0)
  }

  @Test func `a date can be pasted, and delete clears it`() async throws {
    let screen = try await picker()
    await screen.send(.paste("10 December 1815"))
    #expect(screen.text.contains("year-month-day"))
    await screen.send(.paste(" 1815-12-10\n"))
    #expect(screen.text.contains("1815-12-10"))
    await screen.press("delete")
    #expect(given(screen) == "")
  }

  @Test func `in linear mode, the day is typed as an answer`() async throws {
    let screen = try await picker()
    await screen.perform(try #require(screen.outline.items.first { $0.id == "type" }?.action))
    await screen.answer("1815-12-10")
    #expect(screen.outline.fields.map(\.value) == ["1815-12-10"])
    await screen.perform(try #require(screen.outline.items.first { $0.id == "done" }?.action))
    #expect(given(screen) == "1815-12-10")
  }

  @Test func `a stored text that is not a date is shown`() async throws {
    let screen = try await picker(["about 1815"])
    #expect(screen.text.contains("was 'about 1815'"))
  }

  @Test func `a day can be set without room for the calendar`() async throws {
    let screen = try await picker(["1970-01-01"], Size(width: 27, height: 6))
    #expect(screen.text.contains("1970-01-01") && screen.text.contains("January 1970"))
    #expect(!screen.text.contains("Mo Tu"))
    await screen.press("up", "enter")
    #expect(given(screen) == "1971-01-01")
  }

  @Test func `the form stores the picked first day, and leaves the other days unchanged`() async throws {
    var biography = StoreSamples.biography("Ada")
    biography.datesOfBirth = ["1815-12-10", "1816-01-01"]
    _ = try await plugin.records.addPerson(biography, at: StoreFolder.time)
    let form = try await test.screen("biography", ["person": 1], size: Size(width: 60, height: 30))
    await form.perform(ActionInvocation("edit", ["id": "Date of birth"]))
    #expect(form.pushed.last == ScreenRequest("date", arguments: ["person": 1]))
    await form.receive(.returned(screen: "date", "1815-12-11"))
    await test.settle()
    #expect(try await plugin.records.person(1).biography.datesOfBirth == ["1815-12-11", "1816-01-01"])
    await form.receive(.returned(screen: "date", .null))
    await form.receive(.returned(screen: "date", ""))
    await test.settle()
    #expect(try await plugin.records.person(1).biography.datesOfBirth == ["1816-01-01"])
  }
}
