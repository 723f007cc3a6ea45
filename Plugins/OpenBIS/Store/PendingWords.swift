/// Words that wait to be written to the index in bulk.
///
/// The index accepts words quickly only in the order of their entities' numbers: at each step back it flushes
/// everything it holds. Entities whose ids were read before their rows have low numbers and arrive late.
struct PendingWords {
  private struct Entry {
    var id: UInt32
    /// The position in the queue, which preserves the order of an entity's changes.
    var sequence: UInt32
    var isRemoval: Bool
    var start: Int
    var end: Int
  }

  private var entries: [Entry] = []
  private var bytes: [UInt8] = []

  private static let mostBytes = 4 << 20

  /// A Boolean value indicating whether the words should be written to the index.
  var isFull: Bool { bytes.count + 32 * entries.count > Self.mostBytes }

  /// Queues the words of an entity for insertion or removal.
  mutating func add(_ id: Int, _ text: [UInt8], isRemoval: Bool) {
    let start = bytes.count
    bytes += text
    entries.append(
      Entry(
        id: UInt32(id), sequence: UInt32(entries.count), isRemoval: isRemoval, start: start, end: bytes.count))
  }

  /// Calls `take` with all waiting words, in the order of entities, and empties the queue.
  mutating func takeAll(_ take: (Int, Bool, UnsafeBufferPointer<UInt8>) throws -> Void) rethrows {
    entries.sort { ($0.id, $0.sequence) < ($1.id, $1.sequence) }
    try bytes.withUnsafeBufferPointer { bytes in
      for entry in entries {
        try take(Int(entry.id), entry.isRemoval, UnsafeBufferPointer(rebasing: bytes[entry.start..<entry.end]))
      }
    }
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }
}
