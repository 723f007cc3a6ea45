import PluginAPI
import PluginStore

/// A writer of one response's rows to the tables, inside one transaction.
///
/// Words and edges are collected and written in bulk.
final class RowApplier {
  private let connection: Connection
  private let kind: ResponseKind
  private let generation: Int
  private let milliseconds: Int
  private let images: ImageWriter
  private var result = AppliedRows()
  /// The number of rows about entities that an earlier row was about.
  private var duplicates = 0
  private let numbers: EntityNumbers
  private let edges: EdgeWriter
  private var words: WordWriter
  /// The numbers of the entities that this response reported.
  private var reported = NumberSet()
  /// The children that the requested category had before this response, if their list has changed.
  private var listedBefore: Set<Int>?
  /// A Boolean value indicating whether an entity was removed or is made from an object of another kind than before.
  private var changesCounts = false
  private var unreadable = 0
  private let insertEntity: PreparedStatement
  private let updateEntity: PreparedStatement
  private let selectEntity: PreparedStatement
  private let insertSeen: PreparedStatement
  private let updateSeen: PreparedStatement
  /// Buffers for the words and the sort key of an entity.
  private var text: [UInt8] = []
  private var sort: [UInt8] = []

  /// Begins a response.
  init(_ connection: Connection, _ kind: ResponseKind, generation: Int, at: Instant, imageBudget: Int) throws {
    self.connection = connection
    self.kind = kind
    self.generation = generation
    milliseconds = Int(at.seconds) * 1000 + Int(at.nanoseconds / 1_000_000)
    images = ImageWriter(connection, budget: imageBudget)
    numbers = try EntityNumbers(connection)
    edges = try EdgeWriter(connection, numbers)
    words = try WordWriter(connection)
    insertEntity = try connection.statement(
      """
      INSERT INTO entity (id, perm_id, flags, child_count, children_digest, sort, category, header, summary, identifier,
        refcon, properties, images) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    updateEntity = try connection.statement(
      """
      UPDATE entity SET flags = ?, children_digest = ?, sort = ?, category = ?, header = ?, summary = ?, identifier = ?,
        refcon = ?, properties = ?, images = ? WHERE id = ?
      """)
    selectEntity = try connection.statement(
      """
      SELECT perm_id, flags, child_count, children_digest, sort, category, header, summary, identifier, refcon,
        properties, images FROM entity WHERE id = ?
      """)
    insertSeen = try connection.statement(
      "INSERT OR REPLACE INTO seen (id, generation, at, kind, modified) VALUES (?, ?, ?, ?, ?)")
    updateSeen = try connection.statement(
      "UPDATE seen SET generation = ?2, at = ?3, modified = ?5 WHERE id = ?1 AND kind IS ?4")
  }

  /// The number of rows applied so far.
  var rowCount: Int { result.count + duplicates }

  /// Applies rows.
  func apply(_ rows: [EntityRow]) throws {
    for row in rows { try apply(row) }
  }

  private func apply(_ row: EntityRow) throws {
    let id = try numbers.number(of: row.permID)
    if row.isDeleted { return try delete(id) }
    if let id { try update(id, row) } else { try insert(row) }
    try edges.spoolIfFull()
  }

  /// Ends the response: writes the waiting edges, and performs the final steps for its kind.
  func finish() throws -> AppliedRows {
    try edges.finish()
    try closeAnswer()
    try words.finish()
    if changesCounts || numbers.hasNew || result.added + result.changed > 0 { try EntityTally.forget(connection) }
    try connection.execute(
      "INSERT OR REPLACE INTO setting (name, value) VALUES ('next-id', ?)", [numbers.next])
    if duplicates > 0 {
      result.warnings.append(
        Diagnostic(
          .warning, code: "openbis.duplicate-rows",
          "\(duplicates) of the rows repeat an entity; the last row is used"))
    }
    if unreadable > 0 {
      result.warnings.append(
        Diagnostic(
          .warning, code: "openbis.children-unreadable",
          "the children of \(unreadable) entities could not be read; the cached children are kept"))
    }
    return result
  }

  // MARK: New entities

  private func insert(_ row: EntityRow) throws {
    var permID = row.permID
    let id = permID.withUTF8 { numbers.add($0) }
    reported.insert(id)
    result.added += 1
    var children: PackedTexts?
    if case .ids(let ids)? = row.children { children = ids }
    if case .unreadable? = row.children { unreadable += 1 }
    sort.removeAll(keepingCapacity: true)
    SortKey.append(
      category: row.category ?? "", header: row.summaryHeader ?? "", permID: permID, isLoaded: true, to: &sort)
    edges.keep(sortKey: sort, of: id)
    try write(id, row, children)
    try see(id, row.object, isNew: true)
    text.removeAll(keepingCapacity: true)
    EntityWords.append(row, to: &text)
    try words.add(id, text)
    if let children { edges.add(children: children, of: id, isNew: true) }
    if let parents = row.parents { edges.add(parents: parents, of: id, isNew: true) }
  }

  /// Writes a new entity, whose sort key is in the buffer.
  private func write(_ id: Int, _ row: EntityRow, _ children: PackedTexts?) throws {
    let statement = insertEntity
    try statement.bind(id, at: 1)
    try statement.bind(row.permID, at: 2)
    try statement.bind(flags(row, before: []).rawValue, at: 3)
    try statement.bind(children.map(\.count), at: 4)
    try statement.bind(children.map(Self.digest), at: 5)
    try statement.bind(sort, at: 6)
    try statement.bind(row.category ?? "", at: 7)
    try statement.bind(row.summaryHeader ?? "", at: 8)
    try statement.bind(row.summary ?? "", at: 9)
    try statement.bind(row.identifier, at: 10)
    try statement.bind(row.refcon, at: 11)
    try statement.bind(row.properties.map { EntityCoding.bytes($0) }, at: 12)
    try statement.bind(try imageBytes(row), at: 13)
    try statement.run()
  }

  /// Returns the flags of an entity after a row of this response.
  private func flags(_ row: EntityRow, before: EntityFlags) -> EntityFlags {
    var flags = before.subtracting([.notLoaded, .missingOnServer])
    switch kind {
    case .navigation: flags.insert(.navigation)
    case .details: flags.insert(.detailed)
    case .roots, .drill, .search, .objects: break
    }
    switch row.isRootLevel {
    case true: flags.insert(.rootLevel)
    case false: flags.remove(.rootLevel)
    case nil: break
    }
    switch row.children {
    case .ids: flags.remove(.childrenUnreadable)
    case .unreadable: flags.insert(.childrenUnreadable)
    case nil: break
    }
    return flags
  }

  /// Records that the server reported an entity, and the object that it was made from.
  private func see(_ id: Int, _ object: ObjectStamp?, isNew: Bool) throws {
    func run(_ statement: PreparedStatement) throws {
      try statement.bind(id, at: 1)
      try statement.bind(generation, at: 2)
      try statement.bind(milliseconds, at: 3)
      try statement.bind(object?.kind.number, at: 4)
      try statement.bind(object?.modifiedAt, at: 5)
      try statement.run()
    }
    if !isNew {
      try run(updateSeen)
      if connection.changedRows > 0 { return }
      changesCounts = true
    }
    try run(insertSeen)
  }

  /// Returns the encoded images of a row; stores the bytes of images sent with the row.
  private func imageBytes(_ row: EntityRow) throws -> [UInt8]? {
    guard let images = row.images else { return nil }
    return EntityCoding.bytes(
      try images.map { image in
        guard case .bytes(let bytes) = image.source else { return image }
        var kept = image
        kept.source = .stored(try self.images.keep(bytes, for: nil, isMarquee: image.role == .marquee))
        return kept
      })
  }

  /// Returns a hash of a list of children, the same in every run of the program.
  ///
  /// - Source: FNV-1a, draft-eastlake-fnv-17, section 2, over the ids and their end offsets.
  private static func digest(_ texts: PackedTexts) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    texts.bytes.withUnsafeBufferPointer { bytes in
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    for end in texts.ends { hash = (hash ^ UInt64(truncatingIfNeeded: end)) &* 0x100_0000_01b3 }
    return Int(truncatingIfNeeded: hash)
  }
}

// MARK: Existing entities
extension RowApplier {
  /// Applies a row to an entity; absent columns keep their values.
  private func update(_ id: Int, _ row: EntityRow) throws {
    let isFirst = reported.insert(id)
    if !isFirst {
      duplicates += 1
      if row.children != nil || row.parents != nil { try edges.finish() }
    }
    guard let old = try columns(id) else { return }
    var new = old
    try take(row, into: &new)
    var isChanged = try store(id, old, new)
    if try listChildren(id, row, old) { isChanged = true }
    if let parents = row.parents, try differs(parents, fromParentsOf: id) {
      edges.add(parents: parents, of: id, isNew: false)
      isChanged = true
    }
    try see(id, row.object, isNew: false)
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
      edges.forgetSortKeys()
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

  private func write(_ id: Int, _ new: StoredColumns) throws {
    let statement = updateEntity
    try statement.bind(new.flags.rawValue, at: 1)
    try statement.bind(new.digest, at: 2)
    try statement.bind(new.sort, at: 3)
    try statement.bind(new.category, at: 4)
    try statement.bind(new.header, at: 5)
    try statement.bind(new.summary, at: 6)
    try statement.bind(new.identifier, at: 7)
    try statement.bind(new.refcon, at: 8)
    try statement.bind(new.properties, at: 9)
    try statement.bind(new.images, at: 10)
    try statement.bind(id, at: 11)
    try statement.run()
  }

  /// Moves an entity to its new position in all its lists.
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
    try words.add(id, text)
  }

  private func removeWords(_ id: Int, _ columns: StoredColumns) throws {
    text.removeAll(keepingCapacity: true)
    columns.appendWords(to: &text)
    try words.add(id, text, isRemoval: true)
  }

  /// Queues a new list of children.
  ///
  /// - Returns: True if the list has changed.
  private func listChildren(_ id: Int, _ row: EntityRow, _ old: StoredColumns) throws -> Bool {
    guard case .ids(let ids)? = row.children, old.digest != Self.digest(ids) || !old.hasChildren else { return false }
    if kind == .roots(of: row.permID), old.hasChildren, listedBefore == nil {
      listedBefore = Set(try listedChildren(of: id))
    }
    edges.add(children: ids, of: id, isNew: false)
    return true
  }

  /// Returns the children that an entity reported.
  private func listedChildren(of id: Int) throws -> [Int] {
    try connection.list(
      """
      SELECT edge.child FROM edge JOIN link ON link.child = edge.child AND link.parent = ?1
        WHERE edge.parent = ?1 AND told & 1
      """, [id]
    ) { $0.integer(0) }
  }

  /// Returns true if an entity named other parents before.
  private func differs(_ parents: PackedTexts, fromParentsOf id: Int) throws -> Bool {
    let before = try connection.list(
      "SELECT perm_id FROM link JOIN entity ON entity.id = link.parent WHERE link.child = ? AND told & 2", [id]
    ) { $0.text(0) }
    return Set(before.map { Array($0.utf8) }) != Set(parents.map { Array($0.utf8) })
  }

  /// Returns the stored columns of an entity.
  private func columns(_ id: Int) throws -> StoredColumns? {
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

// MARK: Deleted and missing entities
extension RowApplier {
  /// Removes an entity deleted on the server; ignores the deletion of an unknown one.
  private func delete(_ id: Int?) throws {
    guard let id else {
      result.ignoredDeletions += 1
      return
    }
    try edges.finish()
    if try columns(id)?.flags.contains(.navigation) == true { result.lostNavigation += 1 }
    try remove(id)
    result.removed += 1
  }

  /// Removes an entity with its edges; its children are kept.
  func remove(_ id: Int) throws {
    guard let columns = try columns(id) else { return }
    changesCounts = true
    numbers.remove(columns.permID)
    edges.forgetSortKeys()
    if !columns.flags.contains(.notLoaded) { try removeWords(id, columns) }
    try removeFromParents(id, columns.sort, where: "")
    if columns.hasChildren { try removeChildren(of: id) }
    try connection.execute("DELETE FROM unindexed WHERE id = ?", [id])
    try connection.execute("DELETE FROM seen WHERE id = ?", [id])
    try connection.execute("DELETE FROM entity WHERE id = ?", [id])
  }

  /// Removes an entity from the lists of its parents.
  ///
  /// - Parameter condition: A further SQL condition for the edges to remove; "" for all.
  private func removeFromParents(_ id: Int, _ sort: [UInt8], where condition: String) throws {
    let links = "FROM link WHERE child = ? \(condition)"
    for parent in try connection.list("SELECT parent \(links)", [id], { $0.integer(0) }) {
      try connection.execute("DELETE FROM edge WHERE parent = ? AND sort = ? AND child = ?", [parent, sort, id])
      try connection.execute(
        "UPDATE entity SET child_count = child_count - 1, children_digest = NULL WHERE id = ?", [parent])
    }
    try connection.execute("DELETE \(links)", [id])
  }

  private func removeChildren(of id: Int) throws {
    try connection.execute(
      "DELETE FROM link WHERE parent = ?1 AND child IN (SELECT child FROM edge WHERE parent = ?1)", [id])
    try connection.execute("DELETE FROM edge WHERE parent = ?", [id])
  }

  /// Removes all data of an entity except its id and its positions in the lists of its parents.
  func unload(_ id: Int) throws {
    guard let old = try columns(id), !old.flags.contains(.notLoaded) else { return }
    changesCounts = true
    edges.forgetSortKeys()
    try removeWords(id, old)
    if old.hasChildren { try removeChildren(of: id) }
    try removeFromParents(id, old.sort, where: "AND told = 2")
    try connection.execute("UPDATE link SET told = 1 WHERE child = ?", [id])
    var new = StoredColumns(permID: old.permID, flags: .notLoaded)
    SortKey.append(category: "", header: "", permID: old.permID, isLoaded: false, to: &new.sort)
    try write(id, new)
    try move(id, from: old.sort, to: new.sort)
    try connection.execute("UPDATE entity SET child_count = NULL WHERE id = ?", [id])
    try connection.execute("DELETE FROM seen WHERE id = ?", [id])
    try connection.markUnindexed(id)
  }

  private func closeAnswer() throws {
    switch kind {
    case .navigation: try closeNavigation()
    case .details(let requested): try markMissing(requested)
    case .roots(let category?): result.lacksRows = try lacksRows(of: category)
    case .roots(nil), .drill, .search, .objects: break
    }
  }

  /// Returns true if a category lists a new child without a row, or no longer lists a child that was neither deleted nor
  /// reported.
  ///
  /// A long transaction dates its changes at its beginning: the request for changes did not reach back to them.
  private func lacksRows(of category: String) throws -> Bool {
    guard let before = listedBefore, let id = try numbers.number(of: category) else { return false }
    let after = Set(try listedChildren(of: id))
    let isLacking = try after.subtracting(before).contains { try columns($0)?.flags.contains(.notLoaded) == true }
    return try isLacking
      || before.subtracting(after).contains { child in
        try !reported.contains(child) && columns(child)?.flags.contains(.notLoaded) == false
      }
  }

  private func closeNavigation() throws {
    if result.count == 0 {
      result.warnings.append(
        Diagnostic(
          .warning, code: "openbis.navigation-empty",
          "the server lists no navigation entities; the cached ones are kept"))
      return
    }
    let others = try connection.list("SELECT id FROM entity WHERE flags & 4") { $0.integer(0) }
      .filter { !reported.contains($0) }
    for id in others {
      try connection.execute("UPDATE entity SET flags = flags & ~4 WHERE id = ?", [id])
    }
    if !others.isEmpty { try EntityTally.forget(connection) }
    result.lostNavigation += others.count
  }

  private func markMissing(_ requested: [String]) throws {
    for permID in requested {
      guard let id = try numbers.number(of: permID), !reported.contains(id) else { continue }
      // A category is known from the list of categories alone: no server has details of it.
      if try columns(id)?.flags.contains(.navigation) == true { continue }
      result.missing.append(permID)
      try connection.execute(
        "UPDATE entity SET flags = flags | ? WHERE id = ?", [EntityFlags.missingOnServer.rawValue, id])
    }
  }
}

extension PreparedStatement {
  fileprivate func bind(_ value: Int?, at index: Int) throws {
    if let value { try bind(value, at: index) } else { try bindNull(at: index) }
  }

  fileprivate func bind(_ value: String?, at index: Int) throws {
    if let value { try bind(value, at: index) } else { try bindNull(at: index) }
  }

  fileprivate func bind(_ value: [UInt8]?, at index: Int) throws {
    if let value { try bind(value, at: index) } else { try bindNull(at: index) }
  }
}

extension Connection {
  /// Records that the substring index has stale text of an entity.
  func markUnindexed(_ id: Int) throws {
    try execute("INSERT OR IGNORE INTO unindexed (id) VALUES (?)", [id])
  }
}
