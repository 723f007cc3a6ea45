import BenchmarkSupport
import Synchronization

@testable import WSABI

/// Many sensors at once from one process: what is stored beside what a bare client gets out of the same sensors, and how
/// long the main actor stands still meanwhile.
struct ParallelCase {
  let workbench: String
  let name: String
  var sensors = 256
  let options: [String]
  /// The part of the bare client's rate that ours shall have; nil for none.
  var floor: Double?
  var rounds = 3
  var secondsPerRound = 20.0

  func run() async throws {
    let title = "\(sensors) sensors at once, \(name)"
    guard let process = SensorProcess(workbench, sensors: sensors, options) else {
      return Measurement.skip(title, because: "no simulated sensors to be had")
    }
    let store = try await BenchmarkStore(process.addresses)
    var (ours, bare): ([Double], [Double]) = ([], [])
    let stalls = StallWatch()
    for _ in 0..<rounds {
      guard let rate = BareClient(process.addresses)?.rate(seconds: secondsPerRound) else {
        await store.remove()
        return Measurement.skip(title, because: "the bare client could not go on")
      }
      bare.append(rate)
      ours.append(try await captures(store, stalls))
    }
    let (own, ceiling) = (Timing.median(ours), Timing.median(bare))
    Measurement(
      "\(title): captures stored for each second", own, unit: "1/s", peer: ("bare client, nothing stored", ceiling),
      floor: floor.map { $0 * ceiling }
    ).print()
    Measurement("\(title): main actor late, p99", await stalls.quantile(0.99), unit: "ms", bar: 20).print()
    Measurement("\(title): main actor late, longest", await stalls.quantile(1), unit: "ms").print()
    await store.remove()
  }

  /// How many captures are stored for each second when every sensor captures again and again.
  private func captures(_ store: BenchmarkStore, _ stalls: StallWatch) async throws -> Double {
    let stored = Mutex(0)
    let links = store.links { note in if case .stored = note { stored.withLock { $0 += 1 } } }
    await links.connect(store.orders.map(\.address))
    // As with the bare client, all sensors have captured once when the time begins.
    await withTaskGroup(of: Void.self) { group in
      for order in store.orders { group.addTask { _ = await links.capture(order) } }
    }
    let before = stored.withLock { $0 }
    let start = Timing.milliseconds()
    let end = start + secondsPerRound * 1000
    let watching = Task { await stalls.watch(until: end) }
    var rate = 0.0
    await withTaskGroup(of: Void.self) { group in
      for order in store.orders {
        group.addTask { while Timing.milliseconds() < end { _ = await links.capture(order) } }
      }
      try? await Task.sleep(for: .milliseconds(max(0, end - Timing.milliseconds())))
      let count = stored.withLock { $0 } - before
      rate = Double(count) / (Timing.milliseconds() - start) * 1000
    }
    await watching.value
    await links.close()
    return rate
  }
}
