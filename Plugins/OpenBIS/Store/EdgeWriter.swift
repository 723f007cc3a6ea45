import PluginStore

/// A writer of the edges from entities to those listed below them, in bulk and in the order of the tables.
///
/// Lists of children and of parents wait until ``finish()``: by then most of their entities exist. An edge is in two
/// tables: `edge` has the children of each parent in list order, `link` the parents of each child.
final class EdgeWriter {
  private let connection: Connection
  private let numbers: EntityNumbers
  private var lists = PendingLists()
  /// The sort keys of new entities.
  private var sortKeys = RecentSortKeys()
  /// A Boolean value indicating whether lists wait in a temporary table.
  private var hasSpooled = false
  /// A buffer for the sort key of a new entity.
  private var sort: [UInt8] = []
  /// The entity numbers of the current list.
  private var listed: [UInt32] = []
  /// The edges reported by parents, with child and parent in one number.
  private var byParents: [UInt64] = []
  /// The edges reported by children.
  private var byChildren: [UInt64] = []

  private let insertPlaceholder: PreparedStatement
  private let insertLink: PreparedStatement
  private let updateLink: PreparedStatement
  private let insertEdge: PreparedStatement
  private let selectSort: PreparedStatement
  private static let mostEdges = 400_000
  /// The numbers of children of one parent that are sorted before they are written; fewer are close together anyway.
  private static let sorted = 64...20_000

  init(_ connection: Connection, _ numbers: EntityNumbers) throws {
    (self.connection, self.numbers) = (connection, numbers)
    insertPlaceholder = try connection.statement(
      """
      INSERT INTO entity (id, perm_id, flags, sort, category, header, summary)
        VALUES (?, ?, \(EntityFlags.notLoaded.rawValue), ?, '', '', '')
      """)
    insertLink = try connection.statement("INSERT OR IGNORE INTO link (child, parent, told) VALUES (?, ?, ?)")
    updateLink = try connection.statement("UPDATE link SET told = told | ? WHERE child = ? AND parent = ?")
    insertEdge = try connection.statement("INSERT OR IGNORE INTO edge (parent, sort, child) VALUES (?, ?, ?)")
    selectSort = try connection.statement("SELECT sort FROM entity WHERE id = ?")
  }

  // MARK: Waiting lists

  /// Queues the children that an entity reported.
  ///
  /// - Parameter isNew: True if the entity was new in this response, so that there is nothing to compare with.
  func add(children ids: PackedTexts, of parent: Int, isNew: Bool) {
    lists.append(PendingLists.Entry(owner: UInt32(parent), isChildren: true, isNew: isNew, end: 0), ids)
  }

  /// Queues the parents that an entity names.
  func add(parents ids: PackedTexts, of child: Int, isNew: Bool) {
    lists.append(PendingLists.Entry(owner: UInt32(child), isChildren: false, isNew: isNew, end: 0), ids)
  }

  /// Holds the sort key of a new entity until ``forgetSortKeys()``.
  func keep(sortKey: [UInt8], of id: Int) { sortKeys.keep(sortKey, of: id) }

  /// Forgets the sort keys held, because some have changed.
  func forgetSortKeys() { sortKeys.removeAll() }

  /// Moves the waiting lists to a temporary table if they are many, so that memory does not grow with the response.
  func spoolIfFull() throws {
    guard lists.isFull else { return }
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
    if waiting.large.isEmpty { return }
    for (entry, ids) in waiting.large { try enter(entry, ids, 0..<ids.count) }
    try enterEdges()
  }

  /// Writes all waiting lists, at the end of a response or before an operation that must see them.
  func finish() throws {
    if lists.isEmpty, !hasSpooled { return }
    if hasSpooled { try enterSpooled() }
    let waiting = lists.takeAll()
    var start = 0
    for entry in waiting.entries {
      try enter(entry, waiting.texts, start..<entry.end)
      start = entry.end
    }
    for (entry, ids) in waiting.large { try enter(entry, ids, 0..<ids.count) }
    try enterEdges()
    // The largest lists may have been long ago.
    (listed, byParents, byChildren) = ([], [], [])
  }

  private func enterSpooled() throws {
    let select = try connection.statement("SELECT owner, kind, ids FROM temp.pending ORDER BY number")
    while try select.step() {
      let kind = select.integer(1)
      guard let ids = PackedTexts(encoded: select.bytes(2)) else { continue }
      let entry = PendingLists.Entry(
        owner: UInt32(select.integer(0)), isChildren: kind & 1 != 0, isNew: kind & 2 != 0, end: 0)
      try enter(entry, ids, 0..<ids.count)
    }
    select.reset()
    try connection.execute("DELETE FROM temp.pending")
    hasSpooled = false
  }

  private func enter(_ entry: PendingLists.Entry, _ texts: PackedTexts, _ range: Range<Int>) throws {
    listed.removeAll(keepingCapacity: true)
    try texts.forEach(in: range) { id in
      listed.append(UInt32(try numbers.number(of: id) ?? makePlaceholder(id)))
    }
    if entry.isChildren {
      try enterChildren(of: Int(entry.owner), isNew: entry.isNew, idCount: range.count)
    } else {
      try enterParents(of: Int(entry.owner), isNew: entry.isNew)
    }
    if byParents.count + byChildren.count >= Self.mostEdges { try enterEdges() }
  }

  /// Creates an entity of which only the id is known.
  private func makePlaceholder(_ permID: UnsafeBufferPointer<UInt8>) throws -> Int {
    let id = numbers.add(permID)
    sort.removeAll(keepingCapacity: true)
    SortKey.append(
      category: "", header: "", permID: String(decoding: permID, as: UTF8.self), isLoaded: false, to: &sort)
    sortKeys.keep(sort, of: id)
    try insertPlaceholder.bind(id, at: 1)
    try insertPlaceholder.bind(utf8: permID, at: 2)
    try insertPlaceholder.bind(sort, at: 3)
    try insertPlaceholder.run()
    return id
  }

  // MARK: Lists of one entity

  /// Replaces the children that a parent reported.
  ///
  /// - Parameter idCount: The number of ids in the list, including duplicates.
  private func enterChildren(of parent: Int, isNew: Bool, idCount: Int) throws {
    makeUnique()
    var count = listed.count
    if isNew {
      for child in listed { byParents.append(UInt64(child) << 32 | UInt64(parent)) }
    } else {
      count = try replaceChildren(of: parent)
    }
    if !isNew || count != idCount {
      try connection.execute("UPDATE entity SET child_count = ? WHERE id = ?", [count, parent])
    }
  }

  private func makeUnique() {
    let isAscending = zip(listed, listed.dropFirst()).allSatisfy { $0 < $1 }
    if isAscending { return }
    listed.sort()
    var last: UInt32?
    listed.removeAll { number in
      defer { last = number }
      return number == last
    }
  }

  /// Removes the edges that a parent no longer reports, and queues new ones.
  ///
  /// - Returns: The new number of its children, including those that name it as their parent.
  private func replaceChildren(of parent: Int) throws -> Int {
    var old: [UInt64] = try connection.list(
      "SELECT edge.child, told FROM edge JOIN link ON link.child = edge.child AND link.parent = ?1 WHERE edge.parent = ?1",
      [parent]
    ) { UInt64($0.integer(0)) << 2 | UInt64($0.integer(1)) }
    old.sort()
    var (index, count) = (0, listed.count)
    for child in listed {
      while index < old.count, old[index] >> 2 < child {
        if try !dropFromParent(Int(old[index] >> 2), parent, sources: old[index] & 3) { count += 1 }
        index += 1
      }
      if index < old.count, old[index] >> 2 == child {
        if old[index] & 1 == 0 { byParents.append(UInt64(child) << 32 | UInt64(parent)) }
        index += 1
      } else {
        byParents.append(UInt64(child) << 32 | UInt64(parent))
      }
    }
    while index < old.count {
      if try !dropFromParent(Int(old[index] >> 2), parent, sources: old[index] & 3) { count += 1 }
      index += 1
    }
    return count
  }

  /// Withdraws a parent's report of a child.
  ///
  /// - Returns: True if the edge was removed; false if the child reports it too.
  private func dropFromParent(_ child: Int, _ parent: Int, sources: UInt64) throws -> Bool {
    if sources == 1 {
      try remove(child, parent)
      return true
    }
    if sources == 3 {
      try connection.execute("UPDATE link SET told = 2 WHERE child = ? AND parent = ?", [child, parent])
    }
    return false
  }

  /// Replaces the parents that an entity names.
  private func enterParents(of child: Int, isNew: Bool) throws {
    makeUnique()
    let new = Set(listed)
    if !isNew {
      let old = try connection.list("SELECT parent, told FROM link WHERE child = ? AND told & 2", [child]) {
        ($0.integer(0), $0.integer(1))
      }
      for (parent, sources) in old where !new.contains(UInt32(parent)) {
        if sources == 3 {
          try connection.execute("UPDATE link SET told = 1 WHERE child = ? AND parent = ?", [child, parent])
        } else {
          try remove(child, parent)
          try connection.execute("UPDATE entity SET child_count = child_count - 1 WHERE id = ?", [parent])
        }
      }
    }
    for parent in listed { byChildren.append(UInt64(child) << 32 | UInt64(parent)) }
  }

  private func remove(_ child: Int, _ parent: Int) throws {
    try connection.execute("DELETE FROM link WHERE child = ? AND parent = ?", [child, parent])
    try connection.execute(
      "DELETE FROM edge WHERE parent = ?1 AND child = ?2 AND sort = (SELECT sort FROM entity WHERE id = ?2)",
      [parent, child])
  }

  // MARK: Writing

  private func enterEdges() throws {
    try enter(byParents, source: 1)
    try enter(byChildren, source: 2)
    byParents.removeAll(keepingCapacity: true)
    byChildren.removeAll(keepingCapacity: true)
  }

  /// Writes edges, first into the children's table and then into the parents' table.
  private func enter(_ edges: [UInt64], source: Int) throws {
    if edges.isEmpty { return }
    var fresh: [UInt64] = []
    fresh.reserveCapacity(edges.count)
    try insertLink.bind(source, at: 3)
    for edge in edges.sorted() {
      let (child, parent) = (edge >> 32, edge & 0xFFFF_FFFF)
      try insertLink.bind(Int(child), at: 1)
      try insertLink.bind(Int(parent), at: 2)
      try insertLink.run()
      if connection.changedRows > 0 {
        fresh.append(parent << 32 | child)
      } else {
        try updateLink.bind(source, at: 1)
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
      if source == 2 {
        try connection.execute(
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
    let isHeld = try sortKeys.withKey(of: child) { try insertEdge.bind($0, at: 2) } != nil
    if !isHeld { try insertEdge.bind(try sort(of: child), at: 2) }
    try insertEdge.bind(child, at: 3)
    try insertEdge.run()
  }

  private func sort(of id: Int) throws -> [UInt8] {
    if let held = sortKeys.withKey(of: id, Array.init) { return held }
    try selectSort.bind(id, at: 1)
    defer { selectSort.reset() }
    return try selectSort.step() ? selectSort.bytes(0) : []
  }
}

/// Lists of children and of parents that wait for their entities.
private struct PendingLists {
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

  var isEmpty: Bool { entries.isEmpty && large.isEmpty }

  /// A Boolean value indicating whether the waiting lists should be moved out of memory.
  var isFull: Bool { texts.bytes.count + 28 * entries.count > Self.mostBytes || large.count > 4 }

  mutating func append(_ entry: Entry, _ ids: PackedTexts) {
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
    defer { self = PendingLists() }
    return self
  }
}

/// The sort keys of new entities, while there is room and their numbers are consecutive.
private struct RecentSortKeys {
  private var bytes: [UInt8] = []
  /// The end offset of each key.
  private var ends: [UInt32] = []
  /// The number of the first entity.
  private var first = 0
  private static let mostBytes = 6 << 20

  mutating func keep(_ key: [UInt8], of id: Int) {
    if ends.isEmpty { first = id }
    guard id == first + ends.count, bytes.count < Self.mostBytes else { return }
    bytes.append(contentsOf: key)
    ends.append(UInt32(bytes.count))
  }

  /// Calls `body` with the key of an entity, valid only within the call; returns nil if it is not held.
  func withKey<Result>(of id: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result? {
    let index = id - first
    guard ends.indices.contains(index) else { return nil }
    let start = index == 0 ? 0 : Int(ends[index - 1])
    return try bytes.withUnsafeBufferPointer {
      try body(UnsafeBufferPointer(rebasing: $0[start..<Int(ends[index])]))
    }
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }
}
