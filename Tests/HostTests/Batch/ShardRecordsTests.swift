import PluginAPI
import Testing

@testable import Host

struct ShardRecordsTests {
  static let crashed = BatchError.itemCrashed("the process of the item crashed")
  private static let failure = ErrorReport(code: "sample.no-rock", kind: .notFound, "there is no rock")
  static let unreachable = ErrorReport(
    code: "sample.far", kind: .network, "the rock is far away", isRetryable: true)

  @Test func `equal records of two attempts count as one, regardless of their duration`() throws {
    let run = try BatchFolder(itemCount: 2)
    try run.log("a", [BatchFolder.value(1, "x", milliseconds: 1), BatchFolder.value(2, "y")])
    try run.log("b", [BatchFolder.value(1, "x", milliseconds: 99)])
    let records = try run.records()
    #expect(records.stored.keys.sorted() == [1, 2])
    #expect(records.stored[1]?.log == "00001.a.log")
    #expect(records.differing.isEmpty)
  }

  @Test func `differing records are found`() throws {
    let run = try BatchFolder(itemCount: 2)
    try run.log("a", [BatchFolder.value(1, "x"), BatchFolder.value(2, "y")])
    try run.log("b", [BatchFolder.value(2, "z"), BatchFolder.error(1, Self.failure)])
    #expect(try run.records().differing.keys.sorted() == [1, 2])
    let error = #expect(throws: ErrorReport.self) { try RunRecords(of: run.folder, run.plan, SilentProgress()) }
    #expect(error?.code == "batch.results-differ")
    #expect(error?.details["item"] == 1)
  }

  @Test func `records of different inputs are reported as a changed input`() throws {
    let run = try BatchFolder(itemCount: 1)
    for (name, hash) in [("a", "00"), ("b", "11")] {
      try run.log(
        name,
        [
          LogFrame.line(
            ItemRecord.document(
              item: 1, head: ["id": "a", "input": ["sha256": .text(hash)]], result: .success(.text(name)),
              diagnostics: [], run: ["tries": 1]))
        ])
    }
    let error = #expect(throws: ErrorReport.self) { try RunRecords(of: run.folder, run.plan, SilentProgress()) }
    #expect(error?.code == "batch.input-changed")
  }

  @Test(arguments: [ShardRecordsTests.crashed, ShardRecordsTests.unreachable])
  func `a value takes precedence over a transient error`(
    error: ErrorReport
  ) throws {
    for isFirst in [true, false] {
      let run = try BatchFolder(itemCount: 1)
      try run.log("a", [isFirst ? BatchFolder.error(1, error) : BatchFolder.value(1, "x")])
      try run.log("b", [isFirst ? BatchFolder.value(1, "x") : BatchFolder.error(1, error)])
      let records = try run.records()
      #expect(records.differing.isEmpty)
      #expect(records.stored[1]?.code == nil)
    }
  }

  @Test func `a damaged record counts as missing`() throws {
    let run = try BatchFolder(itemCount: 2)
    var line = BatchFolder.value(1, "x")
    line[20] ^= 1
    try run.log("a", [line, BatchFolder.value(2, "y").dropLast()])
    let records = try run.records()
    #expect(records.stored.isEmpty)
    #expect(records.damagedLines == 2)
    #expect(try RunRecords(of: run.folder, run.plan, SilentProgress()).missing == [1, 2])
  }

  @Test func `the item that ran when an attempt was lost is suspect, and long losses count`() throws {
    let run = try BatchFolder(itemCount: 4)
    try run.log("a", [BatchFolder.begin(1), BatchFolder.value(1, "x"), BatchFolder.begin(2, seconds: 5)])
    try run.log("b", [BatchFolder.begin(2, seconds: 1), BatchFolder.heartbeat(seconds: 61)])
    try run.log("c", [BatchFolder.begin(3)])
    try run.log("d", [BatchFolder.value(3, "z"), BatchFolder.begin(4), BatchFolder.end])
    let records = try run.records()
    #expect(records.suspects == [2: 1])
    #expect(records.openAttempts == 3)
  }

  @Test func `an item with three long losses is recorded as lost without a retry`() throws {
    let run = try BatchFolder(itemCount: 1)
    for name in ["a", "b", "c"] { try run.log(name, [BatchFolder.begin(1), BatchFolder.heartbeat(seconds: 60)]) }
    #expect(try run.records().suspects == [1: 3])
    // No child can start.
    let launch = ChildProcess.Launch(
      program: "/nonexistent", folder: "/", options: [], temporaryFolder: run.folder.path,
      temporary: TemporaryFiles())
    let job = ShardWorker.Job(folder: run.folder, plan: run.plan, launch: launch, stop: StopFlag(), onRecord: {})
    #expect(try ShardWorker(job, SilentProgress()).work(on: 1) == .done)
    let errors = try FailedItem.all(of: run.folder, code: nil, SilentProgress())
    #expect(errors.map(\.code) == ["batch.item-lost"] && errors.first?.id == "a")
    #expect(try run.records().suspects.isEmpty)
  }

  @Test func `a retry discards the item's records in earlier logs`() throws {
    let run = try BatchFolder(itemCount: 2)
    try run.log("a", [BatchFolder.error(1, Self.failure), BatchFolder.value(2, "y")])
    try RetryNotes.add(items: [1], logs: ["00001.a.log"], to: run.folder)
    #expect(try run.records().stored.keys.sorted() == [2])
    try run.log("b", [BatchFolder.value(1, "x")])
    let records = try run.records()
    #expect(records.stored[1]?.log == "00001.b.log")
    #expect(records.differing.isEmpty)
  }

  @Test func `a marker is valid only for the logs it was written for`() throws {
    let run = try BatchFolder(itemCount: 2, shardCount: 2)
    try run.log(shard: 1, "a", [BatchFolder.value(1, "x"), BatchFolder.end])
    try run.log(shard: 2, "a", [BatchFolder.error(2, Self.failure), BatchFolder.end])
    let all = try RunSummary(of: run.folder, shards: 1...2)
    for shard in 1...2 { try all.mark(shard, run.folder) }
    let value = all.value(run.plan, run.folder)
    #expect(value["state"] == "done" && value["done"] == 2 && value["errors"]["sample.no-rock"] == 1)
    #expect(try RunSummary(of: run.folder, shards: 1...2, trustsMarkers: true).value(run.plan, run.folder) == value)
    // Cut off within the record.
    try run.log(shard: 1, "a", [BatchFolder.value(1, "x").dropLast(5)])
    let torn = try RunSummary(of: run.folder, shards: 1...2, trustsMarkers: true).value(run.plan, run.folder)
    #expect(torn["state"] == "stopped" && torn["done"] == 1)
  }
}
