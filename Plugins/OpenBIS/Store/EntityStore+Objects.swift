import PluginStore

// The V3 objects from which entities were made, compared with those of the server.
extension EntityStore {
  /// Returns the number of objects of a kind that changed in a time range, in milliseconds since 1970.
  ///
  /// - Parameters:
  ///   - since: The beginning; nil for none.
  ///   - before: The exclusive end; nil for none.
  func objectCount(_ kind: NativeKind, since: Int? = nil, before: Int? = nil) async throws -> Int {
    try await read { connection in
      try connection.value(
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
        // The character after the slash is the digit 0.
        doomed += try connection.list(
          "SELECT id FROM entity WHERE perm_id >= ? AND perm_id < ?", ["FILE.\(permID)/", "FILE.\(permID)0"]
        ) { $0.integer(0) }
      }
      return try Self.remove(doomed, connection)
    }
  }

  /// Removes entities whose ids begin with a text and that were not reported since a generation.
  ///
  /// - Returns: The number of entities removed.
  @discardableResult
  func removeUntouched(prefix: String, before generation: Int) async throws -> Int {
    try await write(isLong: true) { connection in
      // The last character of Unicode is the upper bound.
      let doomed = try connection.list(
        """
        SELECT entity.id FROM entity JOIN seen ON seen.id = entity.id
          WHERE perm_id >= ? AND perm_id < ? AND generation < ?
        """, [prefix, prefix + "\u{10FFFF}", generation]
      ) { $0.integer(0) }
      return try Self.remove(doomed, connection)
    }
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
