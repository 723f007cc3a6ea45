import BenchmarkSupport
import Glibc
import PluginAPI

@testable import OpenBIS

/// Reading and searching a cache of many entities.
struct ReadCase {
  var folder: String
  var count: Int

  private var path: String { folder + "/many.sqlite" }

  /// Measures and prints the lines.
  func run() throws {
    let start = Timing.milliseconds()
    let store = EntityStore(path: path)
    let navigation = try store.navigationAndWait()
    Measurement("lab store: first screen of a cache just opened", Timing.milliseconds() - start, unit: "ms", bar: 150)
      .print()
    let children = navigation.first?.childCount ?? 0
    try measure("open an entity", 500, bar: 2) { _ = try store.entityAndWait(LabRows.permID($0 * 7919 % count)) }
    try measure("first page of \(children) children", 200, bar: 10) { _ in
      _ = try store.childrenAndWait(of: "CATEGORY", 0..<50)
    }
    try measure("the end of \(children) children", 200, bar: 20) { _ in
      _ = try store.childrenAndWait(of: "CATEGORY", (children - 50)..<children)
    }
    try measure("the middle of \(children) children", 200, bar: 20) { _ in
      _ = try store.childrenAndWait(of: "CATEGORY", (children / 2)..<(children / 2 + 50))
    }
    try measure("roots", 100, bar: 10) { _ in _ = try store.rootsAndWait(in: "Sample", 0..<50) }
    try searches(store)
    try measure("count all", 10) { _ in _ = try store.countsAndWait() }
    closeAndWait(store)
    naive()
  }

  private func searches(_ store: EntityStore) throws {
    let words = [
      "protein", "liv", "mouse liver", "zurich", "sample plasm", "enzyme frozen assay", "s", "pr", "nothing",
    ]
    try measure("words", 180, bar: 20) { number in
      let text = number % 2 == 0 ? words[number / 2 % words.count] : "s" + LabRows.padded(number * 7919 % count, 7)
      _ = try store.searchAndWait(text, limit: 50)
    }
    for word in words {
      try measure("words '\(word)'", 10) { _ in _ = try store.searchAndWait(word, limit: 50) }
    }
    let parts = [
      "rotei", "ver gra", "züri", "PROJECT/S00", "yme fro", "xyzzy", "e ", "q", "mouse liver mouse liver mouse",
    ]
    try measure("substrings", 180, bar: 80) { number in
      let own = LabRows.padded(number * 7919 % count, 7).dropFirst() + " r"
      let text = number % 2 == 0 ? parts[number / 2 % parts.count] : String(own)
      _ = try store.filterAndWait(text, limit: 50)
    }
    for part in parts {
      try measure("substrings '\(part)'", 10) { _ in _ = try store.filterAndWait(part, limit: 50) }
    }
    try measure("substrings among the children", 50, bar: 80) { number in
      _ = try store.filterAndWait(LabRows.padded(number * 7919 % 100_000, 6), under: "CATEGORY", limit: 50)
    }
  }

  private func measure(_ name: String, _ runs: Int, bar: Double? = nil, _ work: (Int) throws -> Void) throws {
    var times: [Double] = []
    for number in 0..<runs {
      let start = Timing.milliseconds()
      try work(number)
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

  private func closeAndWait(_ store: EntityStore) {
    let closed = Started()
    Task {
      await store.close()
      closed.end()
    }
    while !closed.isOver { usleep(1000) }
  }
}
