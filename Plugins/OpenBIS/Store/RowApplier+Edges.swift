import PluginStore

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
