import PluginAPI
import PluginStore

/// A writer of one response's rows to the tables, inside one transaction.
///
/// Lists of children are collected and written in bulk: by then most of their entities exist, and edges are written in
/// file order.
final class RowApplier {
  let connection: Connection
  let kind: AnswerKind
  let generation: Int
  let milliseconds: Int
  let images: ImageWriter
  var result = AppliedRows()

  /// The numbers of recently used entities.
  var known = PermIDTable()
  /// A Boolean value indicating whether the table contains every entity of the file.
  var knowsAll: Bool
  var nextID: Int
  let firstID: Int
  /// The numbers of the entities that this response reported.
  var spokenOf = NumberSet()
  var lists = PendingLists()
  var words = PendingWords()
  var hasRemoved = false
  /// A Boolean value indicating whether lists wait in a temporary table.
  var hasSpooled = false
  var duplicates = 0
  var unreadable = 0

  let insertEntity: PreparedStatement
  let updateEntity: PreparedStatement
  let selectEntity: PreparedStatement
  let selectID: PreparedStatement
  let setSeen: PreparedStatement
  let insertWords: PreparedStatement
  let deleteWords: PreparedStatement
  var text: [UInt8] = []
  var sort: [UInt8] = []

  /// Begins a response.
  init(_ connection: Connection, _ kind: AnswerKind, generation: Int, at: Instant, imageBudget: Int) throws {
    self.connection = connection
    self.kind = kind
    self.generation = generation
    milliseconds = Int(at.seconds) * 1000 + Int(at.nanoseconds / 1_000_000)
    images = ImageWriter(connection, budget: imageBudget)
    nextID = try Self.nextID(connection)
    firstID = nextID
    knowsAll = try connection.first("SELECT 1 FROM entity LIMIT 1") { _ in true } == nil
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
    selectID = try connection.statement("SELECT id FROM entity WHERE perm_id = ?")
    setSeen = try connection.statement(
      """
      INSERT OR REPLACE INTO seen (id, generation, at, kind, modified) VALUES (?, ?, ?, ?, ?)
      """)
    insertWords = try connection.statement("INSERT INTO words (rowid, text) VALUES (?, ?)")
    deleteWords = try connection.statement("INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)")
  }

  /// Returns the number for the next new entity; numbers are never reused.
  static func nextID(_ connection: Connection) throws -> Int {
    let kept = try connection.value("SELECT value FROM setting WHERE name = 'next-id'").integer ?? 1
    return max(kept, (try connection.value("SELECT max(id) FROM entity").integer ?? 0) + 1)
  }

  /// Applies rows.
  func apply(_ rows: [EntityRow]) throws {
    for row in rows { try apply(row) }
  }

  private func apply(_ row: EntityRow) throws {
    let id = try number(of: row.permID)
    if row.isDeleted {
      try delete(row.permID, id)
      return
    }
    if let id {
      try update(id, row)
    } else {
      try insert(row)
    }
    if lists.isFull { try spool() }
  }

  /// Ends the response: writes the waiting edges, and performs the final steps for its kind.
  func finish() throws -> AppliedRows {
    try settle()
    try closeAnswer()
    try settleWords()
    if hasRemoved || nextID != firstID || result.added + result.changed > 0 { try EntityTally.forget(connection) }
    try connection.execute(
      "INSERT OR REPLACE INTO setting (name, value) VALUES ('next-id', ?)", [nextID])
    if duplicates > 0 {
      result.warnings.append(
        Diagnostic(
          .warning, code: "openbis.duplicate-rows",
          "\(duplicates) of the rows name an entity that an earlier row names; the last one counts"))
    }
    if unreadable > 0 {
      result.warnings.append(
        Diagnostic(
          .warning, code: "openbis.children-unreadable",
          "the children of \(unreadable) entities could not be read; those known before stay"))
    }
    return result
  }

  // MARK: Numbers

  /// The largest number of ids held in memory.
  private static let mostKnown = 150_000

  private func forgetKnown() {
    known.removeAll()
    knowsAll = false
  }

  /// Returns the number of an id; nil if it is unknown.
  func number(of permID: String) throws -> Int? {
    var permID = permID
    return try permID.withUTF8 { try number(of: $0) }
  }

  func number(of permID: UnsafeBufferPointer<UInt8>) throws -> Int? {
    if let number = known.number(of: permID) { return number == 0 ? nil : Int(number) }
    if knowsAll { return nil }
    try selectID.bind(utf8: permID, at: 1)
    defer { selectID.reset() }
    guard try selectID.step() else { return nil }
    let number = selectID.integer(0)
    if known.count > Self.mostKnown { forgetKnown() }
    known.enter(permID, UInt32(number))
    return number
  }

  func newNumber(_ permID: UnsafeBufferPointer<UInt8>) -> Int {
    if known.count > Self.mostKnown { forgetKnown() }
    defer { nextID += 1 }
    known.enter(permID, UInt32(nextID))
    return nextID
  }

  // MARK: New entities

  private func insert(_ row: EntityRow) throws {
    var permID = row.permID
    let id = permID.withUTF8 { newNumber($0) }
    spokenOf.insert(id)
    result.added += 1
    var children: PackedTexts?
    if case .ids(let ids)? = row.children { children = ids }
    if case .unreadable? = row.children { unreadable += 1 }
    sort.removeAll(keepingCapacity: true)
    SortKey.append(
      category: row.category ?? "", header: row.summaryHeader ?? "", permID: permID, isLoaded: true, to: &sort)
    lists.keepSort(sort, of: id)
    try write(id, row, children)
    try see(id, row.object)
    text.removeAll(keepingCapacity: true)
    EntityWords.append(row, to: &text)
    try addWords(id)
    if let children { lists.append(parent: id, children, isNew: true) }
    if let parents = row.parents { lists.append(child: id, parents, isNew: true) }
  }

  /// Writes a new entity, whose sort key is in the buffer.
  private func write(_ id: Int, _ row: EntityRow, _ children: PackedTexts?) throws {
    let statement = insertEntity
    try statement.bind(id, at: 1)
    try statement.bind(row.permID, at: 2)
    try statement.bind(flags(row, before: []).rawValue, at: 3)
    try bind(statement, children.map(\.count), at: 4)
    try bind(statement, children.map(Self.digest), at: 5)
    try statement.bind(sort, at: 6)
    try statement.bind(row.category ?? "", at: 7)
    try statement.bind(row.summaryHeader ?? "", at: 8)
    try statement.bind(row.summary ?? "", at: 9)
    try bind(statement, row.identifier, at: 10)
    try bind(statement, row.refcon, at: 11)
    try bind(statement, row.properties.map { EntityCoding.bytes($0) }, at: 12)
    try bind(statement, try imageBytes(row), at: 13)
    try statement.run()
  }

  /// Returns the flags of an entity after a row of this response.
  func flags(_ row: EntityRow, before: EntityFlags) -> EntityFlags {
    var flags = before.subtracting([.notLoaded, .missingOnServer])
    switch kind {
    case .navigation: flags.insert(.navigation)
    case .details: flags.insert(.detailed)
    default: break
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

  func see(_ id: Int, _ object: ObjectStamp?) throws {
    try setSeen.bind(id, at: 1)
    try setSeen.bind(generation, at: 2)
    try setSeen.bind(milliseconds, at: 3)
    try bind(setSeen, object?.kind.number, at: 4)
    try bind(setSeen, object?.modifiedAt, at: 5)
    try setSeen.run()
  }

  /// Queues the words in the buffer.
  func addWords(_ id: Int) throws {
    words.add(id, text, isRemoval: false)
    if words.isFull { try settleWords() }
  }

  /// Writes the waiting words to the index.
  func settleWords() throws {
    try words.takeAll { id, isRemoval, text in
      let statement = isRemoval ? deleteWords : insertWords
      try statement.bind(id, at: 1)
      try statement.bind(utf8: text, at: 2)
      try statement.run()
    }
  }

  /// Returns the encoded images of a row; stores the bytes of images sent with the row.
  func imageBytes(_ row: EntityRow) throws -> [UInt8]? {
    guard let images = row.images else { return nil }
    return EntityCoding.bytes(
      try images.map { image in
        guard case .bytes(let bytes) = image.source else { return image }
        var kept = image
        kept.source = .stored(try self.images.keep(bytes, for: nil, isMarquee: image.role == .marquee))
        return kept
      })
  }

  func bind(_ statement: PreparedStatement, _ value: Int?, at place: Int) throws {
    if let value { try statement.bind(value, at: place) } else { try statement.bindNull(at: place) }
  }

  func bind(_ statement: PreparedStatement, _ value: String?, at place: Int) throws {
    if let value { try statement.bind(value, at: place) } else { try statement.bindNull(at: place) }
  }

  func bind(_ statement: PreparedStatement, _ value: [UInt8]?, at place: Int) throws {
    if let value { try statement.bind(value, at: place) } else { try statement.bindNull(at: place) }
  }

  /// Returns a hash of a list of children, the same in every run of the program.
  ///
  /// - Source: FNV-1a, draft-eastlake-fnv-17, section 2, over the ids and their end offsets.
  static func digest(_ texts: PackedTexts) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    texts.bytes.withUnsafeBufferPointer { bytes in
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    for end in texts.ends { hash = (hash ^ UInt64(truncatingIfNeeded: end)) &* 0x100_0000_01b3 }
    return Int(truncatingIfNeeded: hash)
  }
}

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

// Deletions, and the conclusions from entities missing in a response.
extension RowApplier {
  /// Removes an entity deleted on the server; ignores the deletion of an unknown one.
  func delete(_ permID: String, _ id: Int?) throws {
    guard let id else {
      result.ignoredDeletions += 1
      return
    }
    try settle()
    if try columns(id)?.flags.contains(.navigation) == true { result.lostNavigation += 1 }
    try remove(id)
    result.removed += 1
  }

  /// Removes an entity with its edges; its children are kept.
  func remove(_ id: Int) throws {
    guard let columns = try columns(id) else { return }
    hasRemoved = true
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
    if columns.hasChildren { try removeChildren(of: id) }
    try connection.execute("DELETE FROM unindexed WHERE id = ?", [id])
    try connection.execute("DELETE FROM seen WHERE id = ?", [id])
    try connection.execute("DELETE FROM entity WHERE id = ?", [id])
  }

  private func removeChildren(of id: Int) throws {
    try connection.execute(
      "DELETE FROM link WHERE parent = ?1 AND child IN (SELECT child FROM edge WHERE parent = ?1)", [id])
    try connection.execute("DELETE FROM edge WHERE parent = ?", [id])
  }

  /// Removes all data of an entity except its id and its positions in the lists of its parents.
  func unload(_ id: Int) throws {
    guard let old = try columns(id), !old.flags.contains(.notLoaded) else { return }
    hasRemoved = true
    lists.forgetSorts()
    try removeWords(id, old)
    if old.hasChildren { try removeChildren(of: id) }
    let parents = try connection.list("SELECT parent FROM link WHERE child = ? AND told = 2", [id]) { $0.integer(0) }
    for parent in parents {
      try connection.execute("DELETE FROM edge WHERE parent = ? AND sort = ? AND child = ?", [parent, old.sort, id])
      try connection.execute(
        "UPDATE entity SET child_count = child_count - 1, children_digest = NULL WHERE id = ?", [parent])
    }
    try connection.execute("DELETE FROM link WHERE child = ? AND told = 2", [id])
    try connection.execute("UPDATE link SET told = 1 WHERE child = ?", [id])
    var new = StoredColumns(permID: old.permID, flags: .notLoaded)
    SortKey.append(category: "", header: "", permID: old.permID, isLoaded: false, to: &new.sort)
    try write(id, new)
    try move(id, from: old.sort, to: new.sort)
    try connection.execute("UPDATE entity SET child_count = NULL WHERE id = ?", [id])
    try connection.execute("DELETE FROM seen WHERE id = ?", [id])
    try connection.markUnindexed(id)
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
    if !others.isEmpty { try EntityTally.forget(connection) }
    result.lostNavigation += others.count
  }

  private func markMissing(_ asked: [String]) throws {
    for permID in asked {
      guard let id = try number(of: permID), !spokenOf.contains(id) else { continue }
      // A category is known from the list of categories alone: no server has details of it.
      if try columns(id)?.flags.contains(.navigation) == true { continue }
      result.missing.append(permID)
      try connection.execute(
        "UPDATE entity SET flags = flags | ? WHERE id = ?", [EntityFlags.missingOnServer.rawValue, id])
    }
  }
}
