internal import CPostgres
internal import Glibc

extension PostgresConnection {
  /// Sends rows through `COPY … FROM STDIN`, in parts of 64 KiB.
  ///
  /// - Parameters:
  ///   - sql: The statement, which states no format.
  ///   - body: Calls its argument with each row. If it throws, none of the rows is stored.
  /// - Returns: The number of rows that were stored.
  @discardableResult
  public func copyIn(
    _ sql: String, _ body: (_ write: (_ row: [PostgresValue]) throws -> Void) throws -> Void
  ) throws -> Int {
    try begin(sql, .copyIn)
    do {
      var part: [UInt8] = []
      try body { row in
        for (index, value) in row.enumerated() {
          if index > 0 { part.append(UInt8(ascii: "\t")) }
          value.appendCopied(to: &part)
        }
        part.append(UInt8(ascii: "\n"))
        if part.count >= 1 << 16 {
          try put(part)
          part.removeAll(keepingCapacity: true)
        }
      }
      try put(part)
      try endCopy(nil)
    } catch {
      abandon()
      throw error
    }
    return try finish(sql)
  }

  /// Receives the bytes of `COPY … TO STDOUT`, a row at a time.
  public func copyOut(_ sql: String, _ body: (_ row: [UInt8]) throws -> Void) throws {
    try begin(sql, .copyOut)
    do {
      try forEachPart(body)
    } catch {
      abandon()
      throw error
    }
    _ = try finish(sql)
  }

  private func begin(_ sql: String, _ expected: ResultStatus) throws {
    try send(sql)
    do {
      guard let result = try nextResult() else { throw lost() }
      defer { libpq.clear(result) }
      if ResultStatus(rawValue: libpq.resultStatus(result)) != expected { throw error(of: result, sql) }
    } catch {
      abandon()
      throw error
    }
  }

  private func put(_ bytes: [UInt8]) throws {
    if bytes.isEmpty { return }
    try repeated {
      bytes.withUnsafeBytes {
        libpq.putCopyData(handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
      }
    }
    // Otherwise libpq would collect all that the server has not read yet.
    try flush()
  }

  /// Ends a copy to the server.
  ///
  /// - Parameter problem: The reason for which the server drops the rows; nil to store them.
  func endCopy(_ problem: String?) throws {
    try repeated { libpq.putCopyEnd(handle, problem) }
  }

  /// Repeats a call until libpq has room for its data.
  private func repeated(_ call: () -> Int32) throws {
    while true {
      switch call() {
      case 1: return
      case 0: try receive(POLLIN | POLLOUT)
      default: throw lost()
      }
    }
  }

  /// Calls a function with each part of a copy from the server.
  func forEachPart(_ body: ([UInt8]) throws -> Void) throws {
    while true {
      var bytes: UnsafeMutablePointer<CChar>?
      let count = libpq.getCopyData(handle, &bytes, 1)
      defer { libpq.freemem(bytes) }
      switch count {
      case 0: try receive(POLLIN)
      // The end, or an error: both are results.
      case ..<0: return
      default: try body(Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
      }
    }
  }
}

/// A message of `NOTIFY`.
public struct PostgresNotification: Sendable, Hashable {
  /// The channel's name.
  public let channel: String
  /// The text of the message; empty for none.
  public let payload: String
  /// The number of the server's process that sent it.
  public let sender: Int
}

extension PostgresConnection {
  /// Receives the messages of a channel from now on.
  ///
  /// A lost connection loses messages: after connecting again, read the state first.
  public func listen(to channel: String) throws {
    try execute("LISTEN " + PostgresQuoting.identifier(channel))
  }

  /// Sends a message of at most 7,999 bytes to all listeners of a channel; within a transaction at its commit.
  public func notify(_ channel: String, _ payload: String = "") throws {
    try execute("SELECT pg_notify($1, $2)", [.text(channel), .text(payload)])
  }

  /// Returns the messages that have arrived, without waiting for more; for use when the ``socket`` is readable.
  public func notifications() throws -> [PostgresNotification] {
    if libpq.consumeInput(handle) == 0 { throw lost() }
    var messages: [PostgresNotification] = []
    while let message = libpq.notifies(handle) {
      messages.append(
        PostgresNotification(
          channel: String(cString: message.pointee.relname),
          payload: message.pointee.extra.map { String(cString: $0) } ?? "", sender: Int(message.pointee.be_pid)))
      libpq.freemem(message)
    }
    return messages
  }
}
