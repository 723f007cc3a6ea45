import PluginAPI
import PluginStore

// Taking answers in.
extension EntityStore {
  /// Takes the rows of an answer in, all or nothing: in one transaction, with the state to resume from.
  ///
  /// The first batch is waited for before the cache is locked, the others on the writing thread. Absent columns keep what was known; a list of children takes the
  /// place of the one before; ids that nobody knows become entities that are not loaded. A deletion of an unknown entity
  /// is passed over.
  ///
  /// - Parameters:
  ///   - generation: The number of the synchronization, by which ``sweep(before:)`` tells old from new.
  ///   - state: Where to resume after an interruption, asked for when all rows are in; nil leaves what is there.
  ///   - onProgress: Called on the writing thread with the number of rows so far.
  /// - Throws: What broke the answer: nothing of it is kept then.
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

  /// As ``apply(_:_:generation:at:state:onProgress:)``, for code with a thread of its own.
  @discardableResult
  func applyAndWait(
    _ rows: any RowSource, _ answer: AnswerKind, generation: Int, at: Instant,
    state: @escaping @Sendable (AppliedRows) -> [UInt8]? = { _ in nil },
    onProgress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> AppliedRows {
    let budget = options.imageBudget
    let first = try rows.next()
    return try writeAndWait(isLong: true) {
      try Self.apply(first, rows, answer, generation, at, state, budget, onProgress, $0)
    }
  }

  /// The first batch, waited for on a thread of its own: a server may think for a minute before it answers.
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

  /// Keeps where to resume.
  func saveState(_ state: [UInt8]) async throws {
    try await write { try Self.keep(state, $0) }
  }

  /// As ``saveState(_:)``, for code with a thread of its own.
  func saveStateAndWait(_ state: [UInt8]) throws {
    try writeAndWait { try Self.keep(state, $0) }
  }

  /// What was kept to resume from; nil if nothing was.
  func state() async throws -> [UInt8]? { try await read(Self.state) }

  /// As ``state()``, for code with a thread of its own.
  func stateAndWait() throws -> [UInt8]? { try readAndWait(Self.state) }

  private static func state(_ connection: Connection) throws -> [UInt8]? {
    try connection.first("SELECT value FROM setting WHERE name = 'state'") { $0.bytes(0) }
  }
}
