import BenchmarkSupport
import PluginAPI
import PluginVault

@testable import WSABI

/// A store on the device with an item for each of some sensors, and links that write into it.
struct BenchmarkStore: Sendable {
  let records: RecordStore
  let orders: [CaptureOrder]
  private let path: String

  /// - Parameter addresses: The base addresses of the sensors.
  init(_ addresses: [String]) async throws {
    path = ScratchFolder().path
    let key = VaultKeySource.key([UInt8](repeating: 0x5A, count: 32))
    records = try await RecordStore.create(at: path + "/people", key: key)
    orders = try await Self.addPerson(records, addresses)
  }

  /// Adds a person with an item for each sensor.
  ///
  /// - Returns: The captures to take.
  @discardableResult
  static func addPerson(
    _ records: RecordStore, _ addresses: [String], named name: String = "Benchmark"
  ) async throws -> [CaptureOrder] {
    let time = RecordStore.systemClock()
    var biography = Biography()
    biography.lastName = name
    let person = try await records.addPerson(biography, at: time)
    let configuration = WireDictionary([.init("submodality", .string("RightThumbFlat"))])
    var orders: [CaptureOrder] = []
    for (number, address) in addresses.enumerated() {
      let device = DeviceDefinition(
        name: "sensor \(number + 1)", address: address, configuration: configuration, edited: time)
      let draft = DraftItem(
        person: person.id, modality: .finger, submodality: Submodality(wire: "RightThumbFlat"), device: device)
      let item = try await records.addItem(draft, at: time)
      orders.append(
        CaptureOrder(item: item.id, address: try SensorAddress(parsing: address), configuration: configuration))
    }
    return orders
  }

  /// Returns the items of all orders.
  func items() async throws -> [BiometricItem] {
    var items: [BiometricItem] = []
    for order in orders { items.append(try await records.item(order.item)) }
    return items
  }

  /// Links as the program has them.
  func links(onNote: @escaping @Sendable (LinkNote) -> Void = { _ in }) -> LinkManager {
    let access = SensorAccess(isOffline: false)
    let clock = LinkClock(now: RecordStore.systemClock) { try await Task.sleep(for: .milliseconds($0)) }
    return LinkManager({ access.connection($0) }, records, clock, onNote: onNote)
  }

  func remove() async {
    await records.close()
    _ = Program.run(["rm", "-rf", path])
  }
}
