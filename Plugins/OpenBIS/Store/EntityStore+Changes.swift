import PluginAPI
import PluginStore

// Applying responses.
extension EntityStore {
  /// Applies the rows of a response, all or nothing: in one transaction, with the state to resume from.
  ///
  /// The first batch is awaited before the cache is locked, the others on the writing thread. Absent columns keep their
  /// values; a list of children replaces the previous one; unknown ids become entities that are not loaded. A deletion
  /// of an unknown entity is ignored.
  ///
  /// - Parameters:
  ///   - generation: The number of the synchronization, by which ``sweep(before:)`` distinguishes old from new.
  ///   - state: Returns the state to resume from after an interruption, called after the last row; nil keeps the stored
  ///     one.
  ///   - onProgress: Called on the writing thread with the number of rows so far.
  /// - Throws: The error that broke the response, of which nothing is kept then.
  @discardableResult
  func apply(
    _ rows: any RowSource, _ answer: ResponseKind, generation: Int, at: Instant,
    state: @escaping @Sendable (AppliedRows) -> [UInt8]? = { _ in nil },
    onProgress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> AppliedRows {
    let budget = options.imageBudget
    // A server may compute for a minute before it responds.
    let first = try await withCheckedThrowingContinuation { continuation in
      OwnThread.run { continuation.resume(with: Result { try rows.next() }) }
    }
    return try await write(isLong: true) { connection in
      let applier = try RowApplier(connection, answer, generation: generation, at: at, imageBudget: budget)
      var next = first
      while let batch = next {
        try applier.apply(batch)
        onProgress(applier.rowCount)
        next = try rows.next()
      }
      let result = try applier.finish()
      if let state = state(result) { try Self.keep(state, connection) }
      return result
    }
  }

  // MARK: State

  private static func keep(_ state: [UInt8], _ connection: Connection) throws {
    try connection.execute("INSERT OR REPLACE INTO setting (name, value) VALUES ('state', ?)", [state])
  }

  /// Saves the state to resume from.
  func saveState(_ state: [UInt8]) async throws {
    try await write { try Self.keep(state, $0) }
  }

  /// Returns the saved state to resume from; nil if there is none.
  func state() async throws -> [UInt8]? {
    try await read { try $0.first("SELECT value FROM setting WHERE name = 'state'") { $0.bytes(0) } }
  }
}

// The V3 objects from which entities were made, compared with those of the server.
extension EntityStore {
  /// Returns the number of objects of a kind that changed in a time range, in milliseconds since 1970.
  ///
  /// - Parameters:
  ///   - since: The beginning; nil for none.
  ///   - before: The exclusive end; nil for none.
  func objectCount(_ kind: NativeKind, since: Int? = nil, before: Int? = nil) async throws -> Int {
    try await read { connection in
      if since == nil, before == nil, let kept = try EntityTally.keptObjects(kind, connection) { return kept }
      return try connection.value(
        "SELECT count(*) FROM seen WHERE kind = ? AND modified >= ? AND modified < ?",
        [kind.number, since ?? Int.min, before ?? Int.max]
      ).integer ?? 0
    }
  }

  /// Returns the median time of change in a time range; nil if all its objects changed at the same time.
  ///
  /// - Parameter count: The number of objects in the time range.
  func middleTime(_ kind: NativeKind, since: Int?, before: Int?, count: Int) async throws -> Int? {
    let limits = [kind.number, since ?? Int.min, before ?? Int.max]
    return try await read { connection in
      let times = "FROM seen WHERE kind = ? AND modified >= ? AND modified < ? "
      guard
        let first = try connection.value("SELECT modified \(times) ORDER BY modified LIMIT 1", limits).integer,
        let middle = try connection.value(
          "SELECT modified \(times) ORDER BY modified LIMIT 1 OFFSET ?", limits + [count / 2]
        ).integer
      else { return nil }
      if middle > first { return middle }
      return try connection.value(
        "SELECT modified \(times) ORDER BY modified LIMIT 1", [kind.number, first + 1, before ?? Int.max]
      ).integer
    }
  }

  /// Returns the permIds of those objects that are not cached, or are cached in another state.
  func changedObjects(_ objects: [NativeObject]) async throws -> [String] {
    try await read { connection in
      try objects.filter { object in
        try connection.first(
          "SELECT 1 FROM entity JOIN seen ON seen.id = entity.id WHERE perm_id = ? AND kind = ? AND modified = ?",
          [object.entityID, object.kind.number, object.modifiedAt]
        ) { _ in true } == nil
      }.map(\.permID)
    }
  }

  /// Marks cached objects as still existing on the server.
  ///
  /// - Parameter state: The state to resume from after an interruption.
  func touch(_ objects: [NativeObject], generation: Int, state: [UInt8]) async throws {
    try await write { connection in
      try Self.keep(state, connection)
      let update = try connection.statement(
        "UPDATE seen SET generation = ? WHERE id = (SELECT id FROM entity WHERE perm_id = ?)")
      for object in objects {
        try update.bind(generation, at: 1)
        try update.bind(object.entityID, at: 2)
        try update.run()
      }
    }
  }

  /// Returns the permIds of objects that changed in a time range and were not reported since a generation.
  func untouchedObjects(
    _ kind: NativeKind, since: Int?, before: Int?, generation: Int
  ) async throws -> [String] {
    try await read { connection in
      try connection.list(
        """
        SELECT perm_id FROM seen CROSS JOIN entity ON entity.id = seen.id
          WHERE kind = ? AND modified >= ? AND modified < ? AND generation < ?
        """, [kind.number, since ?? Int.min, before ?? Int.max, generation]
      ) { $0.text(0) }
    }.compactMap { Refcon.object(of: $0)?.permID }
  }

  /// Removes objects that the server no longer has; data sets with the entities of their files.
  ///
  /// - Returns: The number of entities removed.
  func removeObjects(_ kind: NativeKind, _ permIDs: [String]) async throws -> Int {
    try await write(isLong: true) { connection in
      var doomed: [Int] = []
      for permID in permIDs {
        doomed += try connection.list(
          "SELECT id FROM entity WHERE perm_id = ?", [NativeObject.entityID(kind, permID)]
        ) { $0.integer(0) }
        guard kind == .dataSet else { continue }
        doomed += try connection.list(
          "SELECT id FROM entity WHERE \(IDRange.condition)", IDRange.bounds("FILE.\(permID)/")
        ) { $0.integer(0) }
      }
      return try Self.remove(doomed, connection)
    }
  }

  /// Removes all objects of a kind and their images; data sets with the entities of their files, and all groups left
  /// empty.
  ///
  /// Ids that other entities list stay, without any data.
  ///
  /// - Returns: The number of entities removed.
  func removeAll(_ kind: NativeKind) async throws -> Int {
    try await removeWithImages { connection in
      var removed = 0
      for prefix in [kind.rawValue + "."] + (kind == .dataSet ? ["FILE."] : []) {
        removed += try Self.remove(try Self.untouched(prefix, .max, connection), connection)
      }
      let groups = try Self.untouched("GROUP.", .max, connection).filter { id in
        try connection.first("SELECT 1 FROM edge WHERE parent = ? LIMIT 1", [id]) { _ in true } == nil
      }
      return removed + (try Self.remove(groups, connection))
    }
  }

  /// Removes entities whose ids begin with a text and that were not reported since a generation.
  ///
  /// - Returns: The number of entities removed.
  @discardableResult
  func removeUntouched(prefix: String, before generation: Int) async throws -> Int {
    try await write(isLong: true) { try Self.remove(try Self.untouched(prefix, generation, $0), $0) }
  }

  /// Returns the numbers of entities whose ids begin with a text and that were not reported since a generation.
  private static func untouched(_ prefix: String, _ generation: Int, _ connection: Connection) throws -> [Int] {
    try connection.list(
      """
      SELECT entity.id FROM entity JOIN seen ON seen.id = entity.id
        WHERE \(IDRange.condition) AND generation < ?
      """, IDRange.bounds(prefix) + [generation]
    ) { $0.integer(0) }
  }

  /// Returns the permIds of those objects whose identifiers differ from the cached ones, because they were moved.
  func movedObjects(_ objects: [NativeObject]) async throws -> [String] {
    try await read { connection in
      try objects.filter { object in
        let known = try connection.first(
          "SELECT identifier FROM entity WHERE perm_id = ?", [object.entityID]
        ) { $0.isNull(0) ? nil : $0.text(0) }
        guard let known = known.flatMap({ $0 }) else { return false }
        return !object.identifier.isEmpty && known != object.identifier
      }.map(\.permID)
    }
  }
}

extension NativeKind {
  /// The number by which the kind is stored, which never changes.
  var number: Int {
    switch self {
    case .space: 1
    case .project: 2
    case .experiment: 3
    case .sample: 4
    case .dataSet: 5
    }
  }
}

// Removing entities that the server no longer has.
extension EntityStore {
  /// Removes entities that were not reported since a generation and cannot be reached from the remaining ones, and
  /// their images.
  ///
  /// Entities of that generation or later remain, and all entities below them at any depth. Call this only after a
  /// complete synchronization: failed responses and unusable rows report nothing.
  ///
  /// - Returns: The number of entities removed.
  /// - Complexity: Linear in the entities and edges; cycles and chains of any length are traversed once.
  @discardableResult
  func sweep(before generation: Int) async throws -> Int {
    try await removeWithImages { try Self.sweep(generation, $0) }
  }

  /// Removes entities and the images that none shows then.
  private func removeWithImages(_ remove: @escaping @Sendable (Connection) throws -> Int) async throws -> Int {
    try await write(isLong: true) { connection in
      let removed = try remove(connection)
      if removed > 0 { try ImageWriter(connection, budget: .max).removeUnused() }
      return removed
    }
  }

  private static func sweep(_ generation: Int, _ connection: Connection) throws -> Int {
    try connection.execute("CREATE TEMP TABLE IF NOT EXISTS reached (id INTEGER PRIMARY KEY)")
    try connection.execute("DELETE FROM temp.reached")
    try connection.execute(
      """
      INSERT OR IGNORE INTO temp.reached (id)
        WITH RECURSIVE found (id) AS (
          SELECT id FROM seen WHERE generation >= ?
          UNION SELECT edge.child FROM found CROSS JOIN edge ON edge.parent = found.id)
        SELECT id FROM found
      """, [generation])
    let doomed = try connection.list(
      "SELECT id FROM entity WHERE NOT EXISTS (SELECT 1 FROM temp.reached WHERE reached.id = entity.id)"
    ) { $0.integer(0) }
    try connection.execute("DELETE FROM temp.reached")
    return try remove(doomed, connection)
  }

  private static func remove(_ doomed: [Int], _ connection: Connection) throws -> Int {
    if doomed.isEmpty { return 0 }
    let applier = try remover(connection)
    for id in doomed { try applier.remove(id) }
    _ = try applier.finish()
    return doomed.count
  }

  private static func remover(_ connection: Connection) throws -> RowApplier {
    try RowApplier(connection, .objects, generation: 0, at: Instant(seconds: 0), imageBudget: .max)
  }

  /// Removes all entities that were not reported since a generation, even if others list them.
  ///
  /// Entities that were listed since then but not reported remain as ids. If nothing was reported at all, all entities
  /// remain.
  ///
  /// - Returns: The number of entities removed.
  @discardableResult
  func removeOlder(than generation: Int) async throws -> Int {
    try await write(isLong: true) { connection in
      let latest = try connection.first("SELECT 1 FROM seen WHERE generation >= ? LIMIT 1", [generation]) { _ in true }
      guard latest != nil else { return 0 }
      let doomed = try connection.list(
        """
        SELECT id, EXISTS (
            SELECT 1 FROM link JOIN seen AS above ON above.id = link.parent
              WHERE link.child = seen.id AND told & 1 AND above.generation >= ?1)
          FROM seen WHERE generation < ?1
        """, [generation]
      ) { (id: $0.integer(0), isListed: $0.integer(1) != 0) }
      let applier = try Self.remover(connection)
      for (id, isListed) in doomed { try isListed ? applier.unload(id) : applier.remove(id) }
      _ = try applier.finish()
      // Ids that were listed by removed entities only.
      _ = try Self.sweep(generation, connection)
      return doomed.count
    }
  }
}
