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
    _ rows: any RowSource, _ answer: AnswerKind, generation: Int, at: Instant,
    state: @escaping @Sendable (AppliedRows) -> [UInt8]? = { _ in nil },
    onProgress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> AppliedRows {
    let budget = options.imageBudget
    let first = try await Self.first(of: rows)
    return try await write(isLong: true) {
      try Self.apply(first, rows, answer, generation, at, state, budget, onProgress, $0)
    }
  }

  /// Waits for the first batch on a thread of its own: a server may compute for a minute before it responds.
  private static func first(of rows: any RowSource) async throws -> [EntityRow]? {
    try await withCheckedThrowingContinuation { continuation in
      OwnThread.run { continuation.resume(with: Result { try rows.next() }) }
    }
  }

  private static func apply(
    _ first: [EntityRow]?, _ rows: any RowSource, _ answer: AnswerKind, _ generation: Int, _ at: Instant,
    _ state: (AppliedRows) -> [UInt8]?, _ budget: Int,
    _ onProgress: (Int) -> Void, _ connection: Connection
  ) throws -> AppliedRows {
    let applier = try RowApplier(connection, answer, generation: generation, at: at, imageBudget: budget)
    var next = first
    while let batch = next {
      try applier.apply(batch)
      onProgress(applier.result.count + applier.duplicates)
      next = try rows.next()
    }
    let result = try applier.finish()
    if let state = state(result) { try keep(state, connection) }
    return result
  }

  // MARK: State

  static func keep(_ state: [UInt8], _ connection: Connection) throws {
    try connection.execute("INSERT OR REPLACE INTO setting (name, value) VALUES ('state', ?)", [state])
  }

  /// Saves the state to resume from.
  func saveState(_ state: [UInt8]) async throws {
    try await write { try Self.keep(state, $0) }
  }

  /// Returns the saved state to resume from; nil if there is none.
  func state() async throws -> [UInt8]? { try await read(Self.state) }

  private static func state(_ connection: Connection) throws -> [UInt8]? {
    try connection.first("SELECT value FROM setting WHERE name = 'state'") { $0.bytes(0) }
  }
}
