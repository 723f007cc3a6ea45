import PluginAPI
import PluginTesting
import Synchronization
import Testing

@testable import WSABI

@MainActor @Suite struct FormControllersTests {
  let plugin: ScreensPlugin
  let test: TestPlugin

  init() async throws {
    plugin = try await ScreensPlugin.opened()
    test = try await TestPlugin(plugin)
  }

  private func form() async throws -> ScreenDriver {
    try await plugin.add("Ada Lovelace")
    return try test.screen("biography", ["person": 1], size: Size(width: 60, height: 30))
  }

  private func choose(_ screen: ScreenDriver, _ field: String) {
    screen.perform(ActionInvocation("edit", ["id": .text(field)]))
  }

  private var biography: Biography {
    get async throws { try await plugin.records.person(1).biography }
  }

  // MARK: The biographical form

  @Test func `the form has all fields in their sections`() async throws {
    let screen = try await form()
    for heading in ["Basic", "Gender", "Descriptive", "Notes"] { #expect(screen.text.contains(heading)) }
    for field in BiographyForm.Field.allCases { #expect(screen.text.contains(field.rawValue)) }
    #expect(screen.text.contains("First name      Ada"))
    #expect(screen.controller.title == "Ada Lovelace")
  }

  @Test func `what is typed is kept at once`() async throws {
    let screen = try await form()
    screen.press("enter")
    guard case .ask(_, let question)? = screen.requests.last else {
      Issue.record("nothing is asked")
      return
    }
    #expect(question.title == "First name" && question.text == "Ada")
    screen.answer("Augusta")
    #expect(try await biography.firstName == "Augusta")
    #expect(screen.text.contains("Augusta"))
    screen.press("delete")
    #expect(try await biography.firstName.isEmpty)
  }

  @Test func `a change is taken back, and what others changed since stays`() async throws {
    let screen = try await form()
    screen.press("u")
    screen.press("delete")
    choose(screen, "Alias")
    screen.answer("Countess; A.A.L.")
    var other = try await biography
    #expect(other.firstName.isEmpty && other.aliases.count == 2)
    other.notes = "left-handed"
    _ = try await plugin.records.edit(person: 1, other, at: StoreFolder.time)
    test.context.loop.drain()
    screen.press("u")
    #expect(try await biography.aliases.isEmpty)
    screen.press("u", "u")
    #expect(try await biography.firstName == "Ada")
    #expect(try await biography.notes == "left-handed")
  }

  @Test func `gender, hair, race and eyes are picked`() async throws {
    let screen = try await form()
    for (field, word) in [("Gender", "Female"), ("Hair", "Brown"), ("Race", "Caucasian"), ("Eyes", "Green")] {
      choose(screen, field)
      guard case .choose(_, let sheet)? = screen.requests.last else {
        Issue.record("nothing is picked for \(field)")
        return
      }
      #expect(sheet.title == field && sheet.choices.first?.title == "not said")
      #expect(sheet.choices.contains { $0.id == word })
      screen.answer(word)
    }
    let kept = try await biography
    #expect([kept.gender, kept.hairColor, kept.race, kept.eyeColor] == ["Female", "Brown", "Caucasian", "Green"])
  }

  @Test func `a date of birth is a day of the calendar`() async throws {
    let screen = try await form()
    for wrong in ["10.12.1815", "1815-13-01", "1815-02-29", "1815-2-1", "+815-02-01", "0x10-01-01"] {
      screen.perform(ActionInvocation("type", ["id": "Date of birth"]))
      screen.answer(wrong)
      #expect(try await biography.datesOfBirth.isEmpty, "\(wrong)")
    }
    screen.perform(ActionInvocation("type", ["id": "Date of birth"]))
    screen.answer("1815-12-10; 1816-02-29")
    #expect(try await biography.datesOfBirth == ["1815-12-10", "1816-02-29"])
  }

  @Test func `there can be several aliases`() async throws {
    let screen = try await form()
    choose(screen, "Alias")
    screen.answer(" Countess ;; A.A.L. ")
    #expect(try await biography.aliases == ["Countess", "A.A.L."])
    #expect(screen.text.contains("Countess; A.A.L."))
  }

  @Test func `the form follows changes of others, and a question put away changes nothing`() async throws {
    let screen = try await form()
    choose(screen, "Notes")
    #expect(screen.pushed.last == ScreenRequest("notes", arguments: ["person": 1]))
    screen.receive(.returned(screen: "notes", .null))
    #expect(try await biography.notes.isEmpty)
    var other = try await biography
    other.notes = "left-handed"
    _ = try await plugin.records.edit(person: 1, other, at: StoreFolder.time)
    test.context.loop.drain()
    #expect(screen.text.contains("left-handed"))
  }

  @Test func `every field of the form is a field of the biography and comes back`() {
    var biography = Biography()
    for field in BiographyForm.Field.allCases {
      let text = field == .dateOfBirth ? "2000-01-31" : "\(field.rawValue)!"
      biography = BiographyForm.setting(field, to: text, in: biography)
      #expect(BiographyForm.text(field, of: biography) == text)
    }
    #expect(SearchWords.of(biography).count > 100)
  }

  // MARK: Settings

  private func settings() throws -> ScreenDriver {
    try test.screen("settings", size: Size(width: 76, height: 24))
  }

  private func operation(_ number: Int, _ stage: PendingOperation.Stage) -> PendingOperation {
    PendingOperation(
      number: number, address: StoreSamples.address, item: 7, stage: stage, began: StoreFolder.time)
  }

  @Test func `sensors stand by modality, and can be forgotten`() async throws {
    try await plugin.add("Ada", ["RightThumbFlat", "LeftIris"])
    let screen = try settings()
    #expect(screen.text.contains("Sensors: Finger") && screen.text.contains("Sensors: Iris"))
    #expect(screen.text.contains("desk 1") && screen.text.contains("http://127.0.0.1:8001"))
    screen.press("x")
    screen.answer("forget")
    #expect(!screen.text.contains("Sensors: Finger") && screen.text.contains("Sensors: Iris"))
    #expect(try await plugin.records.items(of: 1).count == 2)
  }

  @Test func `a sensor is added without an item, and a text that is no address is refused`() async throws {
    let screen = try settings()
    #expect(screen.text.contains("Add a sensor"))
    for (address, count) in [("ftp://files", 0), ("127.0.0.1:8000/Service", 1)] {
      screen.perform(ActionInvocation("choose", ["id": "add-sensor"]))
      screen.answer("Iris")
      screen.answer(address)
      screen.answer("window")
      let kept = try await plugin.records.recentSensors(for: .iris)
      #expect(kept.map(\.address) == Array(repeating: "http://127.0.0.1:8000/Service", count: count))
    }
    #expect(screen.text.contains("Sensors: Iris") && screen.text.contains("window"))
    screen.perform(ActionInvocation("choose", ["id": "add-sensor"]))
    screen.answer("Face")
    screen.answer(nil)
    #expect(try await plugin.records.recentSensors(for: .face).isEmpty)
  }

  @Test func `who uses a sensor is told, and led to`() async throws {
    try await plugin.add("Ada Lovelace", ["RightThumbFlat"])
    try await plugin.add("Grace Hopper", ["RightThumbFlat", "LeftIris"])
    let screen = try settings()
    screen.perform(ActionInvocation("choose", ["id": "sensor-1"]))
    screen.answer("who")
    guard case .choose(_, let sheet)? = screen.requests.last else {
      Issue.record("nobody is shown")
      return
    }
    #expect(sheet.choices.map(\.title) == ["Grace Hopper"])
    screen.answer("2")
    guard case .pop(let value)? = screen.requests.last else {
      Issue.record("nobody is led to")
      return
    }
    let people = try test.screen("people")
    people.receive(.returned(screen: "settings", value))
    #expect(people.text.contains("▌ Grace Hopper"))
    try await plugin.records.deleteItem(3)
    screen.perform(ActionInvocation("choose", ["id": "sensor-1"]))
    screen.answer("who")
    guard case .status(let note)? = screen.requests.last else {
      Issue.record("nothing is said")
      return
    }
    #expect(note.code == "wsabi.nobody-uses-it")
  }

  @Test func `what is under way is shown as it goes, and can be cancelled`() throws {
    let screen = try settings()
    #expect(screen.text.contains("nothing"))
    plugin.sensors.state.withLock { state in
      state.operations = [operation(3, .asking(.capture)), operation(4, .waiting(.lockHeldByAnother))]
    }
    screen.advance(by: 0.6)
    #expect(screen.text.contains("item 7") && screen.text.contains("capture · http://127.0.0.1:8000/Service"))
    #expect(screen.text.contains("waiting (lockHeldByAnother)"))
    screen.perform(ActionInvocation("choose", ["id": "operation-4"]))
    screen.answer("cancel")
    #expect(plugin.sensors.newCalls() == ["cancel operation 4"])
    #expect(!screen.text.contains("lockHeldByAnother"))
  }

  @Test func `what is logged is switched`() throws {
    let screen = try settings()
    #expect(screen.text.contains("Log keys      on") && screen.text.contains("Log texts     off"))
    screen.press("end", "enter")
    #expect(screen.text.contains("Log texts     on"))
    screen.press("x")
    #expect(screen.text.contains("Log texts     on"))
  }
}
