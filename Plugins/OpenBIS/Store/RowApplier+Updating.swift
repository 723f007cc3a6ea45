import PluginStore

// Existing entities.
extension RowApplier {
  /// Applies a row to an entity; absent columns keep their values.
  func update(_ id: Int, _ row: EntityRow) throws {
    let isFirst = spokenOf.insert(id)
    if !isFirst {
      duplicates += 1
      if row.children != nil || row.parents != nil { try settle() }
    }
    guard let old = try columns(id) else { return }
    var new = old
    try take(row, into: &new)
    var isChanged = try store(id, old, new)
    if try listChildren(id, row, old) { isChanged = true }
    if let parents = row.parents, try differs(parents, fromParentsOf: id) {
      lists.append(child: id, parents, isNew: false)
      isChanged = true
    }
    try see(id, row.object)
    if !isFirst { return }
    if old.flags.contains(.notLoaded) {
      result.added += 1
    } else if isChanged {
      result.changed += 1
    } else {
      result.unchanged += 1
    }
  }

  private func take(_ row: EntityRow, into columns: inout StoredColumns) throws {
    columns.flags = flags(row, before: columns.flags)
    if let category = row.category { columns.category = category }
    if let header = row.summaryHeader { columns.header = header }
    if let summary = row.summary { columns.summary = summary }
    if let identifier = row.identifier { columns.identifier = identifier }
    if let refcon = row.refcon { columns.refcon = refcon }
    if let properties = row.properties { columns.properties = EntityCoding.bytes(properties) }
    if let images = try imageBytes(row) { columns.images = images }
    if case .ids(let ids)? = row.children { columns.digest = Self.digest(ids) }
    if case .unreadable? = row.children { unreadable += 1 }
  }

  /// Writes the changed columns.
  ///
  /// - Returns: True if a visible column has changed.
  private func store(_ id: Int, _ old: StoredColumns, _ new: StoredColumns) throws -> Bool {
    var new = new
    let isMoved =
      Self.differ(old.category, new.category) || Self.differ(old.header, new.header) || old.flags.contains(.notLoaded)
    if isMoved {
      new.sort.removeAll(keepingCapacity: true)
      SortKey.append(
        category: new.category, header: new.header, permID: new.permID, isLoaded: true, to: &new.sort)
      lists.forgetSorts()
    }
    let hasOtherTexts =
      isMoved || Self.differ(old.summary, new.summary) || Self.differ(old.identifier, new.identifier)
      || old.properties != new.properties
    let hasOtherRefcon = Self.differ(old.refcon, new.refcon)
    let isChanged =
      hasOtherTexts || hasOtherRefcon || old.images != new.images
      || old.flags.subtracting(.missingOnServer) != new.flags
    guard isChanged || old.digest != new.digest || old.flags != new.flags else { return false }
    try write(id, new)
    if isMoved { try move(id, from: old.sort, to: new.sort) }
    if hasOtherTexts { try replaceWords(id, old, new) }
    if hasOtherTexts || hasOtherRefcon { try connection.markUnindexed(id) }
    return isChanged
  }

  /// Returns true if texts differ in any byte; canonical equivalence is not enough, because they are sent back
  /// unchanged.
  private static func differ(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return (one == nil) != (other == nil) }
    return one.utf8.count != other.utf8.count || !one.utf8.elementsEqual(other.utf8)
  }

  func write(_ id: Int, _ new: StoredColumns) throws {
    let statement = updateEntity
    try statement.bind(new.flags.rawValue, at: 1)
    try bind(statement, new.digest, at: 2)
    try statement.bind(new.sort, at: 3)
    try statement.bind(new.category, at: 4)
    try statement.bind(new.header, at: 5)
    try statement.bind(new.summary, at: 6)
    try bind(statement, new.identifier, at: 7)
    try bind(statement, new.refcon, at: 8)
    try bind(statement, new.properties, at: 9)
    try bind(statement, new.images, at: 10)
    try statement.bind(id, at: 11)
    try statement.run()
  }

  /// Moves an entity to its new position in all its lists.
  func move(_ id: Int, from old: [UInt8], to new: [UInt8]) throws {
    let parents = try connection.list("SELECT parent FROM link WHERE child = ?", [id]) { $0.integer(0) }
    for parent in parents {
      try connection.execute("DELETE FROM edge WHERE parent = ? AND sort = ? AND child = ?", [parent, old, id])
      try connection.execute("INSERT OR IGNORE INTO edge (parent, sort, child) VALUES (?, ?, ?)", [parent, new, id])
    }
  }

  private func replaceWords(_ id: Int, _ old: StoredColumns, _ new: StoredColumns) throws {
    if !old.flags.contains(.notLoaded) { try removeWords(id, old) }
    text.removeAll(keepingCapacity: true)
    new.appendWords(to: &text)
    try addWords(id)
  }

  func removeWords(_ id: Int, _ columns: StoredColumns) throws {
    text.removeAll(keepingCapacity: true)
    columns.appendWords(to: &text)
    words.add(id, text, isRemoval: true)
    if words.isFull { try settleWords() }
  }

  /// Queues a new list of children.
  ///
  /// - Returns: True if the list has changed.
  private func listChildren(_ id: Int, _ row: EntityRow, _ old: StoredColumns) throws -> Bool {
    guard case .ids(let ids)? = row.children, old.digest != Self.digest(ids) || !old.hasChildren else { return false }
    lists.append(parent: id, ids, isNew: false)
    return true
  }

  /// Returns true if an entity named other parents before.
  private func differs(_ parents: PackedTexts, fromParentsOf id: Int) throws -> Bool {
    let before = try connection.list(
      "SELECT perm_id FROM link JOIN entity ON entity.id = link.parent WHERE link.child = ? AND told & 2", [id]
    ) { $0.text(0) }
    return Set(before.map { Array($0.utf8) }) != Set(parents.map { Array($0.utf8) })
  }

  /// Returns the stored columns of an entity.
  func columns(_ id: Int) throws -> StoredColumns? {
    let statement = selectEntity
    try statement.bind(id, at: 1)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return StoredColumns(
      permID: statement.text(0), flags: EntityFlags(rawValue: statement.integer(1)),
      hasChildren: !statement.isNull(2), digest: statement.isNull(3) ? nil : statement.integer(3),
      sort: statement.bytes(4), category: statement.text(5), header: statement.text(6), summary: statement.text(7),
      identifier: statement.isNull(8) ? nil : statement.text(8), refcon: statement.isNull(9) ? nil : statement.text(9),
      properties: statement.isNull(10) ? nil : statement.bytes(10),
      images: statement.isNull(11) ? nil : statement.bytes(11))
  }
}

extension Connection {
  /// Records that the substring index has stale text of an entity.
  func markUnindexed(_ id: Int) throws {
    try execute("INSERT OR IGNORE INTO unindexed (id) VALUES (?)", [id])
  }
}
