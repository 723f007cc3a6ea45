import Glibc
import PluginAPI

/// The records of a whole run, in the order of its items.
///
/// - Complexity: Holds 32 bytes for each item; values stay in their logs.
final class RunRecords {
  private struct Entry {
    /// The index of the log; -1 for an item without a record.
    var log: Int32 = -1
    var isError = false
    var count = 0
    var offset = 0
  }

  private let folder: RunFolder
  private var entries: [Entry]
  private var logs: [String] = []
  private var files: [Int32: LogFile] = [:]
  /// The number of torn or damaged lines in the logs.
  private(set) var damagedLines = 0

  /// Finds the records.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.results-differ` or `batch.input-changed`.
  init(of folder: RunFolder, _ plan: RunPlan, _ progress: any WorkProgress) throws {
    self.folder = folder
    entries = Array(repeating: Entry(), count: plan.itemCount)
    let names = folder.logs()
    let retries = try RetryNotes(of: folder)
    for shard in stride(from: 1, through: plan.shardCount, by: 1) {
      try progress.checkCancellation()
      progress.report(Progress("reading records", fraction: Double(shard) / Double(plan.shardCount)))
      let records = try ShardRecords(of: folder, logs: names[shard] ?? [], retries: retries)
      if let (item, copies) = records.differing.min(by: { $0.key < $1.key }) {
        throw try Self.difference(item, copies.0, copies.1, folder)
      }
      damagedLines += records.damagedLines
      var indices: [String: Int32] = [:]
      for log in names[shard] ?? [] {
        indices[log] = Int32(logs.count)
        logs.append(log)
      }
      for (item, stored) in records.stored where item >= 1 && item <= plan.itemCount {
        entries[item - 1] = Entry(
          log: indices[stored.log] ?? -1, isError: stored.code != nil, count: stored.count, offset: stored.offset)
      }
    }
  }

  /// The items without a record.
  var missing: [Int] { entries.indices.filter { entries[$0].log < 0 }.map { $0 + 1 } }

  /// Returns the document of an item's record that is equal in all attempts; nil if there is none.
  func document(of item: Int) throws -> [UInt8]? {
    let entry = entries[item - 1]
    guard entry.log >= 0 else { return nil }
    let path = folder.log(logs[Int(entry.log)])
    let bytes = try file(entry.log, path).read(at: entry.offset, count: entry.count)
    guard let document = ItemRecord.comparable(bytes) else {
      throw BatchError.brokenRun("'\(path)' changed while it was read", advice: "try again")
    }
    return document
  }

  /// Calls a function with each item that has a record, in order.
  ///
  /// - Parameter errorsOnly: True to leave out values.
  func forEach(
    errorsOnly: Bool = false, _ progress: any WorkProgress, _ body: (_ document: [UInt8]) throws -> Void
  ) throws {
    for index in entries.indices where entries[index].isError || !errorsOnly {
      if index % 1000 == 0 { try progress.checkCancellation() }
      if let document = try document(of: index + 1) { try body(document) }
    }
  }

  private func file(_ log: Int32, _ path: String) throws -> LogFile {
    if let file = files[log] { return file }
    // A run may have more logs than a process may have open files.
    if files.count >= 500 { close() }
    let file = try LogFile(path)
    files[log] = file
    return file
  }

  /// Closes the logs.
  func close() {
    for file in files.values { file.close() }
    files.removeAll()
  }

  deinit { close() }

  /// Returns the error of an item whose copies are not equal.
  private static func difference(
    _ item: Int, _ first: ShardRecords.Stored, _ second: ShardRecords.Stored, _ folder: RunFolder
  ) throws -> ErrorReport {
    let values = try [first, second].map { try ItemRecord.read(try ShardRecords.comparable($0, folder)) }
    let details: Record = ["item": .integer(item), "logs": .list([.text(first.log), .text(second.log)])]
    if values[0]["input"] != values[1]["input"] {
      return BatchError.inputChanged(
        "the input of item \(item) changed between two attempts", advice: "plan a new run", details: details)
    }
    return BatchError.resultsDiffer(
      "two attempts gave different results for item \(item)",
      advice: "run it again with 'workbench batch retry \(folder.name) --item \(item)'", details: details)
  }
}

/// An open log, which is read ahead, as the records of a shard mostly follow each other.
private final class LogFile {
  private static let ahead = 1 << 15
  /// The maximum number of bytes between records that follow each other: notes of items that began.
  private static let gap = 1 << 12

  private let path: String
  private let descriptor: Int32
  private var start = 0
  private var bytes: [UInt8] = []
  /// The end of the bytes that were asked for last.
  private var end = 0

  init(_ path: String) throws(HostFileError) {
    self.path = path
    descriptor = try HostFile.open(path, O_RDONLY)
  }

  /// Returns bytes of the log.
  func read(at offset: Int, count: Int) throws(HostFileError) -> ArraySlice<UInt8> {
    let isNext = offset >= end && offset - end <= Self.gap
    end = offset + count
    if offset < start || end > start + bytes.count {
      bytes = try HostFile.read(descriptor, at: offset, count: count, ahead: isNext ? Self.ahead : 0, named: path)
      start = offset
    }
    return bytes[(offset - start)..<(end - start)]
  }

  /// Closes the file; called once.
  func close() { Glibc.close(descriptor) }
}
