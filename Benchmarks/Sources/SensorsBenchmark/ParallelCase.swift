import BenchmarkSupport
import Synchronization

@testable import WSABI

/// Many sensors at once from one process: what is stored beside what a bare client gets out of the same sensors, without
/// and with the review of each capture going on behind, and how long the main actor stands still meanwhile.
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
    var (bare, links, runs): ([Double], [Double], [Double]) = ([], [], [])
    let (stalls, scoringStalls) = (StallWatch(), StallWatch())
    let scored = Mutex(0)
    for _ in 0..<rounds {
      guard let rate = BareClient(process.addresses)?.rate(seconds: secondsPerRound) else {
        await store.remove()
        return Measurement.skip(title, because: "the bare client could not go on")
      }
      bare.append(rate)
      links.append(
        await captures(store, stalls) { links, order in
          _ = await links.capture(order)
        })
      runs.append(try await scoredCaptures(store, scoringStalls) { scored.withLock { $0 += 1 } })
    }
    let ceiling = Timing.median(bare)
    await tell("\(title): captures stored for each second", links, ceiling, stalls)
    await tell("\(title), scored behind: captures stored for each second", runs, ceiling, scoringStalls)
    Measurement(
      "\(title), scored behind: captures scored meanwhile", Double(scored.withLock { $0 }), unit: "1", floor: 1
    )
    .print()
    await store.remove()
  }

  private func tell(_ title: String, _ rates: [Double], _ ceiling: Double, _ stalls: StallWatch) async {
    Measurement(
      title, Timing.median(rates), unit: "1/s", peer: ("bare client, nothing stored", ceiling),
      floor: floor.map { $0 * ceiling }
    ).print()
    Measurement("\(title): main actor late, p99", await stalls.quantile(0.99), unit: "ms", bar: 20).print()
    Measurement("\(title): main actor late, longest", await stalls.quantile(1), unit: "ms").print()
  }

  /// Returns the number of captures stored per second when every sensor captures repeatedly as in the program: each
  /// capture is scored and gets a thumbnail while the next ones are taken.
  private func scoredCaptures(
    _ store: BenchmarkStore, _ stalls: StallWatch, onScore: @escaping @Sendable () -> Void
  ) async throws -> Double {
    let items = Dictionary(uniqueKeysWithValues: try await store.items().map { ($0.id, $0) })
    let review = CaptureReview(records: store.records)
    let judging = Judging()
    let rate = await captures(store, stalls) { links, order in
      guard let item = items[order.item] else { return }
      var run = CaptureRun(links: links, records: store.records)
      // The user continues with the next sensor without waiting for the review.
      run.review = { record, submodality in
        judging.add(
          Task {
            if (try? await review.review(record, of: submodality)) != nil { onScore() }
          })
        return ReviewedCapture(record: record)
      }
      _ = try? await run.capture([item])
    }
    await judging.end()
    return rate
  }

  /// Returns the number of captures stored per second when every sensor captures repeatedly.
  private func captures(
    _ store: BenchmarkStore, _ stalls: StallWatch,
    _ capture: @escaping @Sendable (LinkManager, CaptureOrder) async -> Void
  ) async -> Double {
    let stored = Mutex(0)
    let links = store.links { note in if case .stored = note { stored.withLock { $0 += 1 } } }
    await links.connect(store.orders.map(\.address))
    // As with the bare client, all sensors have captured once when the time begins.
    await withTaskGroup(of: Void.self) { group in
      for order in store.orders { group.addTask { await capture(links, order) } }
    }
    let before = stored.withLock { $0 }
    let start = Timing.milliseconds()
    let end = start + secondsPerRound * 1000
    let watching = Task { await stalls.watch(until: end) }
    var rate = 0.0
    await withTaskGroup(of: Void.self) { group in
      for order in store.orders {
        group.addTask { while Timing.milliseconds() < end { await capture(links, order) } }
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

/// Reviews that run while captures continue.
private final class Judging: Sendable {
  private let tasks = Mutex<[Task<Void, Never>]>([])

  func add(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }

  /// Lets go of those that still wait.
  func end() async {
    let tasks = tasks.withLock { $0 }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
