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
