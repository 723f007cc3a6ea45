import PluginAPI
import PluginTesting
import Synchronization
import Testing

@testable import WSABI

@MainActor @Suite struct WalkthroughControllerTests {
  let plugin: ScreensPlugin
  let test: TestPlugin

  init() async throws {
    plugin = try await ScreensPlugin.opened()
    test = try await TestPlugin(plugin)
    plugin.sensors.state.withLock { state in
      state.information["http://127.0.0.1:8000"] = RememberingSensors.information("Finger", "RightThumbRolled")
    }
  }

  private func new() async throws -> ScreenDriver {
    try await plugin.add("Ada")
    return try await test.screen("walkthrough", ["person": 1])
  }

  /// Goes to the last step with the first submodality of fingers.
  private func atSetup() async throws -> ScreenDriver {
    let screen = try await new()
    await screen.press("enter", "enter", "enter")
    return screen
  }

  private func popped(_ screen: ScreenDriver) -> Bool {
    screen.requests.contains { if case .pop = $0 { true } else { false } }
  }

  @Test func `the walkthrough leads from modality to submodality, sensor and address`() async throws {
    let screen = try await new()
    #expect(screen.text.contains("What is captured?"))
    for modality in Modality.allCases { #expect(screen.text.contains(modality.title)) }
    await screen.press("enter")
    #expect(screen.text.contains("Finger › How is it captured?") && screen.text.contains("Right Thumb (Rolled)"))
    await screen.press("enter")
    #expect(screen.text.contains("Finger › Right Thumb (Rolled) › With which sensor?"))
    #expect(screen.text.contains("Add a new sensor"))
    await screen.press("enter")
    #expect(screen.text.contains("New sensor › Where is the sensor?"))
    #expect(screen.text.contains("Enter a sensor address below."))
    #expect(screen.controller.wantsText)
  }

  @Test func `the sensor is checked once, three seconds after typing stops`() async throws {
    let screen = try await atSetup()
    for character in "127.0.0.1:8000" {
      await screen.type(String(character))
      await screen.advance(by: 0.5)
    }
    #expect(screen.text.contains("Checking the address …"))
    #expect(plugin.sensors.newCalls().isEmpty)
    await screen.advance(by: 2.4)
    #expect(plugin.sensors.newCalls().isEmpty)
    await screen.advance(by: 0.2)
    #expect(plugin.sensors.newCalls() == ["ask http://127.0.0.1:8000"])
    #expect(screen.text.contains("Found a sensor at this address."))
    await screen.advance(by: 30)
    #expect(plugin.sensors.newCalls().isEmpty)
  }

  @Test func `done stores the item with its sensor, and nothing is stored earlier`() async throws {
    let screen = try await atSetup()
    await screen.press("tab")
    await screen.type("desk")
    await screen.press("enter")
    await screen.type("127.0.0.1:8000/")
    await screen.press("enter")
    #expect(try await plugin.records.items(of: 1).isEmpty)
    await screen.advance(by: 3.1)
    await screen.press("enter")
    let item = try #require(try await plugin.records.items(of: 1).first)
    #expect(item.submodality.wireName == "RightThumbRolled" && item.modality == .finger)
    #expect(item.device.name == "desk" && item.device.address == "http://127.0.0.1:8000")
    #expect(item.device.configuration["submodality"] == .string("RightThumbRolled"))
    #expect(popped(screen))
  }

  @Test func `an unreachable sensor is accepted, but an unsuitable one is not`() async throws {
    plugin.sensors.state.withLock { state in
      state.information["http://iris"] = RememberingSensors.information("Iris", "LeftIris")
      state.information["http://index"] = RememberingSensors.information("Finger", "RightIndexRolled")
    }
    let screen = try await atSetup()
    await screen.type("iris")
    await screen.advance(by: 3.1)
    #expect(screen.text.contains("The sensor at this address can't capture Finger data."))
    await screen.press("enter")
    await screen.press("ctrl-u")
    await screen.type("index")
    await screen.advance(by: 3.1)
    #expect(screen.text.contains("can't capture Right Thumb (Rolled) data."))
    await screen.press("enter")
    #expect(try await plugin.records.items(of: 1).isEmpty)
    await screen.press("ctrl-u")
    await screen.type("nobody.example")
    await screen.advance(by: 3.1)
    #expect(screen.text.contains("No sensor found at this address."))
    await screen.press("enter")
    #expect(try await plugin.records.items(of: 1).map(\.device.address) == ["http://nobody.example"])
  }

  @Test(arguments: [("Aura", "RightThumbRolled"), ("Finger", "RightIndexRolled")])
  func `33: a sensor that cannot capture the submodality is accepted after confirmation`(
    _ modality: String, _ submodality: String
  ) async throws {
    plugin.sensors.state.withLock { state in
      state.information["http://odd"] = RememberingSensors.information(modality, submodality)
    }
    let screen = try await atSetup()
    await screen.type("odd")
    await screen.press("ctrl-s")
    #expect(!screen.requests.contains { if case .question = $0 { true } else { false } }, "nobody knows it yet")
    await screen.advance(by: 3.1)
    #expect(screen.text.contains("ctrl-s uses it anyway"))
    #expect(screen.outline.items.last?.text == "Use it anyway")
    await screen.press("enter")
    await screen.press("ctrl-s")
    await screen.answer("back")
    #expect(try await plugin.records.items(of: 1).isEmpty && !popped(screen))
    await screen.press("ctrl-s")
    await screen.answer("keep")
    #expect(try await plugin.records.items(of: 1).map(\.device.address) == ["http://odd"])
    #expect(popped(screen))
  }

  @Test func `submodalities of older and newer services can be chosen`() async throws {
    plugin.sensors.state.withLock { state in
      state.information["http://old"] = RememberingSensors.information("face", "frontalFace")
    }
    let screen = try await new()
    await screen.press("down", "enter", "end", "enter")
    #expect(screen.text.contains("Face › Frontal Face › With which sensor?"))
    await screen.press("enter")
    await screen.type("old")
    await screen.advance(by: 3.1)
    #expect(screen.text.contains("Found a sensor at this address."))
    await screen.press("enter")
    #expect(try await plugin.records.items(of: 1).map(\.submodality.wireName) == ["frontalFace"])
  }

  @Test func `in linear mode, address and name are typed as answers, and done is an item`()
    async throws
  {
    let screen = try await atSetup()
    for (id, text) in [("address", "127.0.0.1:8000"), ("name", "desk")] {
      let action = try #require(screen.outline.items.first { $0.id == id }?.action)
      await screen.perform(action)
      await screen.answer(text)
    }
    #expect(screen.outline.items.map(\.id) == ["address", "name"])
    await screen.advance(by: 3.1)
    await screen.perform(try #require(screen.outline.items.first { $0.id == "done" }?.action))
    let device = try #require(try await plugin.records.items(of: 1).first?.device)
    #expect(device.address == "http://127.0.0.1:8000" && device.name == "desk")
  }

  @Test func `leaving the page ends the check, and nothing is stored`() async throws {
    let screen = try await atSetup()
    await screen.type("127.0.0.1:8000")
    await screen.press("escape")
    await screen.advance(by: 10)
    #expect(plugin.sensors.newCalls().isEmpty)
    #expect(screen.text.contains("With which sensor?"))
    await screen.press("left", "left", "left")
    #expect(popped(screen))
    #expect(try await plugin.records.items(of: 1).isEmpty)
  }

  @Test func `each step shows hints for its own keys only`() async throws {
    let screen = try await new()
    func told() -> String { screen.controller.status.map(\.text).joined(separator: " · ") }
    // Help lists all keys; the line of hints has no room for those of other steps.
    #expect(
      WalkthroughController.description.actions.flatMap(\.keys) == ["enter", "left", "f", "tab", "ctrl-r", "ctrl-s"])
    for action in WalkthroughController.description.actions where !action.keys.isEmpty {
      #expect(action.title.count > 40 && action.title.contains(action.id == "choose" ? "last one" : ", in "))
    }
    #expect(told() == "step 1 of 4 · enter continues")
    await screen.press("f", "ctrl-s", "ctrl-r")
    #expect(plugin.sensors.newCalls().isEmpty && told() == "step 1 of 4 · enter continues")
    await screen.press("enter")
    #expect(told() == "step 2 of 4 · enter continues")
    await screen.press("enter")
    #expect(told() == "step 3 of 4 · enter continues · f searches")
    await screen.press("f")
    #expect(plugin.sensors.newCalls() == ["discover Finger"] && told() == "no sensor found · f searches again")
    await screen.press("enter")
    #expect(told() == "step 4 of 4" && !screen.text.contains("enter"))
    await screen.press("tab")
    #expect(screen.text.contains("enter the address · tab other line · ctrl-r checks again"))
    await screen.press("enter")
    await screen.type("127.0.0.1:8000")
    await screen.advance(by: 3.1)
    #expect(screen.text.contains("enter is done"))
  }

  @Test func `checking again sends the request at once`() async throws {
    let screen = try await atSetup()
    await screen.type("127.0.0.1:8000")
    await screen.press("ctrl-r")
    await screen.advance(by: 0.06)
    #expect(plugin.sensors.newCalls() == ["ask http://127.0.0.1:8000"])
  }

  @Test func `fifty keystrokes a second send no request`() async throws {
    let screen = try await atSetup()
    for round in 0...200 {
      if round % 2 == 0 { await screen.type("a") } else { await screen.press("backspace") }
      await screen.advance(by: 0.02)
    }
    #expect(plugin.sensors.newCalls().isEmpty)
    await screen.advance(by: 3)
    #expect(plugin.sensors.newCalls().count == 1)
  }

  @Test func `recent sensors of the modality are offered first, with their settings`() async throws {
    try await plugin.add("Grace", ["RightThumbRolled"])
    let screen = try await test.screen("walkthrough", ["person": 1])
    await screen.press("enter", "enter")
    #expect(screen.text.contains("desk 1") && screen.text.contains("http://127.0.0.1:8000"))
    await screen.press("enter")
    #expect(screen.text.contains("Name      desk 1"))
    await screen.advance(by: 3.1)
    #expect(plugin.sensors.newCalls() == ["ask http://127.0.0.1:8000"])
    await screen.press("enter")
    #expect(try await plugin.records.items(of: 1).count == 2)
  }

  @Test func `every step of a stored item can keep its value`() async throws {
    let item = try await plugin.add("Ada", ["RightThumbRolled"])[0]
    let screen = try await test.screen("walkthrough", ["item": .integer(item.id)])
    #expect(screen.text.contains("Keep the current settings"))
    await screen.press("enter", "enter", "enter")
    #expect(screen.text.contains("Where is the sensor?") && screen.text.contains("http://127.0.0.1:8000"))
    await screen.advance(by: 3.1)
    await screen.press("ctrl-s")
    let kept = try await plugin.records.items(of: 1)
    #expect(kept.count == 1 && kept[0].id == item.id && kept[0].device.name == "desk 1")
    #expect(popped(screen))
  }

  @Test func `an item with a capture cannot be renamed by setting up its sensor`() async throws {
    let item = try await plugin.add("Ada", ["LeftIndexFlat"], capture: [1, 2, 3])[0]
    let screen = try await test.screen("walkthrough", ["item": .integer(item.id), "from": "submodality"])
    // After its own row comes the first of all, which the sensor captures.
    await screen.press("down", "enter", "enter")
    await screen.advance(by: 3.1)
    await screen.press("enter")
    #expect(try await plugin.records.item(item.id).submodality == item.submodality && !popped(screen))
  }

  @Test func `setting up the sensor of a stored item begins at the sensor, and edits the item`() async throws {
    let item = try await plugin.add("Ada", ["RightThumbRolled"])[0]
    let screen = try await test.screen("walkthrough", ["item": .integer(item.id), "from": "device"])
    #expect(screen.text.contains("With which sensor?"))
    await screen.press("end", "enter")
    await screen.type("other.example")
    await screen.advance(by: 3.1)
    await screen.press("enter")
    let kept = try await plugin.records.item(item.id)
    #expect(kept.device.address == "http://other.example" && kept.submodality == item.submodality)
  }

  @Test func `an item with a capture keeps its submodality, and the walkthrough gives the reason`() async throws {
    let item = try await plugin.add("Ada", ["RightThumbRolled"], capture: [1, 2, 3])[0]
    let screen = try await test.screen(
      "walkthrough", ["item": .integer(item.id)], size: Size(width: 77, height: 21))
    let reason = "'Right Thumb (Rolled)' is already captured; to change it"
    await screen.press("down", "down", "enter")
    #expect(screen.text.contains("What is captured?") && screen.text.contains(reason))
    #expect(screen.outline.text.first?.hasPrefix(reason) == true)
    #expect(screen.controller.status.first?.text == "step 1 of 4")
    await screen.press("up")
    #expect(!screen.text.contains(reason))
    await screen.press("enter")
    #expect(screen.text.contains("How is it captured?"))
    await screen.press("end", "enter")
    #expect(screen.text.contains("How is it captured?") && screen.text.contains(reason))
    #expect(screen.text.contains("Unknown Finger (Rolled)"))
    await screen.press("home", "down", "enter")
    #expect(screen.text.contains("With which sensor?") && !screen.text.contains(reason))
    #expect(try await plugin.records.item(item.id).submodality == item.submodality)
  }

  @Test func `an item without a capture can get any submodality`() async throws {
    let item = try await plugin.add("Ada", ["RightThumbRolled"])[0]
    let screen = try await test.screen("walkthrough", ["item": .integer(item.id), "from": "submodality"])
    await screen.press("end", "enter")
    #expect(screen.text.contains("Unknown Finger (Rolled) › With which sensor?"))
  }

  @Test func `an address of another scheme is reported, and nothing is stored`() async throws {
    let screen = try await atSetup()
    await screen.type("ftp://files")
    await screen.advance(by: 3.1)
    await screen.press("enter")
    #expect(try await plugin.records.items(of: 1).isEmpty)
    #expect(!popped(screen))
    #expect(screen.outline.text.count == 2)
    #expect(plugin.sensors.newCalls().isEmpty)
  }

  @Test func `a malformed address is reported at once with an example, and no request is sent`() async throws {
    let screen = try await atSetup()
    await screen.type("http://127.0.0.1:80000")
    #expect(screen.text.contains("No address yet: the port of the sensor's address is not a number from 1 to"))
    #expect(screen.text.contains("for example 'http://192.168.1.20:8000/Service'"))
    await screen.press("ctrl-r", "enter", "ctrl-s")
    await screen.advance(by: 10)
    #expect(plugin.sensors.newCalls().isEmpty && !popped(screen))
    #expect(!screen.outline.items.contains { $0.id == "done" })
    await screen.press("backspace")
    #expect(screen.text.contains("Checking the address …") && !screen.text.contains("No address yet"))
    await screen.perform(ActionInvocation("type", ["line": "address"]))
    await screen.answer("ftp://files")
    #expect(screen.text.contains("No address yet: unsupported scheme 'ftp' in the address of the sensor"))
  }
}
