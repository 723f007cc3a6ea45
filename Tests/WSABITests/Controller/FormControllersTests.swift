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
    return try await test.screen("biography", ["person": 1], size: Size(width: 60, height: 30))
  }

  private func choose(_ screen: ScreenDriver, _ field: String) async {
    await screen.perform(ActionInvocation("edit", ["id": .text(field)]))
  }

  private var biography: Biography {
    get async throws { try await plugin.records.person(1).biography }
  }

  // MARK: The biographical form

  @Test func `the form has all fields in their sections`() async throws {
    let screen = try await form()
    for heading in ["Basic", "Gender", "Descriptive", "Notes"] { #expect(screen.text.contains(heading)) }
    for field in BiographyField.allCases { #expect(screen.text.contains(field.label)) }
    #expect(screen.text.contains("First name      Ada"))
    #expect(screen.controller.title == "Ada Lovelace")
  }

  @Test func `typed values are stored at once`() async throws {
    let screen = try await form()
    await screen.press("enter")
    guard let question = screen.prompt else {
      Issue.record("nothing is asked")
      return
    }
    #expect(question.title == "First name" && question.text == "Ada")
    await screen.answer("Augusta")
    #expect(try await biography.firstName == "Augusta")
    #expect(screen.text.contains("Augusta"))
    await screen.press("delete")
    #expect(try await biography.firstName.isEmpty)
  }

  @Test func `undo reverts own changes, and keeps later changes by others`() async throws {
    let screen = try await form()
    await screen.press("u")
    await screen.press("delete")
    await choose(screen, "Alias")
    await screen.answer("Countess; A.A.L.")
    var other = try await biography
    #expect(other.firstName.isEmpty && other.aliases.count == 2)
    other.notes = "left-handed"
    _ = try await plugin.records.edit(person: 1, other, at: StoreFolder.time)
    await test.settle()
    await screen.press("u")
    #expect(try await biography.aliases.isEmpty)
    await screen.press("u", "u")
    #expect(try await biography.firstName == "Ada")
    #expect(try await biography.notes == "left-handed")
  }

  @Test func `gender, hair, race and eyes are chosen from lists`() async throws {
    let screen = try await form()
    for (field, word) in [("Gender", "Female"), ("Hair", "Brown"), ("Race", "Caucasian"), ("Eyes", "Green")] {
      await choose(screen, field)
      guard let sheet = screen.choice else {
        Issue.record("nothing is picked for \(field)")
        return
      }
      #expect(sheet.title == field && sheet.choices.first?.title == "not given")
      #expect(sheet.choices.contains { $0.id == word })
      await screen.answer(word)
    }
    let kept = try await biography
    #expect([kept.gender, kept.hairColor, kept.race, kept.eyeColor] == ["Female", "Brown", "Caucasian", "Green"])
  }

  @Test func `a date of birth must be a day of the calendar`() async throws {
    let screen = try await form()
    for wrong in ["10.12.1815", "1815-13-01", "1815-02-29", "1815-2-1", "+815-02-01", "0x10-01-01"] {
      await screen.perform(ActionInvocation("type", ["id": "Date of birth"]))
      await screen.answer(wrong)
      #expect(try await biography.datesOfBirth.isEmpty, "\(wrong)")
    }
    await screen.perform(ActionInvocation("type", ["id": "Date of birth"]))
    await screen.answer("1815-12-10; 1816-02-29")
    #expect(try await biography.datesOfBirth == ["1815-12-10", "1816-02-29"])
  }

  @Test func `there can be several aliases`() async throws {
    let screen = try await form()
    await choose(screen, "Alias")
    await screen.answer(" Countess ;; A.A.L. ")
    #expect(try await biography.aliases == ["Countess", "A.A.L."])
    #expect(screen.text.contains("Countess; A.A.L."))
  }

  @Test func `the form follows changes by others, and a dismissed question changes nothing`() async throws {
    let screen = try await form()
    await choose(screen, "Notes")
    #expect(screen.pushed.last == ScreenRequest("notes", arguments: ["person": 1]))
    await screen.receive(.returned(screen: "notes", .null))
    #expect(try await biography.notes.isEmpty)
    var other = try await biography
    other.notes = "left-handed"
    _ = try await plugin.records.edit(person: 1, other, at: StoreFolder.time)
    await test.settle()
    #expect(screen.text.contains("left-handed"))
  }

  @Test func `every field of the form sets and reads a field of the biography`() {
    var biography = Biography()
    for field in BiographyField.allCases {
      let text = field == .dateOfBirth ? "2000-01-31" : "\(field.label)!"
      biography = BiographyForm.setting(field, to: text, in: biography)
      #expect(BiographyForm.text(field, of: biography) == text)
    }
    #expect(SearchWords.of(biography).count > 100)
  }

  // MARK: Settings

  private func settings() async throws -> ScreenDriver {
    try await test.screen("settings", size: Size(width: 76, height: 24))
  }

  private func operation(_ number: Int, _ stage: PendingOperation.Stage) -> PendingOperation {
    PendingOperation(
      number: number, address: StoreSamples.address, item: 7, stage: stage, began: StoreFolder.time)
  }

  @Test func `sensors are grouped by modality, and can be forgotten`() async throws {
    try await plugin.add("Ada", ["RightThumbFlat", "LeftIris"])
    let screen = try await settings()
    #expect(screen.text.contains("Sensors: Finger") && screen.text.contains("Sensors: Iris"))
    #expect(screen.text.contains("desk 1") && screen.text.contains("http://127.0.0.1:8001"))
    await screen.press("x")
    await screen.answer("forget")
    #expect(!screen.text.contains("Sensors: Finger") && screen.text.contains("Sensors: Iris"))
    #expect(try await plugin.records.items(of: 1).count == 2)
  }

  @Test func `a sensor is added without an item, and a wrong address is refused`() async throws {
    let screen = try await settings()
    #expect(screen.text.contains("Add a sensor"))
    for (address, count) in [("ftp://files", 0), ("127.0.0.1:8000/Service", 1)] {
      await screen.perform(ActionInvocation("choose", ["id": "add-sensor"]))
      await screen.answer("Iris")
      await screen.answer(address)
      await screen.answer("window")
      let kept = try await plugin.records.recentSensors(for: .iris)
      #expect(kept.map(\.address) == Array(repeating: "http://127.0.0.1:8000/Service", count: count))
    }
    #expect(screen.text.contains("Sensors: Iris") && screen.text.contains("window"))
    await screen.perform(ActionInvocation("choose", ["id": "add-sensor"]))
    await screen.answer("Face")
    await screen.answer(nil)
    #expect(try await plugin.records.recentSensors(for: .face).isEmpty)
  }

  @Test func `the settings list the users of a sensor, and lead to them`() async throws {
    try await plugin.add("Ada Lovelace", ["RightThumbFlat"])
    try await plugin.add("Grace Hopper", ["RightThumbFlat", "LeftIris"])
    let screen = try await settings()
    await screen.perform(ActionInvocation("choose", ["id": "sensor-1"]))
    await screen.answer("who")
    guard let sheet = screen.choice else {
      Issue.record("nobody is shown")
      return
    }
    #expect(sheet.choices.map(\.title) == ["Grace Hopper"])
    await screen.answer("2")
    guard case .pop(let value)? = screen.requests.last else {
      Issue.record("nobody is led to")
      return
    }
    let people = try await test.screen("people")
    await people.receive(.returned(screen: "settings", value))
    #expect(people.text.contains("▌ Grace Hopper"))
    try await plugin.records.deleteItem(3)
    await screen.perform(ActionInvocation("choose", ["id": "sensor-1"]))
    await screen.answer("who")
    guard case .status(let note)? = screen.requests.last else {
      Issue.record("nothing is said")
      return
    }
    #expect(note.code == "wsabi.nobody-uses-it")
  }

  @Test func `running operations are shown with their progress, and can be canceled`() async throws {
    let screen = try await settings()
    #expect(screen.text.contains("none"))
    plugin.sensors.state.withLock { state in
      state.operations = [operation(3, .asking(.capture)), operation(4, .waiting(.lockHeldByAnother))]
    }
    await screen.advance(by: 0.6)
    #expect(screen.text.contains("item 7") && screen.text.contains("capture · http://127.0.0.1:8000/Service"))
    #expect(screen.text.contains("waiting (lockHeldByAnother)"))
    await screen.perform(ActionInvocation("choose", ["id": "operation-4"]))
    await screen.answer("cancel")
    #expect(plugin.sensors.newCalls() == ["cancel operation 4"])
    #expect(!screen.text.contains("lockHeldByAnother"))
  }

  @Test func `each kind of log entry can be switched on and off`() async throws {
    let screen = try await settings()
    #expect(screen.text.contains("Log keys      on") && screen.text.contains("Log texts     off"))
    await screen.press("end", "enter")
    #expect(screen.text.contains("Log texts     on"))
    await screen.press("x")
    #expect(screen.text.contains("Log texts     on"))
  }
}
