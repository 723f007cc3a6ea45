/// The items of a shard that have no record.
///
/// Items that were running when an attempt was lost are last.
struct MissingItems {
  private var items: ShardItems
  private let records: ShardRecords
  private var suspects: [ItemLine.Entry] = []
  private var nextSuspect = 0

  /// Opens the file of a shard.
  ///
  /// - Parameter records: The records of the shard's items.
  init(of shard: Int, in folder: RunFolder, _ records: ShardRecords) throws(HostFileError) {
    items = try ShardItems(of: shard, in: folder)
    self.records = records
  }

  /// Returns the next item; nil after the last.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.broken-run` for a line that is not an item.
  mutating func next() throws -> ItemLine.Entry? {
    while let item = try items.next() {
      guard records.stored[item.number] == nil else { continue }
      let entry = ItemLine.Entry(item: item, losses: records.suspects[item.number])
      if !entry.isSuspect { return entry }
      suspects.append(entry)
    }
    guard nextSuspect < suspects.count else { return nil }
    nextSuspect += 1
    return suspects[nextSuspect - 1]
  }

  /// Closes the file; called once.
  func close() { items.close() }
}
