import Glibc
import PluginAPI

/// The items of a shard that have no record, read from its file one after the other: the memory of a worker does not
/// grow with its shard.
///
/// Items that were running when an attempt was lost are last.
struct MissingItems {
  private let path: String
  private let descriptor: Int32
  private let records: ShardRecords
  /// The bytes that were read and have no item yet.
  private var pending: ArraySlice<UInt8> = []
  private var isAtEnd = false
  private var suspects: [ItemLine.Entry] = []
  private var nextSuspect = 0

  /// Opens the file of a shard.
  ///
  /// - Parameter records: The records of the shard's items.
  init(of shard: Int, in folder: RunFolder, _ records: ShardRecords) throws(HostFileError) {
    (path, self.records) = (folder.shard(shard), records)
    descriptor = try HostFile.open(path, O_RDONLY)
  }

  /// Returns the next item; nil after the last.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.broken-run` for a line that is not an item.
  mutating func next() throws -> ItemLine.Entry? {
    while let line = try nextLine() {
      if line.isEmpty { continue }
      guard let value = try? JSONReader.read(Array(line)), let item = BatchItem(value) else {
        throw RunFolder.notAnItem(path)
      }
      guard records.stored[item.number] == nil else { continue }
      let entry = ItemLine.Entry(item: item, losses: records.suspects[item.number])
      if !entry.isSuspect { return entry }
      suspects.append(entry)
    }
    guard nextSuspect < suspects.count else { return nil }
    nextSuspect += 1
    return suspects[nextSuspect - 1]
  }

  private mutating func nextLine() throws(HostFileError) -> ArraySlice<UInt8>? {
    var known = pending.startIndex
    while true {
      if let end = pending[known...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { pending = pending[(end + 1)...] }
        return pending[..<end]
      }
      let length = pending.count
      guard !isAtEnd, let chunk = try HostFile.readChunk(descriptor, named: path) else {
        isAtEnd = true
        defer { pending = [] }
        return pending.isEmpty ? nil : pending
      }
      pending = (Array(pending) + chunk)[...]
      known = length
    }
  }

  /// Closes the file; called once.
  func close() { Glibc.close(descriptor) }
}
