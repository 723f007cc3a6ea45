import PluginAPI
import Synchronization
import Testing

@testable import WSABI

/// A service's information is read as often as necessary, and no more.
@Suite(.timeLimit(.minutes(2)))
struct LinkInformationTests {
  private final class Clock: Sendable {
    private let seconds = Mutex<Int64>(0)
    func advance(bySeconds count: Int64) { seconds.withLock { $0 += count } }

    /// Waits up to 30 s end at once; longer ones last until they are canceled.
    var clock: LinkClock {
      var clock = ScriptedStation.clock()
      clock.now = { Instant(seconds: self.seconds.withLock { $0 }) }
      return clock
    }
  }

  private let clock = Clock()
  private let journal = MemoryJournal()

  private func manager(_ sensor: ScriptedSensor) -> LinkManager {
    LinkManager({ _ in sensor }, journal, clock.clock, onNote: { _ in })
  }

  /// Returns information whose last change is at a given time.
  private static func information(_ moment: String?, submodalities: String...) -> WireDictionary {
    var items = [
      WireDictionary.Item(
        "submodality",
        .parameter(
          SensorParameter(name: "submodality", type: "string", allowedValues: submodalities.map { .string($0) })))
    ]
    if let moment {
      let parameter = SensorParameter(
        name: "lastUpdated", type: "dateTime", isReadOnly: true, defaultValue: .dateTime(moment))
      items.append(.init("lastUpdated", .parameter(parameter)))
    }
    return WireDictionary(items)
  }

  private static let thumbs = information("2026-01-01T00:00:00Z", submodalities: "LeftThumbFlat", "RightThumbFlat")

  private func count(_ sensor: ScriptedSensor, _ operation: SensorOperation) -> Int {
    sensor.asked.count { $0 == operation }
  }

  @Test func `service information is read once, and again when it is stale`() async {
    let sensor = ScriptedSensor(information: Self.thumbs)
    let manager = manager(sensor)
    for _ in 0..<3 { _ = await manager.capture(ScriptedStation.order(1, sensor)) }
    #expect(count(sensor, .getServiceInfo) == 1)
    clock.advance(bySeconds: 599)
    _ = await manager.capture(ScriptedStation.order(1, sensor))
    #expect(count(sensor, .getServiceInfo) == 1)
    clock.advance(bySeconds: 1)
    for _ in 0..<3 { _ = await manager.capture(ScriptedStation.order(1, sensor)) }
    #expect(count(sensor, .getServiceInfo) == 2)
    #expect(count(sensor, .getConfiguration) == 1, "a service that was not updated has what it took")
    #expect(journal.kept.count == 7)
  }

  @Test func `updated service information applies, and the configuration is read back again`() async {
    let sensor = ScriptedSensor(information: Self.thumbs)
    let manager = manager(sensor)
    _ = await manager.capture(ScriptedStation.order(1, sensor))
    sensor.say(Self.information("2026-02-01T00:00:00Z", submodalities: "LeftThumbFlat"))
    clock.advance(bySeconds: 600)
    _ = await manager.capture(ScriptedStation.order(1, sensor))
    #expect(count(sensor, .getConfiguration) == 2)
    // An earlier moment is another one too.
    sensor.say(Self.information("2025-02-01T00:00:00Z", submodalities: "RightThumbFlat"))
    clock.advance(bySeconds: 600)
    let asked = count(sensor, .setConfiguration)
    let report = await manager.capture(ScriptedStation.order(1, sensor))
    guard case .refused(.configure, .badValue, _, ["submodality"]) = report.outcome.ending else {
      Issue.record("\(report.outcome.ending)")
      return
    }
    #expect(count(sensor, .setConfiguration) == asked, "what it cannot do is not asked of it")
  }

  @Test func `settings are sent in the service's spelling, without a warning`() async {
    let sensor = ScriptedSensor(information: Self.information(nil, submodalities: "right thumb", "leftThumb"))
    let report = await manager(sensor).capture(ScriptedStation.order(1, sensor))
    let sent = sensor.requests.first { $0.operation == .setConfiguration }?.configuration
    #expect(sent?["submodality"] == .string("leftThumb"))
    #expect(report.outcome.ending == .captured([SequencePlayer.capture(1)]) && report.outcome.warnings == [])
    #expect(count(sensor, .capture) == 1)
  }

  @Test func `service information without an update time is compared as a whole`() async {
    let sensor = ScriptedSensor(information: Self.information(nil, submodalities: "LeftThumbFlat"))
    let manager = manager(sensor)
    for _ in 0..<2 {
      _ = await manager.capture(ScriptedStation.order(1, sensor))
      clock.advance(bySeconds: 600)
    }
    #expect(count(sensor, .getServiceInfo) == 2 && count(sensor, .getConfiguration) == 1)
    sensor.say(Self.information(nil, submodalities: "LeftThumbFlat", "LeftSlap"))
    _ = await manager.capture(ScriptedStation.order(1, sensor))
    #expect(count(sensor, .getServiceInfo) == 3 && count(sensor, .getConfiguration) == 2)
  }

  @Test func `service information is read again after a forgotten session or a refused setting`() async {
    for (operation, status) in [
      (SensorOperation.tryLock, OperationStatus.invalidID), (.setConfiguration, .noSuchParameter),
      (.setConfiguration, .unsupported),
    ] {
      let sensor = ScriptedSensor(information: Self.thumbs)
      let manager = manager(sensor)
      sensor.script(operation, .status(status))
      for _ in 0..<3 { _ = await manager.capture(ScriptedStation.order(1, sensor)) }
      #expect(count(sensor, .getServiceInfo) == 2, "\(status.word)")
    }
  }

  @Test func `a failed read of service information keeps the old one, and is repeated`() async {
    let sensor = ScriptedSensor(information: Self.thumbs)
    let manager = manager(sensor)
    _ = await manager.capture(ScriptedStation.order(1, sensor))
    clock.advance(bySeconds: 600)
    sensor.script(.getServiceInfo, .fault(.timedOut(seconds: 10), .unknown))
    for _ in 0..<3 { _ = await manager.capture(ScriptedStation.order(1, sensor)) }
    #expect(count(sensor, .getServiceInfo) == 3 && journal.kept.count == 4)
  }

  @Test func `the information from an address check updates the link`() async {
    let sensor = ScriptedSensor(information: Self.thumbs)
    let manager = manager(sensor)
    _ = await manager.capture(ScriptedStation.order(1, sensor))
    clock.advance(bySeconds: 599)
    let found = Self.information("2026-03-01T00:00:00Z", submodalities: "LeftThumbFlat")
    await manager.hear(ServiceInformation(found, namespace: .bioserv), from: sensor.address)
    clock.advance(bySeconds: 599)
    _ = await manager.capture(ScriptedStation.order(1, sensor))
    #expect(count(sensor, .getServiceInfo) == 1 && count(sensor, .getConfiguration) == 2)
    #expect(await manager.link(sensor.address).information?.lastUpdated == "2026-03-01T00:00:00Z")
  }
}
