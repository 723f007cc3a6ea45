import Foundation
import PluginAPI
import PluginImages
import PluginTesting
import Synchronization
import Testing

@testable import WSABI

/// The pages that a user reads, compared with reviewed pages.
@MainActor @Suite struct ScreenPagesTests {
  let plugin: ScreensPlugin
  let test: TestPlugin

  init() async throws {
    plugin = try await ScreensPlugin.opened()
    test = try await TestPlugin(plugin)
    let picture = Picture(width: 60, height: 80, pixels: [UInt8](repeating: 200, count: 4 * 60 * 80))
    let items = try await plugin.add(
      "Ada Lovelace", ["RightThumbRolled", "RightMiddleRolled", "LeftIris", "Face2d"],
      capture: try PNGWriter.bytes(of: picture))
    var biography = StoreSamples.biography("Ada", "Lovelace")
    (biography.datesOfBirth, biography.placesOfBirth) = (["1815-12-10"], ["London"])
    (biography.gender, biography.notes) = ("Female", "left-handed")
    _ = try await plugin.records.edit(person: 1, biography, at: StoreFolder.time)
    _ = try await plugin.records.annotate(
      items[1].id, Annotation(conditions: [.bandaged], notes: ""), at: StoreFolder.time)
    try await plugin.add("王小明", ["RightThumbFlat"])
    try await plugin.add("עברית")
  }

  /// Compares a screen with its recorded page; `RECORD_SNAPSHOTS=1` records it again.
  private func expect(_ screen: ScreenDriver, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appendingPathComponent("Snapshots/\(name).txt")
    let size = screen.geometry.size
    let text = "\(size.width)×\(size.height)\n\(screen.text)\n"
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" { try Data(text.utf8).write(to: file) }
    let recorded = try? String(contentsOf: file, encoding: .utf8)
    #expect(text == recorded, "\(name) differs from its page", sourceLocation: sourceLocation)
  }

  @Test(arguments: [(97, 27), (60, 17), (40, 9)]) func `the list of people`(_ width: Int, _ height: Int) async throws {
    let screen = try await test.screen("people", size: Size(width: width, height: height))
    await screen.press("right")
    try expect(screen, "people-\(width)")
  }

  @Test func `the list behind a lock, with the last of many people selected`() async throws {
    for number in 10...40 { try await plugin.add("Person \(number)") }
    let screen = try await test.screen("people", size: Size(width: 80, height: 21))
    await screen.receive(.returned(screen: "settings", ["person": 34]))
    try expect(screen, "people-80")
  }

  @Test(arguments: [(80, 21), (40, 9)]) func `the form of a person`(_ width: Int, _ height: Int) async throws {
    try expect(
      try await test.screen("biography", ["person": 1], size: Size(width: width, height: height)), "biography-\(width)")
  }

  @Test(arguments: [(57, 15), (27, 6)]) func `the picker of a day`(_ width: Int, _ height: Int) async throws {
    try expect(try await test.screen("date", ["person": 1], size: Size(width: width, height: height)), "date-\(width)")
  }

  @Test(arguments: [(80, 21), (40, 9)]) func `the last step of the walkthrough`(_ width: Int, _ height: Int)
    async throws
  {
    let screen = try await test.screen("walkthrough", ["person": 1], size: Size(width: width, height: height))
    await screen.press("enter", "enter", "end", "enter")
    await screen.type("nobody.example:8000/Service")
    await screen.advance(by: 4)
    try expect(screen, "walkthrough-\(width)")
  }

  @Test(arguments: [(80, 21), (40, 9)]) func `the settings`(_ width: Int, _ height: Int) async throws {
    plugin.sensors.state.withLock { state in
      state.operations = [
        PendingOperation(
          number: 3, address: StoreSamples.address, item: 7, stage: .asking(.capture), began: StoreFolder.time)
      ]
    }
    try expect(try await test.screen("settings", size: Size(width: width, height: height)), "settings-\(width)")
  }

  @Test(arguments: [(80, 21), (40, 9)]) func `the screen before the store`(_ width: Int, _ height: Int) async throws {
    await plugin.records.lock()
    let screen = try await test.screen("unlock", size: Size(width: width, height: height))
    await screen.press("enter")
    await screen.answer("not this one")
    try expect(screen, "unlock-\(width)")
  }
}
