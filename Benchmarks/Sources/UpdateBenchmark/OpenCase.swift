import BenchmarkSupport
import Glibc

@testable import PathCase

/// Opening the database at the start of a process, and storing a snapshot.
struct OpenCase {
  var resources: String

  /// Measures and prints the lines.
  func run() throws {
    let scratch = ScratchFolder()
    defer { _ = Program.run(["rm", "-rf", scratch.path]) }
    let bundled = try Timing.best(of: 10) { _ = try BundledDatabase.open(resources) }
    let database = try BundledDatabase.open(resources)
    let documents = try BundledDatabase.documents(resources)
    let store = SnapshotStore(folder: scratch.path + "/snapshots")
    var number = 0
    let kept = try Timing.all(5) {
      number += 1
      let origin = SnapshotOrigin(sha256: "\(number)", source: "benchmark", fetchedAt: 0)
      try store.install(database, origin: origin, documents: documents)
    }
    let fetched = try Timing.best(of: 10) {
      _ = try DatabaseLinker.link(store.open().records())
    }
    Measurement("update: a snapshot kept, on the device", Timing.median(kept), unit: "ms").print()
    Measurement(
      "update: a fetched snapshot opened and linked", fetched, unit: "ms", peer: ("bundled documents", bundled)
    ).print()
  }
}
