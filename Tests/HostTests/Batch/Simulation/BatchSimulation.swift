import Glibc
import PluginText

@testable import Host

/// A batch run on a virtual clock: the shards of the planner, claimed in the order of the executor, by workers that
/// start late and are lost.
struct BatchSimulation {
  /// The delays of a system, as measured.
  struct Delays {
    /// The times from a claim to the first item, used one after the other.
    var starts: [Double]
    /// A Boolean value indicating whether each shard is a job, with a start of its own; otherwise a worker starts once.
    var isStartPerShard: Bool
    /// The share of the nodes that are lost in an hour.
    var lossesPerHour = 0.0
    /// The time from a loss until the shard may run again.
    var requeueInSeconds = 0.0
    /// The time from a loss until the node is available again.
    var repairInSeconds = 600.0

    /// The delays of Slurm 22.05: a job starts after 3 s.
    ///
    /// A lost node is noticed after 28 s; its jobs may run again 121 s later.
    static let slurm = Delays(starts: [3], isStartPerShard: true, requeueInSeconds: 28 + 121)
    /// Threads of one machine, whose children load their plugins.
    static let machine = Delays(starts: [0.1], isStartPerShard: false)
  }

  /// The records that a lost node may not have written to its disk, in seconds of work.
  private static let unsyncedSeconds = 1.0

  var workerCount: Int
  var delays: Delays
  /// The standard deviation of the time of an item, relative to its prediction.
  var deviation = 0.3
  var seed: UInt64 = 24

  /// The course of a run.
  struct Outcome: Equatable {
    /// The items that have a record.
    var items = 0
    /// The computing time of all items, each counted once.
    var usefulSeconds = 0.0
    /// The time for which workers were held, from each claim to its end.
    var heldSeconds = 0.0
    /// The time from the start to the last record.
    var seconds = 0.0
    var losses = 0
    /// The number of workers that had work.
    var busyWorkers = 0

    /// The share of the held time that was useful: what a user of a cluster pays for.
    var efficiency: Double { usefulSeconds / heldSeconds }
    /// The share of all busy workers' time, up to the last record, that was useful: the balance of the shards.
    var occupancy: Double { usefulSeconds / (seconds * Double(busyWorkers)) }
  }

  private enum Event {
    case free(worker: Int)
    case requeued(shard: Int)
  }

  /// Runs shards until each item has a record.
  func run(_ shards: SimulatedShards) -> Outcome {
    var random = SplitMix64(seed: seed)
    var left = shards.loads.map { load in
      let error = deviation * load.squares.squareRoot() * normal(&random)
      return (items: load.items, seconds: max(load.seconds / 10, load.seconds + error))
    }
    var outcome = Outcome()
    outcome.usefulSeconds = left.reduce(0) { $0 + $1.seconds }
    outcome.busyWorkers = min(workerCount, left.count)
    var order = ClaimOrder(1...left.count)
    var events = EventQueue<Event>()
    for worker in 0..<outcome.busyWorkers { events.add(.free(worker: worker), at: 0) }
    var (idle, started, starts, unfinished) = ([Int](), Set<Int>(), 0, left.count)

    func begin(_ shard: Int, _ worker: Int, at now: Double) {
      var start = 0.0
      if delays.isStartPerShard || started.insert(worker).inserted {
        start = delays.starts[starts % delays.starts.count]
        starts += 1
      }
      let work = left[shard - 1]
      let loss = delays.lossesPerHour > 0 ? -log(uniform(&random)) * 3600 / delays.lossesPerHour : .infinity
      guard loss < start + work.seconds else {
        outcome.items += work.items
        outcome.heldSeconds += start + work.seconds
        outcome.seconds = max(outcome.seconds, now + start + work.seconds)
        left[shard - 1] = (0, 0)
        unfinished -= 1
        events.add(.free(worker: worker), at: now + start + work.seconds)
        return
      }
      // Of many items, those on the disk are kept; a single item is lost.
      let kept = Int(Double(work.items) * max(0, loss - start - Self.unsyncedSeconds) / work.seconds)
      outcome.items += kept
      outcome.heldSeconds += loss
      outcome.losses += 1
      left[shard - 1].items -= kept
      left[shard - 1].seconds *= 1 - Double(kept) / Double(work.items)
      started.remove(worker)
      events.add(.requeued(shard: shard), at: now + loss + delays.requeueInSeconds)
      events.add(.free(worker: worker), at: now + loss + delays.repairInSeconds)
    }

    while unfinished > 0, let (event, now) = events.next() {
      switch event {
      case .free(let worker):
        if let shard = order.next() ?? (order.reconsider() ? order.next() : nil) {
          begin(shard, worker, at: now)
        } else {
          idle.append(worker)
        }
      case .requeued(let shard):
        if let worker = idle.popLast() { begin(shard, worker, at: now) } else { order.postpone(shard) }
      }
    }
    return outcome
  }
}

/// Events in the order of their times; of equal times, the first that was added is first.
struct EventQueue<Event> {
  private var heap: [(time: Double, number: Int, event: Event)] = []
  private var count = 0

  mutating func add(_ event: Event, at time: Double) {
    heap.append((time, count, event))
    count += 1
    var child = heap.count - 1
    while child > 0, isBefore(child, (child - 1) / 2) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func next() -> (event: Event, time: Double)? {
    guard let last = heap.popLast() else { return nil }
    guard let first = heap.first else { return (last.event, last.time) }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && isBefore(child, least) { least = child }
      if least == parent { return (first.event, first.time) }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    (heap[left].time, heap[left].number) < (heap[right].time, heap[right].number)
  }
}
