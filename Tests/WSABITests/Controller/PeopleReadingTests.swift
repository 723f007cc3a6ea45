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

  @Test func `small pictures of many captures are all read, one reader after the other`() async throws {
    let png = try PNGWriter.bytes(of: Picture(width: 30, height: 40, pixels: [UInt8](repeating: 255, count: 4800)))
    let items = try await plugin.add("Ada", (0..<40).map { _ in "RightThumbFlat" })
    for item in items { try await plugin.records.sampleCapture(item.id, StoreSamples.uuid(item.id), png) }
    let (controller, first) = try begun()
    var effects = first
    var readings = 0
    // As many readers as there are: none starts while another one reads.
    while let work = effects.compactMap({ Self.work(PeopleController.showing, $0) }).first {
      readings += 1
      let others = controller.receive(.timer(PeopleController.resting)) + controller.perform(ActionInvocation("item"))
      #expect(others.allSatisfy { Self.work(PeopleController.showing, $0) == nil })
      effects = controller.receive(.finished(PeopleController.showing, try work(Steady())))
    }
    #expect((2...40).contains(readings))
    let found = try await plugin.records.thumbnails(of: Array(1...40))
    #expect(found.kept.count == 40)
    #expect((1...40).allSatisfy { !controller.state.lacksThumbnail($0) })
  }

  @Test func `a list that changes while it is read is read to its end, and once more`() async throws {
    try await plugin.add("Ada")
    let (controller, _) = try begun()
    let changed = Message.notification(
      Notification(topic: WSABIScreens.recordsTopic, plugin: "wsabi", payload: .integer(1)))
    func isTimer(_ effect: Effect) -> Bool {
      if case .timer(PeopleController.refreshing, _, _) = effect { true } else { false }
    }
    func isReading(_ effect: Effect) -> Bool { Self.work(PeopleController.listing.name, effect) != nil }
    #expect(controller.receive(changed).contains(where: isTimer))
    #expect(controller.receive(changed).isEmpty)
    let reading = controller.receive(.timer(PeopleController.refreshing))
    let work = try #require(reading.compactMap { Self.work(PeopleController.listing.name, $0) }.first)
    let id = try #require(reading.compactMap { Self.id($0) }.first { $0.name == PeopleController.listing.name })
    // A change reported during a read is not part of it.
    #expect(controller.receive(changed).contains(where: isTimer))
    #expect(!controller.receive(.timer(PeopleController.refreshing)).contains(where: isReading))
    #expect(controller.receive(.finished(id, try work(Steady()))).contains(where: isTimer))
    #expect(controller.receive(.timer(PeopleController.refreshing)).contains(where: isReading))
  }

  @Test func `keys wait while the list is read, and while the place of who was selected last is looked for`()
    async throws
  {
    for name in ["Ada", "Grace"] { try await plugin.add(name) }
    let made = try plugin.makeController(ScreenRequest("people"), test.context)
    made.restore(Array("2".utf8))
    let geometry = ScreenGeometry(size: Size(width: 90, height: 24), pixelsPerCell: Size(width: 1, height: 2))
    let placing = made.handle(.resize(geometry)) ?? []
    #expect(made.isLoading)
    let place = try #require(placing.compactMap { Self.work(PeopleController.placing, $0) }.first)
    let reading = made.receive(.finished(PeopleController.placing, try place(Steady())))
    #expect(made.isLoading)
    let list = try #require(reading.compactMap { Self.work(PeopleController.listing.name, $0) }.first)
    let id = try #require(reading.compactMap { Self.id($0) }.first { $0.name == PeopleController.listing.name })
    _ = made.receive(.finished(id, try list(Steady())))
    #expect(!made.isLoading)
  }

  /// Returns a list that was started and read, whose effects are not run.
  private func begun() throws -> (PeopleController, [Effect]) {
    let made = try plugin.makeController(ScreenRequest("people"), test.context)
    let controller = try #require((made as? WatchedController)?.watched as? PeopleController)
    let geometry = ScreenGeometry(size: Size(width: 90, height: 24), pixelsPerCell: Size(width: 1, height: 2))
    let effects = controller.handle(.resize(geometry)) ?? []
    let work = try #require(effects.compactMap { Self.work(PeopleController.listing.name, $0) }.first)
    let id = try #require(effects.compactMap { Self.id($0) }.first)
    return (controller, controller.receive(.finished(id, try work(Steady()))))
  }

  private static func id(_ effect: Effect) -> EffectID? {
    if case .compute(let id, _, _) = effect { id } else { nil }
  }

  private typealias Work = @Sendable (any WorkProgress) throws -> any Sendable

  private static func work(_ id: EffectID, _ effect: Effect) -> Work? { work(id.name, effect) }

  private static func work(_ name: String, _ effect: Effect) -> Work? {
    if case .compute(let id, _, let work) = effect, id.name == name { work } else { nil }
  }
}

/// Work that is not canceled.
private struct Steady: WorkProgress {
  var isCancelled: Bool { false }
  func report(_ progress: Progress) {}
}
