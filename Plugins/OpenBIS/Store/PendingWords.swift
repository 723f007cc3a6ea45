/// Words that wait until many came together.
///
/// The index takes words fast only in the order of the numbers of their entities: at each step back it writes out all it
/// holds. Entities whose ids were met before their rows have low numbers and come late.
struct PendingWords {
  private struct Entry {
    var id: UInt32
    /// When it came: what is said of one entity keeps its order.
    var sequence: UInt32
    var isRemoval: Bool
    var start: Int
    var end: Int
  }

  private var entries: [Entry] = []
  private var bytes: [UInt8] = []

  private static let mostBytes = 4 << 20

  /// Whether they should go into the index.
  var isFull: Bool { bytes.count + 32 * entries.count > Self.mostBytes }

  /// Lets the words of an entity wait, to be entered or to be removed.
  mutating func add(_ id: Int, _ text: [UInt8], isRemoval: Bool) {
    let start = bytes.count
    bytes += text
    entries.append(
      Entry(
        id: UInt32(id), sequence: UInt32(entries.count), isRemoval: isRemoval, start: start, end: bytes.count))
  }

  /// Hands all that waits over, in the order of entities, and forgets it.
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
