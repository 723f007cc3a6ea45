import BenchmarkSupport
import Glibc
import PluginAPI

@testable import WSABI

// The encrypted store of people at 20 000 people of 20 items each, of which every fifth has a capture, on the device.
//
// The peer is a plain SQLite database of the same people in the same run: without encryption, audit and roles. Our list
// and search decrypt their results.
//
// Usage: PeopleBenchmark [PEOPLE [ITEMS]]

let people = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 20_000 : 20_000
let items = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 20 : 20
let rows = 40

func measured(_ runs: Int, _ work: (Int) async throws -> Void) async rethrows -> [Double] {
  var times: [Double] = []
  for run in 0..<runs {
    let start = Timing.milliseconds()
    try await work(run)
    times.append(Timing.milliseconds() - start)
  }
  return times
}

do {
  let scratch = ScratchFolder()
  let large = LargeStore(people: people, items: items, path: scratch.path + "/people")
  try await large.fill()
  let plain = PlainStore(path: scratch.path + "/plain.sqlite")
  try await plain.fill(people: people, items: items)
  let title = "people: \(people) with \(items) items each, every fifth captured"

  var opened: RecordStore?
  let opening = try await measured(1) { _ in opened = try await RecordStore.open(at: large.path, key: LargeStore.key) }
  guard let store = opened else { exit(1) }
  Measurement("\(title): unlocked by a key", opening[0], unit: "ms").print()
  let first = try await measured(1) { _ in _ = try await store.people(0..<rows) }
  Measurement("\(title): first page of \(rows) rows after unlocking", first[0], unit: "ms", bar: 100).print()
  let pages = try await measured(50) { run in
    let start = run * 7919 % max(1, people - rows)
    _ = try await store.people(start..<start + rows)
  }
  let plainPages = try await measured(50) { run in
    let start = run * 7919 % max(1, people - rows)
    _ = try await plain.page(start..<start + rows)
  }
  Measurement(
    "\(title): a page anywhere, p99", Timing.quantile(pages, 0.99), unit: "ms",
    peer: ("plain SQLite", Timing.quantile(plainPages, 0.99)), bar: 100
  ).print()

  let preparing = try await measured(1) { _ in try await store.prepareSearch() }
  Measurement("\(title): words made ready for searches, once after unlocking", preparing[0], unit: "ms").print()
  let words = ["h", "ho", "horv", "horváth", "horvath-1", "desk 7", "town 30", "nobody here", "ivanova ada", "-19999"]
  let searches = try await measured(100) { run in
    _ = try await store.people(0..<rows, matching: words[run % words.count])
  }
  let plainSearches = try await measured(100) { run in
    _ = try await plain.search(words[run % words.count], count: rows)
  }
  Measurement(
    "\(title): search and first page of what is found, p99", Timing.quantile(searches, 0.99), unit: "ms",
    peer: ("plain SQLite, LIKE, numbers only", Timing.quantile(plainSearches, 0.99)), bar: 50
  ).print()

  let time = RecordStore.systemClock()
  let duplicates = try await measured(30) { run in
    _ = try await store.duplicatePerson(1 + run * 613 % people, at: time)
  }
  Measurement("\(title): duplicate, p99", Timing.quantile(duplicates, 0.99), unit: "ms", bar: 100).print()
  // The index was made old by the duplicates.
  let again = try await measured(1) { _ in _ = try await store.people(0..<rows, matching: "horvath") }
  Measurement("\(title): the search after a change", again[0], unit: "ms", bar: 50).print()
  // Not the copies, which have no captures.
  let deletions = try await measured(min(30, people)) { run in try await store.deletePerson(1 + run * 617 % people) }
  Measurement("\(title): delete, keys destroyed, p99", Timing.quantile(deletions, 0.99), unit: "ms", bar: 100).print()
  await store.close()
  await plain.close()
  _ = Program.run(["rm", "-rf", scratch.path])
} catch {
  print("{\"name\":\"people\",\"error\":\"\(error)\"}")
}
