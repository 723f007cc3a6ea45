import PluginAPI
import PluginStore

/// The columns of a kept entity that rows may change.
struct StoredColumns {
  var permID = ""
  var flags: EntityFlags = []
  var hasChildren = false
  var digest: Int?
  var sort: [UInt8] = []
  var category = ""
  var header = ""
  var summary = ""
  var identifier: String?
  var refcon: String?
  var properties: [UInt8]?
  var images: [UInt8]?

  /// Puts the text in which words of the entity are searched behind bytes.
  func appendWords(to out: inout [UInt8]) {
    EntityWords.append(
      header: header, summary: summary, identifier: identifier ?? "", category: category,
      properties: properties.map(EntityCoding.properties) ?? [], to: &out)
  }
}

// Entities that are there.
extension RowApplier {
  /// Brings a row into an entity; absent columns stay as they are.
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
    try see(id)
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

  /// Writes what is different.
  ///
  /// - Returns: Whether people can see that something is.
  private func store(_ id: Int, _ old: StoredColumns, _ new: StoredColumns) throws -> Bool {
    var new = new
    let isMoved =
      old.category != new.category || old.header != new.header || old.flags.contains(.notLoaded)
    if isMoved {
      new.sort.removeAll(keepingCapacity: true)
      SortKey.append(
        category: new.category, header: new.header, permID: new.permID, isLoaded: true, to: &new.sort)
      lists.forgetSorts()
    }
    let hasOtherTexts =
      isMoved || old.summary != new.summary || old.identifier != new.identifier || old.properties != new.properties
    let isChanged =
      hasOtherTexts || old.refcon != new.refcon || old.images != new.images
      || old.flags.subtracting(.missingOnServer) != new.flags
    guard isChanged || old.digest != new.digest || old.flags != new.flags else { return false }
    try write(id, new)
    if isMoved { try move(id, from: old.sort, to: new.sort) }
    if hasOtherTexts { try replaceWords(id, old, new) }
    if hasOtherTexts || old.refcon != new.refcon { try connection.markUnindexed(id) }
    return isChanged
  }

  private func write(_ id: Int, _ new: StoredColumns) throws {
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

  /// Moves an entity to its new place in all lists it is in.
  private func move(_ id: Int, from old: [UInt8], to new: [UInt8]) throws {
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
    try deleteWords.bind(id, at: 1)
    try text.withUnsafeBufferPointer { try deleteWords.bind(utf8: $0, at: 2) }
    try deleteWords.run()
  }

  /// Lets a new list of children wait.
  ///
  /// - Returns: Whether it is another than before.
  private func listChildren(_ id: Int, _ row: EntityRow, _ old: StoredColumns) throws -> Bool {
    guard case .ids(let ids)? = row.children, old.digest != Self.digest(ids) || !old.hasChildren else { return false }
    lists.append(parent: id, ids, isNew: false)
    return true
  }

  /// Whether an entity named other parents of itself before.
  private func differs(_ parents: PackedTexts, fromParentsOf id: Int) throws -> Bool {
    let before = try connection.list(
      "SELECT perm_id FROM link JOIN entity ON entity.id = link.parent WHERE link.child = ? AND told & 2", [id]
    ) { $0.text(0) }
    return Set(before.map { Array($0.utf8) }) != Set(parents.map { Array($0.utf8) })
  }

  /// What is kept of an entity.
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

// Deletions, and what an answer says by what it does not say.
extension RowApplier {
  /// Removes an entity the server has no more; that of an unknown one is passed over.
  func delete(_ permID: String, _ id: Int?) throws {
    guard let id else {
      result.ignoredDeletions += 1
      return
    }
    try settle()
    try remove(id)
    result.removed += 1
  }

  /// Removes an entity with its edges; what it listed stays.
  func remove(_ id: Int) throws {
    guard let columns = try columns(id) else { return }
    var permID = columns.permID
    permID.withUTF8 { known.enter($0, 0) }
    lists.forgetSorts()
    if !columns.flags.contains(.notLoaded) { try removeWords(id, columns) }
    let parents = try connection.list("SELECT parent FROM link WHERE child = ?", [id]) { $0.integer(0) }
    for parent in parents {
      try connection.execute(
        "DELETE FROM edge WHERE parent = ? AND sort = ? AND child = ?", [parent, columns.sort, id])
      try connection.execute(
        "UPDATE entity SET child_count = child_count - 1, children_digest = NULL WHERE id = ?", [parent])
    }
    try connection.execute("DELETE FROM link WHERE child = ?", [id])
    if columns.hasChildren {
      try connection.execute(
        "DELETE FROM link WHERE parent = ?1 AND child IN (SELECT child FROM edge WHERE parent = ?1)", [id])
      try connection.execute("DELETE FROM edge WHERE parent = ?", [id])
    }
    try connection.execute("DELETE FROM unindexed WHERE id = ?", [id])
    try connection.execute("DELETE FROM seen WHERE id = ?", [id])
    try connection.execute("DELETE FROM entity WHERE id = ?", [id])
  }

  func closeAnswer() throws {
    switch kind {
    case .navigation: try closeNavigation()
    case .details(let asked): try markMissing(asked)
    default: break
    }
  }

  private func closeNavigation() throws {
    if result.count == 0 {
      result.warnings.append(
        Diagnostic(
          .warning, code: "openbis.navigation-empty", "the server lists no navigation entities; those known before stay"
        ))
      return
    }
    let others = try connection.list("SELECT id FROM entity WHERE flags & 4") { $0.integer(0) }
      .filter { !spokenOf.contains($0) }
    for id in others {
      try connection.execute("UPDATE entity SET flags = flags & ~4 WHERE id = ?", [id])
    }
  }

  private func markMissing(_ asked: [String]) throws {
    for permID in asked {
      guard let id = try number(of: permID), !spokenOf.contains(id) else { continue }
      result.missing.append(permID)
      try connection.execute(
        "UPDATE entity SET flags = flags | ? WHERE id = ?", [EntityFlags.missingOnServer.rawValue, id])
    }
  }
}

extension Connection {
  /// Notes that the substring index has old text of an entity.
  func markUnindexed(_ id: Int) throws {
    try execute("INSERT OR IGNORE INTO unindexed (id) VALUES (?)", [id])
  }
}
