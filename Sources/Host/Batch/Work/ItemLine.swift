/// The items of a shard that have no record yet: those that wait, and those that the child has.
///
/// The child has the next item before it has finished the current one, so that it never waits for the worker. It runs
/// them in order, so if the child ends, the first of its items was running.
struct ItemLine {
  /// An item and its state.
  struct Entry {
    let item: BatchItem
    /// The long losses of an item that was running when an attempt was lost; nil for others.
    let losses: Int?
    /// The number of children that the item ended.
    var deaths = 0
    /// The number of children that were killed from outside while it ran.
    var kills = 0
    var tries = 0

    /// A Boolean value indicating whether the item runs alone, in a child of its own.
    var isSuspect: Bool { losses != nil }
  }

  private static let mostSent = 2

  /// The last is next.
  private var waiting: [Entry]
  private var sent: [Entry] = []

  init(_ entries: some BidirectionalCollection<Entry> = []) { waiting = entries.reversed() }

  var isEmpty: Bool { waiting.isEmpty && sent.isEmpty }

  /// The item that the child runs; nil if it has none.
  var running: Entry? { sent.first }

  /// The item to send now; nil if the child has enough.
  var next: Entry? {
    guard let next = waiting.last, sent.count < Self.mostSent else { return nil }
    return sent.isEmpty || !next.isSuspect && !sent[0].isSuspect ? next : nil
  }

  /// A Boolean value indicating whether too few items wait to fill the child.
  var needsItem: Bool { waiting.count + sent.count < Self.mostSent }

  /// Adds an item behind the others.
  mutating func add(_ entry: Entry) { waiting.insert(entry, at: 0) }

  /// Notes that the next item was sent.
  mutating func send() {
    var entry = waiting.removeLast()
    entry.tries += 1
    sent.append(entry)
  }

  /// Removes the next item, which has a record.
  mutating func drop() { waiting.removeLast() }

  /// Removes the item that ran, which has a record.
  mutating func finish() { sent.removeFirst() }

  /// Makes the item that ran the next.
  mutating func retry() { waiting.append(sent.removeFirst()) }

  /// Takes back the items of a child that ended; the one that ran is next.
  ///
  /// - Parameter note: Changes the item that ran.
  /// - Returns: The item that ran.
  mutating func takeBack(_ note: (inout Entry) -> Void) -> Entry? {
    guard var entry = sent.first else { return nil }
    for var other in sent.dropFirst().reversed() {
      other.tries -= 1
      waiting.append(other)
    }
    note(&entry)
    waiting.append(entry)
    sent = []
    return entry
  }
}
