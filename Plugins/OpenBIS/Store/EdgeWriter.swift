import PluginStore

/// A writer of edges into their two tables, many at a time and in the order of the tables.
final class EdgeWriter {
  private let applier: RowApplier
  /// The entity numbers of the current list.
  var numbers: [UInt32] = []
  /// The edges reported by parents, with child and parent in one number.
  private var byParents: [UInt64] = []
  /// The edges reported by children.
  private var byChildren: [UInt64] = []
  private let insertLink: PreparedStatement
  private let updateLink: PreparedStatement
  private let insertEdge: PreparedStatement
  private let selectSort: PreparedStatement

  private static let mostEdges = 400_000
  /// The numbers of children of one parent that are sorted before they are written; fewer are close together anyway.
  private static let sorted = 64...20_000

  init(_ applier: RowApplier) throws {
    self.applier = applier
    let connection = applier.connection
    insertLink = try connection.statement("INSERT OR IGNORE INTO link (child, parent, told) VALUES (?, ?, ?)")
    updateLink = try connection.statement("UPDATE link SET told = told | ? WHERE child = ? AND parent = ?")
    insertEdge = try connection.statement("INSERT OR IGNORE INTO edge (parent, sort, child) VALUES (?, ?, ?)")
    selectSort = try connection.statement("SELECT sort FROM entity WHERE id = ?")
  }

  /// Writes the pending edges.
  func finish() throws {
    try enter(byParents, told: 1)
    try enter(byChildren, told: 2)
    byParents.removeAll(keepingCapacity: true)
    byChildren.removeAll(keepingCapacity: true)
  }

  private func finishIfFull() throws {
    if byParents.count + byChildren.count >= Self.mostEdges { try finish() }
  }

  // MARK: Lists

  /// Replaces the children that a parent reported.
  ///
  /// - Parameter told: The number of ids in the list, including duplicates.
  func children(of parent: Int, isNew: Bool, told: Int) throws {
    makeUnique()
    var count = numbers.count
    if isNew {
      for child in numbers { byParents.append(UInt64(child) << 32 | UInt64(parent)) }
    } else {
      count = try replaceChildren(of: parent)
    }
    if !isNew || count != told {
      try applier.connection.execute("UPDATE entity SET child_count = ? WHERE id = ?", [count, parent])
    }
    try finishIfFull()
  }

  private func makeUnique() {
    let isAscending = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    if isAscending { return }
    numbers.sort()
    var last: UInt32?
    numbers.removeAll { number in
      defer { last = number }
      return number == last
    }
  }

  /// Removes the edges that a parent no longer reports, and queues new ones.
  ///
  /// - Returns: The new number of its children, including those that name it as their parent.
  private func replaceChildren(of parent: Int) throws -> Int {
    let connection = applier.connection
    var old: [UInt64] = try connection.list(
      "SELECT edge.child, told FROM edge JOIN link ON link.child = edge.child AND link.parent = ?1 WHERE edge.parent = ?1",
      [parent]
    ) { UInt64($0.integer(0)) << 2 | UInt64($0.integer(1)) }
    old.sort()
    var (place, count) = (0, numbers.count)
    for child in numbers {
      while place < old.count, old[place] >> 2 < child {
        if try !dropFromParent(Int(old[place] >> 2), parent, told: old[place] & 3) { count += 1 }
        place += 1
      }
      if place < old.count, old[place] >> 2 == child {
        if old[place] & 1 == 0 { byParents.append(UInt64(child) << 32 | UInt64(parent)) }
        place += 1
      } else {
        byParents.append(UInt64(child) << 32 | UInt64(parent))
      }
    }
    while place < old.count {
      if try !dropFromParent(Int(old[place] >> 2), parent, told: old[place] & 3) { count += 1 }
      place += 1
    }
    return count
  }

  /// Withdraws a parent's report of a child.
  ///
  /// - Returns: True if the edge was removed; false if the child reports it too.
  private func dropFromParent(_ child: Int, _ parent: Int, told: UInt64) throws -> Bool {
    if told == 1 {
      try remove(child, parent)
      return true
    }
    if told == 3 {
      try applier.connection.execute("UPDATE link SET told = 2 WHERE child = ? AND parent = ?", [child, parent])
    }
    return false
  }

  /// Replaces the parents that an entity names.
  func parents(of child: Int, isNew: Bool) throws {
    makeUnique()
    let new = Set(numbers)
    if !isNew {
      let connection = applier.connection
      let old = try connection.list("SELECT parent, told FROM link WHERE child = ? AND told & 2", [child]) {
        ($0.integer(0), $0.integer(1))
      }
      for (parent, told) in old where !new.contains(UInt32(parent)) {
        if told == 3 {
          try connection.execute("UPDATE link SET told = 1 WHERE child = ? AND parent = ?", [child, parent])
        } else {
          try remove(child, parent)
          try connection.execute("UPDATE entity SET child_count = child_count - 1 WHERE id = ?", [parent])
        }
      }
    }
    for parent in numbers { byChildren.append(UInt64(child) << 32 | UInt64(parent)) }
    try finishIfFull()
  }

  private func remove(_ child: Int, _ parent: Int) throws {
    let connection = applier.connection
    try connection.execute("DELETE FROM link WHERE child = ? AND parent = ?", [child, parent])
    try connection.execute(
      "DELETE FROM edge WHERE parent = ?1 AND child = ?2 AND sort = (SELECT sort FROM entity WHERE id = ?2)",
      [parent, child])
  }

  // MARK: Writing

  /// Writes edges, first into the children's table and then into the parents' table.
  private func enter(_ edges: [UInt64], told: Int) throws {
    if edges.isEmpty { return }
    var fresh: [UInt64] = []
    fresh.reserveCapacity(edges.count)
    try insertLink.bind(told, at: 3)
    for edge in edges.sorted() {
      let (child, parent) = (edge >> 32, edge & 0xFFFF_FFFF)
      try insertLink.bind(Int(child), at: 1)
      try insertLink.bind(Int(parent), at: 2)
      try insertLink.run()
      if applier.connection.changedRows > 0 {
        fresh.append(parent << 32 | child)
      } else {
        try updateLink.bind(told, at: 1)
        try updateLink.bind(Int(child), at: 2)
        try updateLink.bind(Int(parent), at: 3)
        try updateLink.run()
      }
    }
    fresh.sort()
    var start = 0
    while start < fresh.count {
      let parent = fresh[start] >> 32
      var end = start + 1
      while end < fresh.count, fresh[end] >> 32 == parent { end += 1 }
      try enterChildren(of: Int(parent), fresh[start..<end])
      if told == 2 {
        try applier.connection.execute(
          "UPDATE entity SET child_count = coalesce(child_count, 0) + ? WHERE id = ?", [end - start, Int(parent)])
      }
      start = end
    }
  }

  private func enterChildren(of parent: Int, _ edges: ArraySlice<UInt64>) throws {
    try insertEdge.bind(parent, at: 1)
    guard Self.sorted.contains(edges.count) else {
      for edge in edges { try enter(Int(edge & 0xFFFF_FFFF)) }
      return
    }
    var children = try edges.map { edge in
      let child = Int(edge & 0xFFFF_FFFF)
      return (child: child, sort: try sort(of: child))
    }
    children.sort { $0.sort.lexicographicallyPrecedes($1.sort) }
    for (child, sort) in children {
      try insertEdge.bind(sort, at: 2)
      try insertEdge.bind(child, at: 3)
      try insertEdge.run()
    }
  }

  private func enter(_ child: Int) throws {
    if let place = applier.lists.sortPlace(of: child) {
      try applier.lists.sortBytes.withUnsafeBufferPointer {
        try insertEdge.bind(UnsafeBufferPointer(rebasing: $0[place]), at: 2)
      }
    } else {
      try insertEdge.bind(try sort(of: child), at: 2)
    }
    try insertEdge.bind(child, at: 3)
    try insertEdge.run()
  }

  private func sort(of id: Int) throws -> [UInt8] {
    if let place = applier.lists.sortPlace(of: id) { return Array(applier.lists.sortBytes[place]) }
    try selectSort.bind(id, at: 1)
    defer { selectSort.reset() }
    return try selectSort.step() ? selectSort.bytes(0) : []
  }
}

// Edges, made from the waiting lists.
extension RowApplier {
  /// Writes all waiting lists, at the end of a response or before an operation that must see them.
  func settle() throws {
    if lists.isEmpty, !hasSpooled { return }
    let writer = try EdgeWriter(self)
    if hasSpooled { try settleSpooled(writer) }
    try settle(lists.takeAll(), writer)
    try writer.finish()
  }

  /// Moves the waiting lists to a temporary table, so that memory does not grow with the response.
  func spool() throws {
    if !hasSpooled {
      try connection.execute(
        "CREATE TEMP TABLE IF NOT EXISTS pending (number INTEGER PRIMARY KEY, owner INTEGER, kind INTEGER, ids BLOB)")
      hasSpooled = true
    }
    let insert = try connection.statement("INSERT INTO temp.pending (owner, kind, ids) VALUES (?, ?, ?)")
    let waiting = lists.takeAll()
    var start = 0
    for entry in waiting.entries {
      try insert.bind(Int(entry.owner), at: 1)
      try insert.bind((entry.isChildren ? 1 : 0) | (entry.isNew ? 2 : 0), at: 2)
      try insert.bind(waiting.texts.encoded(start..<entry.end), at: 3)
      try insert.run()
      start = entry.end
    }
    if !waiting.large.isEmpty {
      let writer = try EdgeWriter(self)
      for (entry, ids) in waiting.large { try settle(entry, ids, 0..<ids.count, writer) }
      try writer.finish()
    }
  }

  private func settleSpooled(_ writer: EdgeWriter) throws {
    let select = try connection.statement("SELECT owner, kind, ids FROM temp.pending ORDER BY number")
    while try select.step() {
      let kind = select.integer(1)
      guard let ids = PackedTexts(encoded: select.bytes(2)) else { continue }
      let entry = PendingLists.Entry(
        owner: UInt32(select.integer(0)), isChildren: kind & 1 != 0, isNew: kind & 2 != 0, end: 0)
      try settle(entry, ids, 0..<ids.count, writer)
    }
    select.reset()
    try connection.execute("DELETE FROM temp.pending")
    hasSpooled = false
  }

  private func settle(_ waiting: PendingLists, _ writer: EdgeWriter) throws {
    var start = 0
    for entry in waiting.entries {
      try settle(entry, waiting.texts, start..<entry.end, writer)
      start = entry.end
    }
    for (entry, ids) in waiting.large { try settle(entry, ids, 0..<ids.count, writer) }
  }

  private func settle(
    _ entry: PendingLists.Entry, _ texts: PackedTexts, _ range: Range<Int>, _ writer: EdgeWriter
  ) throws {
    writer.numbers.removeAll(keepingCapacity: true)
    try texts.forEach(in: range) { id in
      writer.numbers.append(UInt32(try number(of: id) ?? makePlaceholder(id)))
    }
    if entry.isChildren {
      try writer.children(of: Int(entry.owner), isNew: entry.isNew, told: range.count)
    } else {
      try writer.parents(of: Int(entry.owner), isNew: entry.isNew)
    }
  }

  /// Creates an entity of which only the id is known.
  private func makePlaceholder(_ permID: UnsafeBufferPointer<UInt8>) throws -> Int {
    let id = newNumber(permID)
    let text = String(decoding: permID, as: UTF8.self)
    sort.removeAll(keepingCapacity: true)
    SortKey.append(category: "", header: "", permID: text, isLoaded: false, to: &sort)
    lists.keepSort(sort, of: id)
    let statement = insertEntity
    try statement.bind(id, at: 1)
    try statement.bind(utf8: permID, at: 2)
    try statement.bind(EntityFlags.notLoaded.rawValue, at: 3)
    try statement.bindNull(at: 4)
    try statement.bindNull(at: 5)
    try statement.bind(sort, at: 6)
    for place in 7...9 { try statement.bind("", at: place) }
    for place in 10...13 { try statement.bindNull(at: place) }
    try statement.run()
    return id
  }
}

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
