import Foundation
import PluginAPI
import TestSupport

@testable import Host

/// A run's folder whose logs the test writes itself.
final class BatchFolder {
  private let home: TemporaryFolder
  let folder: RunFolder
  private(set) var plan: RunPlan

  /// Makes a run whose items `a`, `b`, … are divided among shards in turn.
  init(itemCount: Int, shardCount: Int = 1, id: String = "0123") throws {
    home = try TemporaryFolder()
    folder = RunFolder(home.url("run").path)
    plan = RunPlan(
      id: id, command: ["sample", "echo", "{}"], folder: home.path.path, itemCount: itemCount,
      shardCount: shardCount, listDigest: "", fields: [],
      limits: RunPlan.Limits(itemTimeoutInSeconds: 600), version: HostVersion.number, plugin: nil)
    for folder in [folder.shards, folder.attempts, folder.done] { try HostFile.makeFolder(folder) }
    for item in 0..<itemCount {
      let line = JSONWriter.bytes(of: BatchItem(number: item + 1, id: Self.id(item + 1)).value) + [0x0A]
      try HostFile.append(line, to: folder.shard(item % shardCount + 1))
    }
    try HostFile.write(JSONWriter.bytes(of: plan.value), to: folder.plan)
  }

  static func id(_ item: Int) -> String { String(UnicodeScalar(UInt8(96 + item))) }

  /// Writes a log.
  ///
  /// - Parameter name: Distinguishes the log; logs count in the order of their names.
  func log(shard: Int = 1, _ name: String, _ lines: [[UInt8]]) throws {
    try HostFile.write(lines.flatMap(\.self), to: folder.log(String(format: "%05d.", shard) + name + ".log"))
  }

  /// Returns the records of a shard.
  func records(shard: Int = 1) throws -> ShardRecords {
    try ShardRecords(of: folder, logs: folder.logs()[shard] ?? [], retries: RetryNotes(of: folder))
  }

  /// Returns a line of a log.
  static func line(_ entry: Value) -> [UInt8] { LogFrame.line(JSONWriter.bytes(of: entry)) }

  static func begin(_ item: Int, seconds: Double = 0) -> [UInt8] {
    line(["kind": "begin", "item": .integer(item), "seconds": .number(seconds)])
  }

  static func heartbeat(seconds: Double) -> [UInt8] { line(["kind": "heartbeat", "seconds": .number(seconds)]) }

  static let end = line(["kind": "end", "cause": "done"])

  /// Returns the line of a record with a value; its time differs between attempts.
  static func value(_ item: Int, _ value: Value, milliseconds: Int = 1) -> [UInt8] {
    LogFrame.line(
      ItemRecord.document(
        item: item, head: ["id": .text(id(item))], result: .success(value), diagnostics: [],
        run: ["milliseconds": .integer(milliseconds), "tries": 1]))
  }

  static func error(_ item: Int, _ report: ErrorReport) -> [UInt8] {
    LogFrame.line(
      ItemRecord.document(
        item: item, head: ["id": .text(id(item))], result: .failure(report), diagnostics: [], run: ["tries": 1]))
  }
}

/// Progress that goes nowhere.
struct SilentProgress: WorkProgress {
  var isCancelled = false
  func report(_ progress: PluginAPI.Progress) {}
}
