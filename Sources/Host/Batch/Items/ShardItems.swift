import Glibc
import PluginAPI

/// The items of a shard, read from its file one after the other: the memory does not grow with the shard.
struct ShardItems {
  private let path: String
  private let descriptor: Int32
  /// The bytes that were read and have no item yet.
  private var pending: ArraySlice<UInt8> = []
  private var isAtEnd = false
  /// The number of lines that were read.
  private var lineCount = 0

  /// Opens the file of a shard.
  init(of shard: Int, in folder: RunFolder) throws(HostFileError) {
    path = folder.shard(shard)
    descriptor = try HostFile.open(path, O_RDONLY)
  }

  /// Returns the next item; nil after the last.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.broken-run` for a line that is not an item.
  mutating func next() throws -> BatchItem? {
    while let line = try nextLine() {
      lineCount += 1
      if line.isEmpty { continue }
      guard let value = try? JSONReader.read(Array(line)), let item = BatchItem(value) else {
        throw BatchError.brokenRun(
          "line \(lineCount) of '\(path)' is not an item", advice: "plan a new run",
          details: ["file": .text(path), "line": .integer(lineCount)])
      }
      return item
    }
    return nil
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

extension RunFolder {
  /// Reads the items of a shard, in order.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.broken-run`.
  func items(of shard: Int) throws -> [BatchItem] {
    var items = try ShardItems(of: shard, in: self)
    defer { items.close() }
    var all: [BatchItem] = []
    while let item = try items.next() { all.append(item) }
    return all
  }

  /// Reads the first item of a shard; nil if the shard is empty.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.broken-run`.
  func firstItem(of shard: Int) throws -> BatchItem? {
    var items = try ShardItems(of: shard, in: self)
    defer { items.close() }
    return try items.next()
  }
}
