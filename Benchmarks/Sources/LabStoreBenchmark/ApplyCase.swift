import BenchmarkSupport
import Glibc
import PluginAPI

@testable import OpenBIS

/// The import of responses into a cache.
struct ApplyCase {
  var folder: String

  private static let time = Instant(seconds: 1_790_000_000)

  /// Measures and prints the lines; leaves a cache of many entities.
  func run(few: Int, many: Int) async throws {
    var (best, tidying) = (Double.infinity, Double.infinity)
    for round in 0..<5 {
      let store = EntityStore(path: folder + "/few-\(round).sqlite")
      _ = try await store.counts()
      let rows = LabRows(count: few, isPrepared: true)
      let time = try await processorTime { try await store.apply(rows, .roots(of: nil), generation: 1, at: Self.time) }
      best = min(best, time)
      tidying = min(tidying, try await processorTime { try await checkpointed(store) })
    }
    Measurement("lab store: \(few) entities taken in (processor)", best, unit: "ms", bar: 900).print()
    Measurement("lab store: their log brought into the file afterwards (processor)", tidying, unit: "ms").print()
    try await refresh(few)
    try await takeMany(many)
  }

  private func refresh(_ count: Int) async throws {
    let store = EntityStore(path: folder + "/few-0.sqlite")
    let rows = LabRows(count: count, isPrepared: true)
    let time = try await processorTime { try await store.apply(rows, .roots(of: nil), generation: 2, at: Self.time) }
    Measurement("lab store: the same \(count) again, unchanged (processor)", time, unit: "ms").print()
  }

  private func takeMany(_ count: Int) async throws {
    let store = EntityStore(path: folder + "/many.sqlite")
    _ = try await store.counts()
    let making = try await processorTime {
      let rows = LabRows(count: count)
      while try rows.next() != nil {}
    }
    let idle = ResidentMemory.kibibytes ?? 0
    _ = ResidentMemory.forgetPeak()
    let start = Timing.milliseconds()
    let time = try await processorTime {
      try await store.apply(LabRows(count: count), .roots(of: nil), generation: 1, at: Self.time)
    }
    let wall = Timing.milliseconds() - start
    try await checkpointed(store)
    let peak = Double((ResidentMemory.peakInKibibytes ?? 0) - idle) / 1024
    Measurement("lab store: \(count) entities taken in (processor)", time - making, unit: "ms").print()
    Measurement("lab store: \(count) entities made and taken in (wall)", wall, unit: "ms").print()
    Measurement("lab store: peak memory while \(count) are taken in", peak, unit: "MB", bar: 40).print()
    let log = Self.size(folder + "/many.sqlite-wal")
    Measurement("lab store: the file", Self.size(folder + "/many.sqlite"), unit: "MB").print()
    Measurement("lab store: the log behind it", log, unit: "MB").print()
    try await readWhileWriting(store, count)
    try await takeCategory(store, min(100_000, count))
    let index = try await processorTime { while try await store.indexSome() {} }
    Measurement("lab store: substring index of \(count) (processor)", index, unit: "ms").print()
    Measurement("lab store: the file with it", Self.size(folder + "/many.sqlite"), unit: "MB").print()
  }

  private func takeCategory(_ store: EntityStore, _ children: Int) async throws {
    let time = try await processorTime {
      try await store.apply(
        GivenBatch([LabRows.category(children: children)]), .navigation, generation: 1, at: Self.time)
    }
    Measurement("lab store: a list of \(children) children taken in (processor)", time, unit: "ms").print()
  }

  /// Reads pages of children while another 100 000 rows are imported.
  private func readWhileWriting(_ store: EntityStore, _ count: Int) async throws {
    let rows = LabRows(count: min(count, 100_000), isPrepared: true)
    let writing = Started()
    Task {
      _ = try? await store.apply(rows, .roots(of: nil), generation: 2, at: Self.time)
      writing.end()
    }
    var times: [Double] = []
    var number = 0
    while !writing.isOver {
      let start = Timing.milliseconds()
      _ = try await store.children(of: LabRows.permID(number * 7919 % count), 0..<50)
      times.append(Timing.milliseconds() - start)
      number += 1
      try await Task.sleep(for: .milliseconds(1))
    }
    Measurement(
      "lab store: children while a long answer is taken in, p99", Timing.quantile(times, 0.99), unit: "ms", bar: 10
    ).print()
  }

  /// Waits for the checkpoint that an import queues, by a write that comes after it.
  private func checkpointed(_ store: EntityStore) async throws { try await store.write { _ in } }

  private func processorTime(_ work: () async throws -> Void) async throws -> Double {
    let start = Timing.processorMilliseconds(of: getpid()) ?? 0
    try await work()
    return (Timing.processorMilliseconds(of: getpid()) ?? 0) - start
  }

  static func size(_ path: String) -> Double {
    var status = stat()
    return stat(path, &status) == 0 ? Double(status.st_size) / 1_048_576 : 0
  }
}
