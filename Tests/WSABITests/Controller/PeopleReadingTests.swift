import PluginAPI
import PluginImages
import PluginTesting
import Testing

@testable import WSABI

/// The reads of the list of people during consecutive captures: each item once, by one reader.
@MainActor @Suite struct PeopleReadingTests {
  let plugin: ScreensPlugin
  let test: TestPlugin

  init() async throws {
    plugin = try await ScreensPlugin.opened()
    test = try await TestPlugin(plugin)
  }

  @Test func `thumbnails of many captures are all read, one reader at a time`() async throws {
    let png = try PNGWriter.bytes(of: Picture(width: 30, height: 40, pixels: [UInt8](repeating: 255, count: 4800)))
    let items = try await plugin.add("Ada", (0..<40).map { _ in "RightThumbFlat" })
    for item in items { try await plugin.records.sampleCapture(item.id, StoreSamples.uuid(item.id), png) }
    let (controller, first) = try await begun()
    var effects = first
    var readings = 0
    // As many readers as there are: none starts while another one reads.
    while let reading = Load("thumbnails", among: effects) {
      readings += 1
      let others = controller.receive(.timer("rest")) + controller.perform(ActionInvocation("item"))
      #expect(!Self.begins("thumbnails", others))
      effects = try await reading.run(on: controller)
    }
    #expect((2...40).contains(readings))
    let found = try await plugin.records.thumbnails(of: Array(1...40))
    #expect(found.kept.count == 40)
    let state = try #require(controller.view as? PeopleView).state
    #expect((1...40).allSatisfy { !state.lacksThumbnail($0) })
  }

  @Test func `a list that changes during a read is read to its end, and then again`() async throws {
    try await plugin.add("Ada")
    let (controller, _) = try await begun()
    let changed = Message.notification(
      Notification(topic: WSABIScreens.recordsTopic, plugin: "wsabi", payload: .integer(1)))
    func isTimer(_ effect: Effect) -> Bool {
      if case .timer(let timer) = effect { timer.id == "refresh" } else { false }
    }
    #expect(controller.receive(changed).contains(where: isTimer))
    #expect(controller.receive(changed).isEmpty)
    let reading = try #require(Load("list", among: controller.receive(.timer("refresh"))))
    // A change reported during a read is not part of it.
    #expect(controller.receive(changed).contains(where: isTimer))
    #expect(!Self.begins("list", controller.receive(.timer("refresh"))))
    #expect(try await reading.run(on: controller).contains(where: isTimer))
    #expect(Self.begins("list", controller.receive(.timer("refresh"))))
  }

  @Test func `keys wait while the list is read and while the last selection is sought`()
    async throws
  {
    for name in ["Ada", "Grace"] { try await plugin.add(name) }
    let made = try plugin.makeController(ScreenRequest("people"), test.context)
    made.restore(Array("2".utf8))
    let geometry = ScreenGeometry(size: Size(width: 90, height: 24), pixelsPerCell: Size(width: 1, height: 2))
    _ = made.handle(.resize(geometry))
    let placing = try #require(Load("place", among: made.start()))
    #expect(made.isLoading)
    let reading = try #require(Load("list", among: try await placing.run(on: made)))
    #expect(made.isLoading)
    _ = try await reading.run(on: made)
    #expect(!made.isLoading)
  }

  /// Returns a list that was started and read, whose effects are not run.
  private func begun() async throws -> (PeopleController, [Effect]) {
    let made = try plugin.makeController(ScreenRequest("people"), test.context)
    let controller = try #require((made as? WatchedController)?.watched as? PeopleController)
    let geometry = ScreenGeometry(size: Size(width: 90, height: 24), pixelsPerCell: Size(width: 1, height: 2))
    _ = controller.handle(.resize(geometry))
    let reading = try #require(Load("list", among: controller.start()))
    return (controller, try await reading.run(on: controller))
  }

  private static func begins(_ name: String, _ effects: [Effect]) -> Bool { Load(name, among: effects) != nil }
}
