import FoundationEssentials
import Glibc
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// A user at a station: the plugin with its own store, and simulated sensors.
final class StationUser: Sendable {
  let plugin: TestPlugin
  let simulator: SensorSimulator
  private let folder: TemporaryFolder

  /// The file that opens the store.
  var keyFile: String { folder.path.path + "/station.key" }
  var home: String { folder.path.path + "/home" }

  /// Starts sensors and a plugin; the store is made by `store init`.
  init(
    sensors: Int = 2, _ configure: @Sendable (inout SimulatorConfiguration) -> Void = { _ in }
  ) async throws {
    folder = try TemporaryFolder()
    var configuration = SimulatorConfiguration()
    configuration.sensors = sensors
    configuration.modalities = [.finger]
    configuration.captureSizeInBytes = 20_000
    configure(&configuration)
    simulator = try SensorSimulator(configuration)
    mkdir(folder.path.path + "/home", 0o700)
    plugin = try await TestPlugin(WSABIPlugin(), isOffline: false, home: folder.path.path + "/home")
  }

  /// Returns a user with an open store.
  static func enrolling(
    sensors: Int = 2, _ configure: @Sendable (inout SimulatorConfiguration) -> Void = { _ in }
  ) async throws -> StationUser {
    let user = try await StationUser(sensors: sensors, configure)
    try await user.run("store init --new-key-file \(user.keyFile) --user anna")
    return user
  }

  /// Returns the same station after its process ended: nothing is open.
  ///
  /// - Parameter times: The waiting times of links.
  func restarted(_ times: LinkTimes = LinkTimes()) async throws -> TestPlugin {
    try await TestPlugin(WSABIPlugin(times: times), isOffline: false, home: home)
  }

  /// Returns the store of the plugin itself.
  func store() throws -> RecordStore {
    try #require(try plugin.plugin.makeStore("people", plugin.context) as? RecordStore)
  }

  /// Returns the address of a sensor, from 1.
  func address(_ number: Int) -> String { simulator.addresses[number - 1] }

  /// A fault that makes the sensors report the day of the plugin's clock, which is fixed in tests.
  var sameClock: String { "date@download=\(ExactInstant.text(plugin.context.now()).prefix(19))" }

  @discardableResult
  func run(_ line: String) async throws -> CommandResult { try await plugin.run(line: line) }

  func value(_ line: String) async throws -> Value { try await run(line).value }

  /// Returns the error a command line ends with; nil if it ends well.
  func report(_ line: String) async -> ErrorReport? {
    do {
      try await run(line)
      return nil
    } catch {
      return (error as? any ReportableError)?.report
    }
  }

  /// Adds a person with items for both index fingers at the first two sensors.
  func addPerson(_ name: String = "Ada") async throws {
    try await run("person add --first-name \(name) --last-name Lovelace")
    let person = try await value("person list").list?.last?["id"].integer ?? 0
    try await run("item add \(person) --submodality RightIndexFlat --sensor \(address(1)) --sensor-name left-desk")
    let last = address(min(2, simulator.addresses.count))
    try await run("item add \(person) --submodality LeftIndexFlat --sensor \(last)")
  }

  func stop() async { await simulator.stop() }
}
