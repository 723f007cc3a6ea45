import BenchmarkSupport
import PluginAPI

@testable import OpenBIS

/// Reading and searching a cache of many entities.
struct ReadCase {
  var folder: String
  var count: Int

  private var path: String { folder + "/many.sqlite" }

  /// Measures and prints the lines.
  func run() async throws {
    let start = Timing.milliseconds()
    let store = EntityStore(path: path)
    let navigation = try await store.navigation()
    Measurement("lab store: first screen of a cache just opened", Timing.milliseconds() - start, unit: "ms", bar: 150)
      .print()
    let children = navigation.first?.childCount ?? 0
    try await measure("open an entity", 500, bar: 2) { _ = try await store.entity(LabRows.permID($0 * 7919 % count)) }
    try await measure("first page of \(children) children", 200, bar: 10) { _ in
      _ = try await store.children(of: "CATEGORY", 0..<50)
    }
    try await measure("the end of \(children) children", 200, bar: 20) { _ in
      _ = try await store.children(of: "CATEGORY", (children - 50)..<children)
    }
    try await measure("the middle of \(children) children", 200, bar: 20) { _ in
      _ = try await store.children(of: "CATEGORY", (children / 2)..<(children / 2 + 50))
    }
    try await measure("roots", 100, bar: 10) { _ in _ = try await store.roots(in: "Sample", 0..<50) }
    try await searches(store)
    try await measure("count all", 10) { _ in _ = try await store.counts() }
    await store.close()
    naive()
  }

  private func searches(_ store: EntityStore) async throws {
    let words = [
      "protein", "liv", "mouse liver", "zurich", "sample plasm", "enzyme frozen assay", "s", "pr", "nothing",
    ]
    try await measure("words", 180, bar: 20) { number in
      let text = number % 2 == 0 ? words[number / 2 % words.count] : "s" + LabRows.padded(number * 7919 % count, 7)
      _ = try await store.search(text, limit: 50)
    }
    for word in words {
      try await measure("words '\(word)'", 10) { _ in _ = try await store.search(word, limit: 50) }
    }
    let parts = [
      "rotei", "ver gra", "züri", "PROJECT/S00", "yme fro", "xyzzy", "e ", "q", "mouse liver mouse liver mouse",
    ]
    try await measure("substrings", 180, bar: 80) { number in
      let own = LabRows.padded(number * 7919 % count, 7).dropFirst() + " r"
      let text = number % 2 == 0 ? parts[number / 2 % parts.count] : String(own)
      _ = try await store.filter(text, limit: 50)
    }
    for part in parts {
      try await measure("substrings '\(part)'", 10) { _ in _ = try await store.filter(part, limit: 50) }
    }
    try await measure("substrings among the children", 50, bar: 80) { number in
      _ = try await store.filter(LabRows.padded(number * 7919 % 100_000, 6), under: "CATEGORY", limit: 50)
    }
  }

  private func measure(
    _ name: String, _ runs: Int, bar: Double? = nil, _ work: (Int) async throws -> Void
  ) async throws {
    var times: [Double] = []
    for number in 0..<runs {
      let start = Timing.milliseconds()
      try await work(number)
      times.append(Timing.milliseconds() - start)
    }
    Measurement("lab store of \(count): \(name), median", Timing.median(times), unit: "ms").print()
    Measurement("lab store of \(count): \(name), p99", Timing.quantile(times, 0.99), unit: "ms", bar: bar).print()
  }

  /// The time of a LIKE over the same rows, by the sqlite3 program's own clock, if there is one.
  private func naive() {
    let query =
      "SELECT count(*) FROM entity WHERE header LIKE '%xyzzy%' OR summary LIKE '%xyzzy%' OR refcon LIKE '%xyzzy%'"
    guard let time = Program.time(["sqlite3", path, query]) else {
      Measurement.skip("lab store: LIKE over the same file", because: "there is no sqlite3")
      return
    }
    Measurement("lab store of \(count): LIKE over the same file", time, unit: "ms").print()
  }
}
