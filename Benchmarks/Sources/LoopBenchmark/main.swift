import BenchmarkSupport
@preconcurrency import Dispatch
import Glibc
import PluginAPI
import Synchronization

@testable import Host

// The event loop's queue: events posted by another thread, run in order on the main actor.
//
// Sustained: a thread posts as fast as it can; the time runs from the first post until the last event ran. Each event is a
// closure of its own with a captured number, as real events are; the second case posts one and the same closure.
// Latency: a thread posts a million events a second, evenly; each carries the moment it was posted.

let loop = HostEventLoop()

/// The count of events; only touched on the main actor.
@MainActor final class Ledger {
  var count = 0
  var sum = 0
  var latencies: [Double] = []
}

/// Posts from a thread of its own and waits until everything ran.
///
/// - Returns: The milliseconds from the first post to the end of the last event.
func timed(_ posting: @escaping @Sendable () -> Void) async -> Double {
  let start = Timing.milliseconds()
  await withCheckedContinuation { continuation in
    let thread = DispatchQueue(label: "events")
    thread.async {
      posting()
      loop.post { continuation.resume() }
    }
  }
  return Timing.milliseconds() - start
}

@MainActor func measureThroughput(_ count: Int) async {
  let ledger = Ledger()
  var (own, same) = (0.0, 0.0)
  for _ in 0..<7 {
    let time = await timed {
      for number in 0..<count { loop.post { ledger.sum &+= number } }
    }
    own = max(own, Double(count) / time / 1000)
    let event: @MainActor @Sendable () -> Void = { ledger.count += 1 }
    let again = await timed {
      for _ in 0..<count { loop.post(event) }
    }
    same = max(same, Double(count) / again / 1000)
  }
  precondition(ledger.count == 7 * count, "an event was lost")
  precondition(ledger.sum == 7 * (count * (count - 1) / 2), "an event was lost")
  Measurement("event queue: a closure for each event", own, unit: "million/s", floor: 20).print()
  Measurement("event queue: the same closure", same, unit: "million/s", floor: 20).print()
}

@MainActor func measureLatency(count: Int, perSecond: Double) async {
  let ledger = Ledger()
  ledger.latencies.reserveCapacity(count)
  _ = await timed {
    let start = Timing.milliseconds()
    for number in 0..<count {
      let due = start + Double(number) / perSecond * 1000
      while Timing.milliseconds() < due {}
      let posted = Timing.milliseconds()
      loop.post { ledger.latencies.append(Timing.milliseconds() - posted) }
    }
  }
  let sorted = ledger.latencies.sorted()
  Measurement("event queue: median latency at 1 million/s", sorted[count / 2] * 1000, unit: "µs").print()
  Measurement("event queue: p99 latency at 1 million/s", sorted[count * 99 / 100], unit: "ms", bar: 1).print()
}

Task { @MainActor in
  await measureThroughput(2_000_000)
  await measureLatency(count: 1_000_000, perSecond: 1e6)
  exit(0)
}
dispatchMain()
