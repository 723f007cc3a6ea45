import PluginAPI
import PluginTesting
import PluginVault
import Synchronization
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// An unused store is locked, its visible content is gone, and no operation in progress is lost by it.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct IdleLockTests {
  private let user: StationUser
  private let station: Station
  private let records: RecordStore
  private var context: TestContext { user.plugin.context }

  init() async throws {
    user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    station = try #require(user.plugin.plugin as? WSABIPlugin).station
    records = station.records(user.plugin.context)
  }

  /// Advances the time, and has the station check it, as it does every few seconds.
  private func pass(minutes: Int64) async {
    var now = context.now()
    now.seconds += 60 * minutes
    context.setNow(now)
    await station.lockIfIdle(context)
    context.loop.drain()
  }

  /// Advances the time until the store is locked; automatic requests of screens end before.
  private func lock(afterMinutes minutes: Int64) async {
    await pass(minutes: minutes)
    await until {
      await station.lockIfIdle(context)
      return records.isLocked
    }
    context.loop.drain()
  }

  /// Opens a screen, and waits until it shows a text.
  private func screen(_ name: String, _ arguments: Record = Record(), with text: String) async throws -> ScreenDriver {
    let screen = try await user.plugin.screen(name, arguments, size: Size(width: 100, height: 30))
    await until {
      context.loop.drain()
      await screen.advance(by: 0.1)
      return screen.text.contains(text)
    }
    return screen
  }

  @Test func `the store is locked after the idle time of the setting`() async throws {
    #expect(Station.idleLimit(context) == 15 * 60)
    await pass(minutes: 14)
    #expect(!records.isLocked)
    await pass(minutes: 1)
    #expect(records.isLocked)
    #expect(await user.report("person list")?.code == "wsabi.key-needed")
    try await user.run("person list --key-file \(user.keyFile)")
    try context.set("idle-lock", to: 2)
    await pass(minutes: 2)
    #expect(records.isLocked)
    let told = try await user.value("log --key-file \(user.keyFile)")["entries"].list ?? []
    #expect(told.count { $0["action"] == "locked" } == 2)
    await user.stop()
  }

  @Test func `a command after the idle time finds the store locked`() async throws {
    var now = context.now()
    now.seconds += 15 * 60
    context.setNow(now)
    #expect(await user.report("person list")?.code == "wsabi.key-needed")
    await user.stop()
  }

  @Test func `keys and clicks postpone the lock`() async throws {
    let screen = try await screen("people", with: "Lovelace")
    for key in ["down", "up"] {
      await pass(minutes: 14)
      await screen.press(key)
    }
    await pass(minutes: 14)
    #expect(!records.isLocked && screen.pushed.isEmpty)
    await lock(afterMinutes: 1)
    #expect(screen.pushed.last?.screen == "unlock")
    await user.stop()
  }

  @Test func `every screen closes with the lock, and none shows personal data afterwards`() async throws {
    let people = try await screen("people", with: "Lovelace")
    let form = try await screen("biography", ["person": 1], with: "Lovelace")
    await lock(afterMinutes: 15)
    for screen in [people, form] { #expect(screen.pushed.last?.screen == "unlock") }
    let all: [(String, Record)] = [
      ("unlock", [:]), ("people", [:]), ("biography", ["person": 1]), ("card", ["item": 1]),
    ]
    for (name, arguments) in all {
      let screen = try await user.plugin.screen(name, arguments, size: Size(width: 100, height: 30))
      context.loop.drain()
      #expect(!screen.text.contains("Lovelace") && !screen.text.contains("Ada"), "\(name)")
    }
    await user.stop()
  }

  @Test func `a capture in progress is stored completely before the store is locked`() async throws {
    let (station, context) = (station, context)
    let locked = Mutex(false)
    var run = station.captureRun(context, records)
    run.review = { [records] record, _ in
      var now = context.now()
      now.seconds += 3600
      context.setNow(now)
      await station.lockIfIdle(context)
      locked.withLock { $0 = records.isLocked }
      return ReviewedCapture(record: record)
    }
    let results = try await run.capture([try await records.item(1)])
    #expect(!locked.withLock { $0 })
    #expect(results.map { $0.problem == nil } == [true])
    await lock(afterMinutes: 0)
    try await records.unlock(.keyFile(path: user.keyFile))
    #expect(try await records.item(1).capture != nil)
    await user.stop()
  }

  @Test func `an open journal entry keeps the store unlocked until it ends`() async throws {
    let address = try SensorAddress(parsing: user.address(1))
    let number = try await records.begin(
      CaptureIntent(item: 1, address: address, session: StoreSamples.uuid(1), configuration: WireDictionary()))
    await pass(minutes: 60)
    #expect(!records.isLocked)
    try await records.end(number, .unknown(reason: "cut"))
    await pass(minutes: 0)
    #expect(records.isLocked)
    await user.stop()
  }
}
