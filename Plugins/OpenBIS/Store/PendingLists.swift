/// Lists of children and of parents that wait until their entities are there, and sort keys of new entities.
struct PendingLists {
  /// One list.
  struct Entry {
    /// The number of the entity that told it.
    var owner: UInt32
    /// Whether its ids are children; parents else.
    var isChildren: Bool
    /// Whether the owner was new in this answer: then there is nothing to compare it with.
    var isNew: Bool
    /// Where its ids end.
    var end: Int
  }

  private(set) var entries: [Entry] = []
  private(set) var texts = PackedTexts()
  /// Lists so long that they are not copied.
  private(set) var large: [(entry: Entry, ids: PackedTexts)] = []

  private static let largeBytes = 1 << 20
  private static let mostBytes = 5 << 20
  private static let mostSortBytes = 6 << 20

  var isEmpty: Bool { entries.isEmpty && large.isEmpty }

  /// Whether the waiting lists should go elsewhere.
  var isFull: Bool { texts.bytes.count + 28 * entries.count > Self.mostBytes || large.count > 4 }

  /// Lets the children of an entity wait.
  mutating func append(parent: Int, _ ids: PackedTexts, isNew: Bool) {
    append(Entry(owner: UInt32(parent), isChildren: true, isNew: isNew, end: 0), ids)
  }

  /// Lets the parents that an entity names wait.
  mutating func append(child: Int, _ ids: PackedTexts, isNew: Bool) {
    append(Entry(owner: UInt32(child), isChildren: false, isNew: isNew, end: 0), ids)
  }

  private mutating func append(_ entry: Entry, _ ids: PackedTexts) {
    // A new entity without children has nothing to enter.
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

  /// Takes out all that waits.
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

  /// Keeps the sort key of a new entity, as long as there is room and numbers follow each other.
  mutating func keepSort(_ sort: [UInt8], of id: Int) {
    if sortEnds.isEmpty { firstSort = id }
    guard id == firstSort + sortEnds.count, sortBytes.count < Self.mostSortBytes else { return }
    sortBytes.append(contentsOf: sort)
    sortEnds.append(UInt32(sortBytes.count))
  }

  /// Where the sort key of an entity is in the bytes, if it was kept.
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
