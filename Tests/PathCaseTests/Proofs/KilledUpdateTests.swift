import Foundation
import PluginAPI
import PluginStore
import PluginText
import TestSupport
import Testing

@testable import PathCase

/// Processes that change the database and the user's data and are killed in the meantime, and the state that they
/// leave.
///
/// WORKBENCH_DATABASE_KILLS sets the number of kills, a few by default, and WORKBENCH_SEED their moments.
@Suite(.serialized, .timeLimit(.minutes(240)))
struct KilledUpdateTests {
  private static let kills = CampaignNumber.of("WORKBENCH_DATABASE_KILLS", else: 12)
  private static let seed = CampaignNumber.of("WORKBENCH_SEED", else: 7)
  private let folder: PathCaseFolder

  init() throws {
    folder = try PathCaseFolder()
    for (turn, name) in ["bundled/database", "one", "two"].enumerated() {
      var records = MawSamples.small.changed(turn: turn)
      records.snapshot = String(name.prefix { $0 != "/" })
      if turn > 0 { records.pathways = MawSamples.small.pathways }
      records.activations = MawSamples.small.activations
      records.layouts = []
      try folder.write(records, into: name)
    }
  }

  /// Runs the program, waiting on a dedicated thread: servers of other tests need the shared threads.
  private func run(_ words: String...) async throws -> BuiltProgram.Outcome {
    try await OwnThread.value { _ in
      try BuiltProgram.run(BuiltProgram.folder.appendingPathComponent("DatabaseUpdater"), words)
    }
  }

  /// Returns the names of the active and the previous snapshot, after checking both completely.
  private func snapshots(_ place: String) throws -> [String] {
    let store = SnapshotStore(folder: place)
    guard let pointer = try store.folder.pointer() else { return ["bundled"] }
    return try [pointer.current, pointer.previous].compactMap(\.self).map { file in
      if file == SnapshotFolder.Pointer.bundled { return "bundled" }
      let handle = try store.handle(of: file)
      defer { handle.close() }
      try handle.check()
      let content = try handle.content()
      // The snapshot is complete: its documents contain the same as its rows.
      let files = Dictionary(
        content.documents.map { ($0.entry.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
      let reader = ContractReader()
      let pools = try reader.read(files["pools.xml"] ?? [], name: "pools.xml", expecting: .pools)
      let processes = try reader.read(files["processes.xml"] ?? [], name: "processes.xml", expecting: .processes)
      #expect(content.database.pools == pools.records.pools)
      #expect(content.database.processes == processes.records.processes)
      return content.database.snapshot
    }
  }

  private func leftovers(_ place: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    return names.filter { $0.contains(".tmp") || $0.contains(".part") }
  }

  @Test(arguments: SnapshotStore.Step.allCases)
  func `row 36: a kill at any step leaves the old snapshot or the new one in use`(
    _ step: SnapshotStore.Step
  ) async throws {
    let place = folder.path + "/snapshots-\(step)"
    #expect(try await run("install", place, folder.path + "/one", "none").status == 0)
    let killed = try await run("install", place, folder.path + "/two", step.rawValue)
    #expect(killed.status == 128 + SIGKILL)
    #expect(try snapshots(place) == (step.isBeforeCounting ? ["one", "bundled"] : ["two", "one"]))
    // The lock was released with the process, and its leftovers are removed by the next update.
    #expect(try await run("install", place, folder.path + "/two", "none").status == 0)
    #expect(try snapshots(place).first == "two" && leftovers(place) == [])
  }

  @Test func `kills at random moments lose neither the database nor the user's data`() async throws {
    var random = SplitMix64(seed: UInt64(Self.seed))
    var home = folder.path + "/home-0"
    var states = [["bundled"]]
    var (kept, frozen): ([String], Bool) = ([], false)
    var (cut, done) = (0, 0)
    for number in 0..<Self.kills {
      if number % 50 == 49 {
        // The state is reset now and then, so that lists stay short.
        (home, states, kept, frozen) = (folder.path + "/home-\(number)", [["bundled"]], [], false)
      }
      let place = home + "/data/snapshots"
      let lines = Self.script(number, begin: states[0], folder.path, &random, states: &states)
      let child = try UpdatingProcess(["run", home, folder.path + "/bundled"] + lines)
      let wait = Int.random(in: 0..<lines.count, using: &random)
      let more = Double.random(in: 0..<0.02, using: &random)
      cut += try await child.kill(afterLetters: wait + 1, more: more) ? 1 : 0
      let told = max(0, child.letters - 1)
      done += told
      // The state after the last reported step, or after the one in progress.
      let possible = states.dropFirst(told).prefix(2)
      let found = try snapshots(place)
      #expect(possible.contains(found), "kill \(number): \(found) after \(told) of \(lines)")
      (kept, frozen) = try await lookAtUserData(home, lines, told: told, kept: kept, frozen: frozen, number)
      states = [found]
    }
    CampaignLine(
      "database kills", seed: Self.seed, runs: Self.kills, words: "\(cut) killed before their end, after \(done) steps"
    ).print()
    #expect(cut * 2 >= Self.kills)
  }

  /// Checks that all observations and the layout reported as stored are present.
  ///
  /// - Returns: The data present.
  private func lookAtUserData(
    _ home: String, _ lines: [String], told: Int, kept: [String], frozen: Bool, _ number: Int
  ) async throws -> ([String], Bool) {
    let store = UserDataStore(folder: home + "/data")
    let (damages, names) = try await store.local.read { connection in
      (
        try connection.list("PRAGMA integrity_check") { $0.text(0) },
        try connection.list("SELECT name FROM observations") { $0.text(0) }
      )
    }
    #expect(damages == ["ok"], "kill \(number)")
    func observed(_ lines: some Sequence<String>) -> [String] {
      lines.filter { $0.hasPrefix("observe ") }.map { String($0.dropFirst(8)) }
    }
    #expect(Set(names).isSuperset(of: kept + observed(lines.prefix(told))), "kill \(number)")
    #expect(Set(names).isSubset(of: kept + observed(lines.prefix(told + 1))), "kill \(number)")
    let layouts = try await store.layouts()
    await store.close()
    if frozen || lines.prefix(told).contains("freeze w") {
      #expect(layouts.map(\.pathway) == ["w"] && (layouts.first?.nodes.count ?? 0) > 3, "kill \(number)")
    }
    return (names, !layouts.isEmpty)
  }

  /// Returns lines that change all data, and the states of the database after each.
  private static func script(
    _ number: Int, begin: [String], _ folder: String, _ random: inout SplitMix64, states: inout [[String]]
  ) -> [String] {
    var lines: [String] = []
    states = [begin]
    for step in 0..<24 {
      var state = states.last ?? begin
      switch Int.random(in: 0..<8, using: &random) {
      case 0...1:
        lines.append("observe o-\(number)-\(step)")
      case 2: lines.append("freeze w")
      case 3 where state.count > 1:
        lines.append("rollback")
        state.swapAt(0, 1)
      default:
        let name = Bool.random(using: &random) ? "one" : "two"
        lines.append("update --server \(folder)/\(name)")
        if state[0] != name { state = [name, state[0]] }
      }
      states.append(state)
    }
    return lines
  }

  @Test func `row 36: a full disk leaves the old snapshot and no partial files`() async throws {
    let place = folder.path + "/snapshots"
    #expect(try await run("install", place, folder.path + "/one", "none").status == 0)
    for limit in [100, 4096, 30_000, 90_000] {
      let outcome = try await run("limit", place, folder.path + "/two", String(limit))
      #expect(outcome.status == 1)
      #expect(["pathcase.store-unusable\n", "pathcase.disk-full\n"].contains(outcome.output))
      #expect(try snapshots(place) == ["one", "bundled"] && leftovers(place) == [], "\(limit)")
    }
    #expect(try await run("limit", place, folder.path + "/two", "10000000").status == 0)
    #expect(try snapshots(place) == ["two", "one"])
  }

  @Test func `row 36: an unwritable folder is reported, and the old snapshot stays`() async throws {
    let place = folder.path + "/snapshots"
    #expect(try await run("install", place, folder.path + "/one", "none").status == 0)
    // Other users can read but not write.
    for path in [folder.path, place] { chmod(path, 0o555) }
    defer { for path in [folder.path, place] { chmod(path, 0o755) } }
    let outcome = try await run("nobody", place, folder.path + "/two")
    #expect(outcome.status == 1 && outcome.output == "pathcase.store-unusable\n")
    for path in [folder.path, place] { chmod(path, 0o755) }
    #expect(try snapshots(place) == ["one", "bundled"] && leftovers(place) == [])
  }

  @Test func `a lock file of a dead process does not block`() async throws {
    let place = folder.path + "/snapshots"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try Data("4194304\n".utf8).write(to: URL(fileURLWithPath: place + "/lock"))
    #expect(try await run("install", place, folder.path + "/one", "none").status == 0)
  }
}
