import PluginAPI
import PluginImages
import PluginTesting
import Synchronization
import Testing

@testable import WSABI

@MainActor @Suite struct CardControllerTests {
  let plugin: ScreensPlugin
  let test: TestPlugin

  init() async throws {
    plugin = try await ScreensPlugin.opened()
    test = try await TestPlugin(plugin)
  }

  private static let address = "http://127.0.0.1:8000"

  private func card(_ item: BiometricItem, _ width: Int = 100, _ height: Int = 24) async throws -> ScreenDriver {
    try await test.screen("card", ["item": .integer(item.id)], size: Size(width: width, height: height))
  }

  private func item(_ word: String = "RightThumbFlat", capture: [UInt8]? = nil) async throws -> BiometricItem {
    let added = try await plugin.add("Ada Lovelace", [word], capture: capture)[0]
    return try await plugin.records.item(added.id)
  }

  private func note(_ event: String, _ item: BiometricItem, _ more: Record = [:]) async {
    var record: Record = ["event": .text(event), "item": .integer(item.id), "address": .text(Self.address)]
    for field in more.fields { record[field.name] = field.value }
    plugin.note(.record(record))
    await test.settle()
  }

  private func link(_ isReady: Bool) async {
    plugin.note(["event": "connected", "address": .text(Self.address), "isReady": .bool(isReady)])
    await test.settle()
  }

  private func step(_ operation: SensorOperation, _ status: String? = nil) async {
    plugin.note([
      "event": "step", "address": .text(Self.address), "operation": .text(operation.rawValue),
      "status": .optional(status),
    ])
    await test.settle()
  }

  private static func png(_ width: Int = 40, _ height: Int = 30) throws -> [UInt8] {
    let pixels = (0..<4 * width * height).map { $0 % 4 == 3 ? UInt8(255) : UInt8(truncatingIfNeeded: $0 / 5) }
    return try PNGWriter.bytes(of: Picture(width: width, height: height, pixels: pixels))
  }

  // MARK: The button

  @Test func `opening configures the sensor, and the button waits until it is ready`() async throws {
    let item = try await item()
    let screen = try await card(item)
    #expect(plugin.sensors.newCalls() == ["configure \(item.id)"])
    #expect(screen.text.contains("Right Thumb · Ada Lovelace"))
    #expect(screen.text.contains("[ ◐ ]") && !screen.text.contains("Waiting for sensor"))
    await screen.advance(by: 3.9)
    #expect(!screen.text.contains("Waiting for sensor"))
    await screen.advance(by: 0.2)
    #expect(screen.text.contains("Waiting for sensor"))
    await link(true)
    #expect(screen.text.contains("Tap to capture ]"))
  }

  @Test func `a capture can be stopped and then started again`() async throws {
    let item = try await item()
    let screen = try await card(item)
    await link(true)
    _ = plugin.sensors.newCalls()
    await screen.press("enter")
    #expect(plugin.sensors.newCalls() == ["capture \(item.id)"])
    #expect(screen.text.contains("[ ■ Stop capture ]"))
    await screen.press("space")
    #expect(plugin.sensors.newCalls() == ["cancel item \(item.id)"])
    await note("ended", item, ["outcome": "given-up", "reason": ""])
    #expect(screen.text.contains("Tap to capture"))
  }

  @Test func `a sensor problem is shown on the button, and pressing it reconnects the sensor`() async throws {
    let item = try await item()
    let screen = try await card(item)
    await link(true)
    await screen.press("enter")
    await note("ended", item, ["outcome": "refused", "reason": "the glass is dirty"])
    #expect(screen.text.contains("[ ▲ Sensor problem: the glass is dirty ]"))
    _ = plugin.sensors.newCalls()
    await screen.press("enter")
    #expect(plugin.sensors.newCalls() == ["configure \(item.id)"])
    await screen.advance(by: 1.9)
    #expect(!screen.text.contains("Reconnecting"))
    await screen.advance(by: 0.2)
    #expect(screen.text.contains("Reconnecting to the sensor"))
    await link(true)
    #expect(screen.text.contains("Tap to capture"))
  }

  @Test func `a problem without a reason has a default text`() async throws {
    let item = try await item()
    let screen = try await card(item)
    await note("ended", item, ["outcome": "failed", "reason": ""])
    #expect(screen.text.contains("There's a problem communicating with the sensor."))
  }

  @Test func `the card does not say that the sensor captures while it waits for it`() async throws {
    let item = try await item()
    let screen = try await card(item)
    await link(true)
    await screen.press("enter")
    #expect(screen.text.contains("capturing …"))
    await note("waiting", item, ["status": "lockHeldByAnother"])
    #expect(!screen.text.contains("capturing …"))
    await step(.capture)
    #expect(screen.text.contains("capturing …"))
  }

  @Test func `key hints are complete in a narrow terminal`() async throws {
    let item = try await item()
    let screen = try await card(item, 80)
    func told() -> String { screen.controller.status.map(\.text).joined() }
    await link(true)
    #expect(told() == "enter captures · b turns the card · w sensor")
    await note("ended", item, ["outcome": "unknown", "reason": "the connection was cut"])
    #expect(told() == "enter shows choices · b turns the card")
  }

  @Test func `a capture of unknown outcome is reported, and never repeated automatically`() async throws {
    let item = try await item()
    let screen = try await card(item)
    await link(true)
    await screen.press("enter")
    _ = plugin.sensors.newCalls()
    await note("ended", item, ["outcome": "unknown", "reason": "the connection was cut"])
    #expect(screen.text.contains("outcome unknown (the connection was cut)"))
    await screen.advance(by: 60)
    #expect(plugin.sensors.newCalls().isEmpty)
  }

  @Test func `a capture waits for the lock of another client, and steals it only on request`() async throws {
    let item = try await item()
    let screen = try await card(item)
    await link(true)
    await screen.press("enter")
    await note("waiting", item, ["status": "lockHeldByAnother", "milliseconds": 500])
    await screen.advance(by: 4.1)
    #expect(screen.text.contains("Waiting for sensor"))
    _ = plugin.sensors.newCalls()
    await screen.press("S")
    await screen.answer("leave")
    // Requesting the state of the lock does not steal it.
    #expect(plugin.sensors.newCalls() == ["ask \(Self.address)"])
    await screen.press("enter")
    #expect(plugin.sensors.newCalls() == ["cancel item \(item.id)"])
    await note("ended", item, ["outcome": "given-up", "reason": ""])
    #expect(screen.text.contains("Tap to capture"))
  }

  @Test func `a wait is shown after its delay, despite notes of other items`() async throws {
    let item = try await item()
    let other = try await plugin.add("Grace", ["Face2d"])[0]
    let screen = try await card(item)
    func waits(_ seconds: Int) async {
      for _ in 0..<2 * seconds {
        await screen.advance(by: 0.5)
        await note("waiting", item, ["status": "lockHeldByAnother", "milliseconds": 500])
        await note("trouble", other, ["reason": "the disk is full"])
        await step(.tryLock, "lockHeldByAnother")
      }
    }
    await waits(3)
    #expect(!screen.text.contains("Waiting for sensor"))
    await waits(2)
    #expect(screen.text.contains("Waiting for sensor"))
    await note("ended", item, ["outcome": "refused", "reason": "the glass is dirty"])
    await screen.press("enter")
    await screen.advance(by: 1.5)
    await note("trouble", other, ["reason": "the disk is full"])
    #expect(!screen.text.contains("Reconnecting"))
    await screen.advance(by: 0.6)
    #expect(screen.text.contains("Reconnecting to the sensor"))
  }

  @Test func `every card shows since when another client holds the lock`() async throws {
    let item = try await item()
    let address = try item.device.sensorAddress()
    let seen = Instant(seconds: 1795224894)
    plugin.holds.withLock { $0.take(.held(address, message: "desk 3 works"), at: seen) }
    for _ in 0..<2 {
      let screen = try await card(item)
      await note("waiting", item, ["status": "lockHeldByAnother", "milliseconds": 500])
      await screen.advance(by: 0.6)
      #expect(screen.text.contains("locked by another client (it says: desk 3 works) since 01:34:54 UTC"))
      await screen.press("S")
      guard let sheet = screen.choice else {
        Issue.record("nothing is asked")
        return
      }
      #expect(sheet.title == "Another client holds the lock since 01:34:54 UTC; it says: desk 3 works")
    }
  }

  @Test func `the dialog about the lock shows its age and how long stealing is refused`() async throws {
    plugin.sensors.state.withLock { state in
      state.information[Self.address] = ServiceInformation(
        WireDictionary([.init("lockStealingPreventionPeriod", .integer(61_440, type: "int"))]), namespace: .bioserv)
    }
    let item = try await item()
    let screen = try await card(item)
    await link(true)
    await screen.press("enter")
    await note("waiting", item, ["status": "lockHeldByAnother", "milliseconds": 500])
    await screen.advance(by: 1)
    #expect(screen.text.contains("locked by another client since 20:26:40 UTC"))
    #expect(screen.text.contains("S steals it, possible in 62 s"))
    await screen.press("S")
    guard let sheet = screen.choice else {
      Issue.record("nothing is asked")
      return
    }
    #expect(sheet.isDestructive && sheet.title.hasPrefix("Another client holds the lock since 20:26:40 UTC"))
    #expect(sheet.choices.map(\.id) == ["again", "steal", "steal-cancel", "leave"])
    _ = plugin.sensors.newCalls()
    await screen.answer("steal-cancel")
    // The operation that waits for the lock ends first; then the capture that needed it starts again.
    #expect(
      plugin.sensors.newCalls() == [
        "cancel item \(item.id)", "steal \(Self.address) and cancel", "capture \(item.id)",
      ])
    #expect(screen.text.contains("stole the lock of the sensor"))
  }

  @Test func `a steal that the sensor does not allow yet is reported, and nothing is captured`() async throws {
    plugin.sensors.state.withLock { $0.steals = .failure }
    let item = try await item()
    let screen = try await card(item)
    await link(true)
    await screen.press("enter")
    await note("ended", item, ["outcome": "refused", "reason": "held", "status": "lockHeldByAnother"])
    #expect(screen.text.contains("another client holds the lock"))
    await screen.press("S")
    _ = plugin.sensors.newCalls()
    await screen.answer("steal")
    #expect(plugin.sensors.newCalls() == ["steal \(Self.address)"])
    #expect(screen.text.contains("the sensor does not allow stealing its lock yet"))
    #expect(screen.text.contains("another client holds the lock"))
  }

  @Test func `a sensor that stays busy can be interrupted, and then captures`() async throws {
    let item = try await item()
    let screen = try await card(item)
    await link(true)
    await screen.press("enter")
    await note("ended", item, ["outcome": "refused", "reason": "busy", "status": "sensorBusy"])
    _ = plugin.sensors.newCalls()
    await screen.press("enter")
    await screen.answer("interrupt")
    #expect(plugin.sensors.newCalls() == ["interrupt \(Self.address)", "capture \(item.id)"])
  }

  @Test func `a lost capture is repeated only on request`() async throws {
    let item = try await item()
    let screen = try await card(item)
    await link(true)
    await screen.press("enter")
    await note("lost", item, ["reason": "the service no longer has the data (invalidId)"])
    #expect(screen.text.contains("the capture is lost"))
    _ = plugin.sensors.newCalls()
    await screen.press("enter")
    await screen.answer("leave")
    #expect(plugin.sensors.newCalls().isEmpty && screen.text.contains("the capture is lost"))
    await screen.press("enter")
    await screen.answer("again")
    #expect(plugin.sensors.newCalls() == ["capture \(item.id)"])
    #expect(screen.text.contains("Stop capture"))
  }

  @Test func `a decision left open by an earlier run is shown when the card is opened`() async throws {
    let item = try await item()
    let intent = CaptureIntent(
      item: item.id, address: StoreSamples.address, session: StoreSamples.uuid(1), configuration: WireDictionary())
    try await plugin.records.end(
      try await plugin.records.begin(intent), .unknown(reason: "the program ended before the response"))
    let screen = try await card(item)
    #expect(screen.text.contains("outcome unknown"))
    #expect(plugin.sensors.newCalls().isEmpty)
    let number = try await plugin.records.begin(intent)
    try await plugin.records.captured(number, ids: [StoreSamples.uuid(40)])
    let next = try await card(item)
    await next.press("enter")
    await next.answer("fetch")
    #expect(plugin.sensors.newCalls() == ["fetch"])
  }

  @Test func `an item and its sensor cannot be changed or removed during a capture`() async throws {
    let item = try await item()
    let screen = try await card(item)
    await link(true)
    await screen.press("enter")
    await screen.press("w", "W", "c", "x")
    #expect(!screen.requests.contains { if case .pop = $0 { true } else { false } })
    #expect(!screen.requests.contains { if case .question = $0 { true } else { false } })
    guard case .status(let diagnostic)? = screen.requests.last else {
      Issue.record("nothing is said")
      return
    }
    #expect(diagnostic.code == "wsabi.capturing-now")
  }

  @Test(arguments: [true, false])
  func `closing the card cancels its capture if the setting says so`(isOn: Bool) async throws {
    plugin.cancels.withLock { $0 = isOn }
    let item = try await item()
    do {
      let screen = try await card(item)
      await link(true)
      await screen.press("enter")
      _ = plugin.sensors.newCalls()
    }
    #expect(plugin.sensors.newCalls() == (isOn ? ["cancel item \(item.id)"] : []))
  }

  @Test func `a dropped session is registered again while the capture continues`() async throws {
    let item = try await item()
    let screen = try await card(item)
    await link(true)
    await screen.press("enter")
    await note("capturing", item)
    await step(.register)
    await screen.advance(by: 2.1)
    #expect(screen.text.contains("Reconnecting to the sensor"))
    await step(.register, "success")
    await step(.capture)
    #expect(screen.text.contains("Stop capture"))
  }

  @Test func `notes of other items and links change nothing`() async throws {
    let item = try await item()
    let other = try await plugin.add("Grace", ["Face2d"])[0]
    let screen = try await card(item)
    await link(true)
    await note("ended", other, ["outcome": "refused", "reason": "broken"])
    plugin.note(["event": "connected", "address": "http://127.0.0.1:9999", "isReady": false])
    plugin.note(["event": "nonsense"])
    plugin.note(.null)
    await test.settle()
    #expect(screen.text.contains("Tap to capture"))
  }

  // MARK: Pictures

  @Test func `a capture is shown once it is stored, and the button disappears`() async throws {
    let item = try await item()
    let screen = try await card(item)
    await link(true)
    await screen.press("enter")
    await note("captured", item)
    #expect(screen.frame.pictures.isEmpty)
    try await plugin.records.sampleCapture(item.id, StoreSamples.uuid(5), try Self.png())
    await note("stored", item, ["capture": 1])
    #expect(screen.frame.pictures.count == 1)
    #expect(screen.text.contains("Stored") && screen.text.contains("captured"))
    #expect(screen.text.contains("Size") && screen.text.contains("Received"))
    _ = plugin.sensors.newCalls()
    await screen.press("enter")
    #expect(plugin.sensors.newCalls().isEmpty)
  }

  @Test func `pictures keep their proportions within their area`() async throws {
    let item = try await item(capture: try Self.png(400, 100))
    let rect = try #require(try await card(item).frame.pictures.first).rect
    // A cell is twice as high as wide; whole cells make it a little more or less than 4.
    let ratio = Double(rect.width) / Double(2 * rect.height)
    #expect((3.6...4.4).contains(ratio))
  }

  @Test func `data that is not a picture is described, with its metadata`() async throws {
    let added = try await plugin.add("Ada", ["RightThumbFlat"])[0]
    try await plugin.records.sampleCapture(
      added.id, StoreSamples.uuid(5), [1, 2, 3],
      metadata: WireDictionary([.init("captureDate", .dateTime("2026-11-21T08:00:00Z"))]))
    let screen = try await card(try await plugin.records.item(added.id))
    #expect(screen.text.contains("cannot show the picture:"))
    #expect(screen.text.contains("Capture date") && screen.text.contains("2026-11-21 08:00:00 UTC"))
  }

  @Test func `a picture that claims a billion pixels is not decoded`() async throws {
    var bitmap = [UInt8](repeating: 0, count: 54)
    bitmap.replaceSubrange(0..<2, with: Array("BM".utf8))
    (bitmap[10], bitmap[14], bitmap[26], bitmap[28]) = (54, 40, 1, 24)
    (bitmap[20], bitmap[24]) = (0x0F, 0x0F)
    let item = try await item(capture: bitmap)
    let screen = try await card(item)
    #expect(screen.frame.pictures.isEmpty)
    #expect(screen.text.contains("cannot show the picture"))
  }

  private func showPreview(_ frames: [[UInt8]] = []) {
    plugin.sensors.state.withLock { ($0.frames, $0.hasPreview) = (frames, true) }
  }

  @Test func `the live preview continues during a capture, and ends after it`() async throws {
    let frame = try Self.png()
    showPreview([frame])
    let item = try await item()
    let screen = try await card(item)
    #expect(plugin.sensors.newCalls() == ["configure \(item.id)", "preview"])
    await link(true)
    for _ in 0..<10_000 where screen.frame.pictures.isEmpty {
      await Task.yield()
      await screen.advance(by: 0.1)
    }
    #expect(screen.frame.pictures.count == 1 && screen.text.contains("Live"))
    await screen.press("enter")
    #expect(screen.frame.pictures.count == 1 && screen.text.contains("Live"))
    #expect(plugin.sensors.newCalls() == ["capture \(item.id)"])
    await note("captured", item)
    #expect(screen.frame.pictures.isEmpty)
  }

  // MARK: The next item

  @Test func `after a capture the button leads to the next open item`() async throws {
    let items = try await plugin.add("Ada Lovelace", ["RightThumbFlat", "LeftIris", "Face2d", "RightIris"])
    try await plugin.records.sampleCapture(items[1].id, StoreSamples.uuid(1), try Self.png())
    let out = Annotation(conditions: [.amputated], notes: "")
    _ = try await plugin.records.annotate(items[2].id, out, at: StoreFolder.time)
    let screen = try await card(items[0])
    await link(true)
    #expect(!screen.text.contains("Next:"))
    await screen.press("enter")
    try await plugin.records.sampleCapture(items[0].id, StoreSamples.uuid(2), try Self.png())
    await note("finished", items[0], ["outcome": "stored", "reason": ""])
    #expect(screen.text.contains("[ ▶ Next: Right Iris ]"))
    _ = plugin.sensors.newCalls()
    await screen.press("enter")
    #expect(screen.text.contains("Right Iris · Ada Lovelace"))
    #expect(plugin.sensors.newCalls() == ["configure \(items[3].id)"])
    plugin.note(["event": "connected", "address": .text(items[3].device.address), "isReady": true])
    await test.settle()
    await screen.press("enter")
    #expect(plugin.sensors.newCalls() == ["capture \(items[3].id)"])
    try await plugin.records.sampleCapture(items[3].id, StoreSamples.uuid(3), try Self.png())
    await note("finished", items[3], ["outcome": "stored", "reason": ""])
    #expect(screen.text.contains("captured") && !screen.text.contains("Next:"))
  }

  // MARK: The back

  @Test func `the back has a row for each part, and stores its condition and notes`() async throws {
    let item = try await item("LeftSlap")
    let screen = try await card(item)
    await screen.press("b")
    for part in ["Index", "Middle", "Ring", "Little"] { #expect(screen.text.contains(part)) }
    await screen.press("down", "enter")
    await screen.answer("amputated")
    await screen.press("down", "down", "down", "enter")
    #expect(screen.pushed.last == ScreenRequest("notes", arguments: ["item": .integer(item.id)]))
    await screen.receive(.returned(screen: "notes", "cut short in 1990"))
    await screen.receive(.returned(screen: "notes", .null))
    let kept = try await plugin.records.item(item.id).annotation
    #expect(kept == Annotation(conditions: [.present, .amputated, .present, .present], notes: "cut short in 1990"))
    #expect(screen.text.contains("amputated") && screen.text.contains("cut short in 1990"))
    await screen.press("b")
    #expect(screen.text.contains("Middle amputated"))
  }

  @Test func `an item with one part has one row, named after its submodality`() async throws {
    let screen = try await card(try await item("LeftIris"))
    await screen.press("b")
    #expect(screen.outline.items.map(\.text) == ["Left Iris: present", "Notes: none"])
  }

  // MARK: Clearing, deleting, setting up

  @Test func `a key captures an item again, but not while a capture runs`() async throws {
    let item = try await item(capture: try Self.png())
    let screen = try await card(item)
    _ = plugin.sensors.newCalls()
    await screen.press("R")
    #expect(plugin.sensors.newCalls() == ["capture \(item.id)"])
    // No second capture runs beside it.
    await screen.press("R")
    #expect(plugin.sensors.newCalls().isEmpty)
    await note("capturing", item)
    await note("finished", item, ["outcome": "stored", "reason": ""])
    await screen.press("R")
    #expect(plugin.sensors.newCalls() == ["capture \(item.id)"])
  }

  @Test func `before the first capture there is nothing to capture again`() async throws {
    let item = try await item()
    let screen = try await card(item)
    await link(true)
    _ = plugin.sensors.newCalls()
    await screen.press("R")
    #expect(plugin.sensors.newCalls().isEmpty)
  }

  @Test func `clearing needs a confirmation and the key, and then the item can be captured again`() async throws {
    showPreview()
    let item = try await item(capture: try Self.png())
    let screen = try await card(item)
    await screen.press("c")
    guard let sheet = screen.choice else {
      Issue.record("nothing is asked")
      return
    }
    #expect(sheet.choices.map(\.id) == ["keep", "do"] && sheet.selected == "keep")
    await screen.answer("do")
    await screen.answer("wrong")
    #expect(try await plugin.records.item(item.id).capture != nil)
    await screen.press("c")
    await screen.answer("do")
    await screen.answer("correct horse battery staple")
    #expect(try await plugin.records.item(item.id).capture == nil)
    #expect(screen.frame.pictures.isEmpty)
    // The sensor was not set ahead before, as there was a capture.
    #expect(plugin.sensors.newCalls() == ["configure \(item.id)", "preview"])
    await link(true)
    #expect(screen.text.contains("Tap to capture"))
  }

  @Test func `deleting an item closes its card`() async throws {
    let item = try await item()
    let screen = try await card(item)
    await screen.press("x")
    await screen.answer("do")
    await screen.answer("correct horse battery staple")
    #expect(try await plugin.records.items(of: item.person).isEmpty)
    #expect(screen.requests.contains { if case .pop = $0 { true } else { false } })
  }

  @Test func `a notification requests the setup of the sensor, and the card closes`() async throws {
    let item = try await item()
    let screen = try await card(item)
    await screen.press("w")
    #expect(
      test.context.notifications.last
        == Notification(
          topic: "wsabi.walkthrough-asked", plugin: "wsabi",
          payload: ["item": .integer(item.id), "from": "device"]))
    #expect(screen.requests.contains { if case .pop = $0 { true } else { false } })
  }

  @Test func `a wrong sensor address is reported on the button`() async throws {
    let added = try await item()
    var draft = DraftItem(added)
    draft.device.address = "ftp://elsewhere"
    _ = try await plugin.records.edit(item: added.id, draft, at: StoreFolder.time)
    let screen = try await card(added)
    #expect(screen.text.contains("Sensor problem: its address is wrong"))
    #expect(plugin.sensors.newCalls().isEmpty)
  }

  @Test func `the card draws in a frame of any size`() async throws {
    let item = try await item("LeftSlap", capture: try Self.png())
    for (width, height) in [(0, 0), (1, 1), (10, 3), (30, 8), (200, 60)] {
      let screen = try await card(item, width, height)
      _ = screen.frame
      await screen.press("b")
      #expect(screen.frame.frameSize == Size(width: width, height: height))
    }
  }

  @Test func `truncated or omitted facts are marked`() {
    let fields = [Outline.Field("Sensor", "desk"), .init("Address", String(repeating: "longer ", count: 30))]
    func text(_ width: Int, _ height: Int) -> [String] {
      FactLines.lines(of: fields, in: Size(width: width, height: height)).map { $0.map(\.text).joined() }
    }
    #expect(text(20, 9) == ["Sensor", "desk", "Address", "longer longer longer", "longer longer longe…"])
    #expect(text(20, 4) == ["Sensor   desk", "Address", "longer longer longer", "longer longer longe…"])
    #expect(text(20, 3) == ["Sensor   desk", "… and 1 more"])
    #expect(text(20, 1) == ["… and 2 more"])
    #expect(text(0, 0).isEmpty)
  }

  @Test func `notes that do not fit on the back end in an ellipsis`() async throws {
    let item = try await item("LeftIris")
    let notes = (1...40).map { "line \($0)" }.joined(separator: "\n")
    _ = try await plugin.records.annotate(
      item.id, Annotation(conditions: [.present], notes: notes), at: StoreFolder.time)
    let screen = try await card(item, 60, 12)
    await screen.press("b")
    let lines = screen.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.last?.hasSuffix("line 8 …") == true, "\(screen.text)")
  }

  // MARK: The lightbox

  @Test func `the lightbox shows one capture in full, and stays with its item`() async throws {
    let items = try await plugin.add("Ada", ["RightThumbFlat", "Face2d", "LeftIris"], capture: try Self.png())
    try await plugin.records.sampleCapture(items[0].id, StoreSamples.uuid(7), [9, 9, 9])
    let screen = try await test.screen("lightbox", ["item": .integer(items[2].id)])
    #expect(screen.controller.title == "Left Iris" && screen.frame.pictures.count == 1)
    for key in ["p", "n", "n"] {
      await screen.press(key)
      #expect(screen.controller.title == "Left Iris" && screen.frame.pictures.count == 1)
    }
    let other = try await test.screen("lightbox", ["item": .integer(items[0].id)])
    #expect(other.controller.title == "Right Thumb" && other.frame.pictures.isEmpty)
    #expect(other.text.contains("cannot show the picture"))
  }
}
