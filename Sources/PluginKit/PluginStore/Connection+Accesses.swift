internal import CSQLite

extension Connection {
  /// Runs an access atomically, on one state of the store.
  ///
  /// - Returns: The result of the body, and the tables that changed.
  func access<Result>(
    _ ticket: AccessTicket, isWriting: Bool, _ body: (Connection) throws -> Result
  ) throws -> (Result, Set<String>) {
    self.ticket = ticket
    waiter.ticket = ticket
    ticket.setRunning(handle)
    defer { endAccess() }
    try checkCancellation()
    isWritable = true
    try execute(isWriting ? "BEGIN IMMEDIATE" : "BEGIN")
    isWritable = isWriting
    do {
      let result = try body(self)
      endCursors()
      isWritable = true
      try execute("COMMIT")
      return (result, changedTables)
    } catch {
      endCursors()
      isWritable = true
      // A full disk or a lost lock has ended the transaction already.
      if csqlite_get_autocommit(handle) == 0 { try? undo("ROLLBACK") }
      throw error
    }
  }

  /// Runs a body on the connection without a transaction.
  func withoutTransaction<Result>(_ ticket: AccessTicket, _ body: (Connection) throws -> Result) throws -> Result {
    self.ticket = ticket
    waiter.ticket = ticket
    ticket.setRunning(handle)
    isWritable = true
    defer { endAccess() }
    try checkCancellation()
    return try body(self)
  }

  private func endAccess() {
    ticket.setRunning(nil)
    endCursors()
    accessNumber += 1
    isWritable = false
    changedTables = []
    ticket = AccessTicket()
    waiter.ticket = nil
  }

  func endCursors() {
    for statement in inUse.values { giveBackUnlisted(statement) }
    inUse = [:]
  }

  /// Runs a statement that must also work after cancellation.
  func undo(_ sql: String) throws {
    ticket.setRunning(nil)
    let cancelled = ticket
    ticket = AccessTicket()
    defer { ticket = cancelled }
    try execute(sql)
  }
}
