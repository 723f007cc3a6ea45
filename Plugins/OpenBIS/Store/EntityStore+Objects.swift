import PluginStore

// The objects of V3 that entities were made of, compared with those of the server.
extension EntityStore {
  /// The number of objects of a kind that changed in a time, in milliseconds since 1970.
  ///
  /// - Parameters:
  ///   - since: The beginning; nil for none.
  ///   - before: The end, which is not part of it; nil for none.
  func objectCount(_ kind: NativeKind, since: Int? = nil, before: Int? = nil) async throws -> Int {
    try await read { connection in
      try connection.value(
        "SELECT count(*) FROM seen WHERE kind = ? AND modified >= ? AND modified < ?",
        [kind.number, since ?? Int.min, before ?? Int.max]
      ).integer ?? 0
    }
  }

  /// The time of change by which the objects of a time are halved; nil if they all changed at once.
  ///
  /// - Parameter count: The number of objects in that time.
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

  /// The permIds of those objects that are not cached, or in another state.
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

  /// Notes that the server still has objects, as far as they are cached.
  ///
  /// - Parameter state: Where to resume after an interruption.
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

  /// The permIds of objects that changed in a time and that nothing since a generation spoke of.
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

  /// Removes objects that the server has no more, data sets with the entities of their files.
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
        // Behind the slash comes the digit 0.
        doomed += try connection.list(
          "SELECT id FROM entity WHERE perm_id >= ? AND perm_id < ?", ["FILE.\(permID)/", "FILE.\(permID)0"]
        ) { $0.integer(0) }
      }
      return try Self.remove(doomed, connection)
    }
  }

  /// Removes entities whose ids begin with a text and that nothing since a generation spoke of.
  ///
  /// - Returns: The number of entities removed.
  @discardableResult
  func removeUntouched(prefix: String, before generation: Int) async throws -> Int {
    try await write(isLong: true) { connection in
      // No character is more than the last of Unicode.
      let doomed = try connection.list(
        """
        SELECT entity.id FROM entity JOIN seen ON seen.id = entity.id
          WHERE perm_id >= ? AND perm_id < ? AND generation < ?
        """, [prefix, prefix + "\u{10FFFF}", generation]
      ) { $0.integer(0) }
      return try Self.remove(doomed, connection)
    }
  }

  /// The permIds of those objects whose identifiers differ from the cached ones: they were moved.
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
