import Foundation
import PluginAPI
import PluginPostgres
import Synchronization
import TestSupport
import Testing

@testable import Host

/// Gathered results in a real PostgreSQL server.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.absence)), .timeLimit(.minutes(20)))
struct ResultTableTests {
  private let run: BatchFolder

  init() throws {
    let id = UUID().uuidString.lowercased().filter { $0 != "-" }
    run = try BatchFolder(itemCount: 3, shardCount: 2, id: id)
  }

  /// Gathers a run into a server.
  private func gather(
    _ run: BatchFolder, into server: PostgresServer, _ progress: any WorkProgress = SilentProgress()
  ) throws -> [Int] {
    let records = try RunRecords(of: run.folder, run.plan, progress)
    defer { records.close() }
    let (added, all) = try ResultTable.add(records, run.plan, to: PostgresAddress(server.address), progress)
    return [added, all]
  }

  private func query(_ sql: String, _ run: BatchFolder, in server: PostgresServer) throws -> [[PostgresValue]] {
    let connection = try PostgresConnection(PostgresAddress(server.address), timeoutInSeconds: 60)
    defer { connection.close() }
    return try connection.rows(sql, [.text(run.plan.id)]).map(\.values)
  }

  private static let rows = "SELECT item, id, value, error FROM workbench_result WHERE run = $1::uuid ORDER BY item"

  @Test func `a run's results are added once, with numbers spelled as in the records`() throws {
    let server = try PostgresServer.shared.get()
    try run.log(
      shard: 1, "a", [BatchFolder.value(3, ["n": 1.0, "m": 1.5e30]), BatchFolder.value(1, "it's \"é\"\t\\\n")])
    try run.log(
      shard: 2, "a", [BatchFolder.error(2, ErrorReport(code: "sample.no-rock", kind: .notFound, "there is no rock"))])
    #expect(try gather(run, into: server) == [3, 3])
    #expect(try gather(run, into: server) == [0, 3])
    let error = #"{"code":"sample.no-rock","message":"there is no rock","details":{},"retryable":false}"#
    let numbers = JSONWriter.text(of: ["n": 1.0, "m": 1.5e30])
    #expect(
      try query(Self.rows, run, in: server) == [
        [.integer(1), .text("a"), .text(#""it's \"é\"\t\\\n""#), .null],
        [.integer(2), .text("b"), .null, .text(error)],
        [.integer(3), .text("c"), .text(numbers), .null],
      ])
    #expect(
      try query("SELECT plan FROM workbench_run WHERE id = $1::uuid", run, in: server) == [
        [.text(JSONWriter.text(of: run.plan.value))]
      ])
  }

  @Test func `results missing at first are added later`() throws {
    let server = try PostgresServer.shared.get()
    try run.log(shard: 1, "a", [BatchFolder.value(3, "x")])
    #expect(try gather(run, into: server) == [1, 1])
    try run.log(shard: 1, "b", [BatchFolder.value(1, "y")])
    try run.log(shard: 2, "a", [BatchFolder.value(2, "z")])
    #expect(try gather(run, into: server) == [2, 3])
    #expect(try query(Self.rows, run, in: server).map { $0[2] } == [.text("\"y\""), .text("\"z\""), .text("\"x\"")])
  }

  @Test func `a changed result is refused, and the database is unchanged`() throws {
    let server = try PostgresServer.shared.get()
    try run.log(shard: 1, "a", [BatchFolder.value(1, "old")])
    #expect(try gather(run, into: server) == [1, 1])
    try RetryNotes.add(items: [1], logs: run.folder.logs().values.flatMap(\.self), to: run.folder)
    try run.log(shard: 1, "b", [BatchFolder.value(1, "new"), BatchFolder.value(3, "more")])
    let error = #expect(throws: ErrorReport.self) { try gather(run, into: server) }
    #expect(error?.code == "batch.results-differ" && error?.details["item"] == .integer(1))
    #expect(try query(Self.rows, run, in: server).map { $0[2] } == [.text("\"old\"")])
  }

  @Test func `another plan with the same identifier is refused`() throws {
    let server = try PostgresServer.shared.get()
    try run.log(shard: 1, "a", [BatchFolder.value(1, "x")])
    #expect(try gather(run, into: server) == [1, 1])
    let other = try BatchFolder(itemCount: 3, id: run.plan.id)
    try other.log("a", [BatchFolder.value(2, "y")])
    let error = #expect(throws: ErrorReport.self) { try gather(other, into: server) }
    #expect(error?.code == "batch.other-plan")
    #expect(try query(Self.rows, run, in: server).count == 1)
  }

  @Test func `a canceled gather adds nothing`() throws {
    let server = try PostgresServer.shared.get()
    try run.log(shard: 1, "a", [BatchFolder.value(1, "x")])
    let counted = CountedProgress()
    #expect(try gather(run, into: server, counted) == [1, 1])
    try run.log(shard: 2, "a", [BatchFolder.value(2, "y")])
    // Halfway: after the first statements, before the last.
    let canceled = CountedProgress(cancelingAt: counted.calls / 2)
    #expect(throws: CancellationError.self) { try gather(run, into: server, canceled) }
    #expect(try query(Self.rows, run, in: server).count == 1)
    #expect(try gather(run, into: server) == [1, 2])
  }

  @Test func `a server killed at any moment has all results or none, and gathering again adds them`() throws {
    let server = try PostgresServer()
    defer { server.stop() }
    func makeRun() throws -> BatchFolder {
      let run = try BatchFolder(itemCount: 100, id: UUID().uuidString.lowercased().filter { $0 != "-" })
      // Twenty megabytes, which fill all buffers of the connection.
      let text = String(repeating: "x", count: 200_000)
      try run.log("a", (1...100).map { BatchFolder.value($0, .text(text)) })
      return run
    }
    let counted = CountedProgress()
    #expect(try gather(makeRun(), into: server, counted) == [100, 100])
    var lost = 0
    for share in [0.1, 0.4, 0.7, 0.95] {
      let run = try makeRun()
      let killing = CountedProgress(actingAt: Int(share * Double(counted.calls))) { try? server.crash() }
      do {
        _ = try gather(run, into: server, killing)
      } catch let error as PostgresError {
        #expect(error.report.code == "store.unreachable", "\(error)")
        lost += 1
      }
      try server.start()
      let count = try query(Self.rows, run, in: server).count
      #expect(count == 0 || count == 100)
      #expect(try gather(run, into: server) == [100 - count, 100])
      #expect(try gather(run, into: server) == [0, 100])
    }
    #expect(lost > 0)
  }
}

/// Progress that counts the checks for cancellation, and acts or cancels at one of them.
private final class CountedProgress: WorkProgress {
  private let count = Atomic(0)
  private let acting: Int
  private let canceling: Int
  private let action: @Sendable () -> Void

  init(actingAt acting: Int = .max, cancelingAt canceling: Int = .max, _ action: @escaping @Sendable () -> Void = {}) {
    (self.acting, self.canceling, self.action) = (acting, canceling, action)
  }

  /// The number of checks so far.
  var calls: Int { count.load(ordering: .relaxed) }

  var isCancelled: Bool {
    let number = count.add(1, ordering: .relaxed).newValue
    if number == acting { action() }
    return number >= canceling
  }

  func report(_ progress: PluginAPI.Progress) {}
}
