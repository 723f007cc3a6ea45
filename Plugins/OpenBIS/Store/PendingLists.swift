/// Lists of children and of parents that wait for their entities, and sort keys of new entities.
struct PendingLists {
  /// One list.
  struct Entry {
    /// The number of the entity that reported it.
    var owner: UInt32
    /// A Boolean value indicating whether its ids are children, not parents.
    var isChildren: Bool
    /// A Boolean value indicating whether the owner was new in this response, so that there is nothing to compare with.
    var isNew: Bool
    /// The end index of its ids.
    var end: Int
  }

  private(set) var entries: [Entry] = []
  private(set) var texts = PackedTexts()
  /// Long lists, which are not copied.
  private(set) var large: [(entry: Entry, ids: PackedTexts)] = []

  private static let largeBytes = 1 << 20
  private static let mostBytes = 5 << 20
  private static let mostSortBytes = 6 << 20

  var isEmpty: Bool { entries.isEmpty && large.isEmpty }

  /// A Boolean value indicating whether the waiting lists should be moved out of memory.
  var isFull: Bool { texts.bytes.count + 28 * entries.count > Self.mostBytes || large.count > 4 }

  /// Queues the children of an entity.
  mutating func append(parent: Int, _ ids: PackedTexts, isNew: Bool) {
    append(Entry(owner: UInt32(parent), isChildren: true, isNew: isNew, end: 0), ids)
  }

  /// Queues the parents that an entity names.
  mutating func append(child: Int, _ ids: PackedTexts, isNew: Bool) {
    append(Entry(owner: UInt32(child), isChildren: false, isNew: isNew, end: 0), ids)
  }

  private mutating func append(_ entry: Entry, _ ids: PackedTexts) {
    // A new entity without children needs no entry.
    if ids.isEmpty, entry.isNew { return }
    if ids.bytes.count > Self.largeBytes {
      large.append((entry, ids))
      return
    }
    texts.append(contentsOf: ids)
    var entry = entry
    entry.end = texts.count
    entries.append(entry)
  }

  /// Removes and returns all waiting lists.
  mutating func takeAll() -> PendingLists {
    var all = PendingLists()
    swap(&all.entries, &entries)
    swap(&all.texts, &texts)
    swap(&all.large, &large)
    return all
  }

  // MARK: Sort keys

  private(set) var sortBytes: [UInt8] = []
  private var sortEnds: [UInt32] = []
  private var firstSort = 0

  /// Stores the sort key of a new entity, while there is room and numbers are consecutive.
  mutating func keepSort(_ sort: [UInt8], of id: Int) {
    if sortEnds.isEmpty { firstSort = id }
    guard id == firstSort + sortEnds.count, sortBytes.count < Self.mostSortBytes else { return }
    sortBytes.append(contentsOf: sort)
    sortEnds.append(UInt32(sortBytes.count))
  }

  /// Returns the range of an entity's sort key in the bytes, if it was stored.
  func sortPlace(of id: Int) -> Range<Int>? {
    let place = id - firstSort
    guard place >= 0, place < sortEnds.count else { return nil }
    return (place == 0 ? 0 : Int(sortEnds[place - 1]))..<Int(sortEnds[place])
  }

  mutating func forgetSorts() {
    sortBytes.removeAll(keepingCapacity: true)
    sortEnds.removeAll(keepingCapacity: true)
  }
}
