internal import CPostgres
internal import Glibc

/// A connection to a PostgreSQL database, for one thread at a time.
///
/// Calls block the thread until the server responds. While they wait they ask every tenth of a second whether the work
/// was canceled; if so, they cancel the statement on the server and throw `CancellationError`.
///
/// ```swift
/// let connection = try PostgresConnection(PostgresAddress("postgresql://localhost/lab")) { progress.isCancelled }
/// defer { connection.close() }
/// let rows = try connection.rows("SELECT id FROM sample WHERE mass > $1", [.number(2.5)])
/// ```
public final class PostgresConnection {
  let libpq: cpostgres_functions
  /// nil once closed.
  private(set) var handle: OpaquePointer?
  private let server: String
  private let isCancelled: () -> Bool
  /// The moment at which waiting fails, on the monotonic clock; nil for none.
  private var deadline: Double?
  private var isCancellable = true

  /// Connects and logs in.
  ///
  /// Looking up a host's name cannot be canceled.
  /// - Parameters:
  ///   - timeoutInSeconds: The time for connecting.
  ///   - isCancelled: Returns true if the work should end now; called on the thread that uses the connection.
  /// - Throws: ``PostgresError``, `CancellationError`.
  public init(
    _ address: PostgresAddress, timeoutInSeconds: Double = 10, isCancelled: @escaping () -> Bool = { false }
  ) throws {
    libpq = try PostgresLibrary().functions
    (server, self.isCancelled) = (address.name, isCancelled)
    handle = Self.start(address, libpq)
    do {
      try connect(deadline: Self.now() + timeoutInSeconds)
    } catch {
      close()
      throw error
    }
  }

  // Only a safeguard: the moment at which it runs is not predictable.
  deinit { close() }

  /// Closes the connection; an open transaction is rolled back.
  ///
  /// Later calls do nothing.
  public func close() {
    if let handle { libpq.finish(handle) }
    handle = nil
  }

  private static func start(_ address: PostgresAddress, _ libpq: cpostgres_functions) -> OpaquePointer? {
    var keywords = address.options.map { UnsafePointer(strdup($0.keyword)) }
    var values = address.options.map { UnsafePointer(strdup($0.value)) }
    defer { for text in keywords + values { free(UnsafeMutablePointer(mutating: text)) } }
    keywords.append(nil)
    values.append(nil)
    return libpq.connectStartParams(keywords, values, 0)
  }

  private func connect(deadline: Double) throws {
    guard handle != nil, libpq.status(handle) != ConnectionStatus.bad else { throw notConnected() }
    _ = libpq.setNoticeReceiver(handle, cpostgres_ignore, nil)
    // Only verbose messages have the SQLSTATE.
    _ = libpq.setErrorVerbosity(handle, ErrorVerbosity.verbose)
    self.deadline = deadline
    defer { self.deadline = nil }
    var awaited = POLLOUT
    while true {
      try wait(for: awaited)
      switch libpq.connectPoll(handle) {
      case PollingStatus.ok:
        _ = libpq.setErrorVerbosity(handle, ErrorVerbosity.standard)
        _ = libpq.setnonblocking(handle, 1)
        // The forms in which this library reads and writes.
        try execute(
          "SELECT set_config('bytea_output', 'hex', false), set_config('standard_conforming_strings', 'on', false)")
        return
      case PollingStatus.reading: awaited = POLLIN
      case PollingStatus.writing: awaited = POLLOUT
      default: throw notConnected()
      }
    }
  }

  private func notConnected() -> PostgresError {
    PostgresError(
      connecting: handle.map { Self.text(libpq.errorMessage($0)) } ?? "out of memory",
      needsPassword: handle.map { libpq.connectionNeedsPassword($0) != 0 } ?? false, server: server)
  }
}

extension PostgresConnection {
  /// Runs a statement and ignores its rows.
  ///
  /// - Parameter arguments: The values of `$1`, `$2`, …
  /// - Returns: The number of rows that it inserted, changed, deleted or gave.
  @discardableResult
  public func execute(_ sql: String, _ arguments: [PostgresValue] = []) throws -> Int {
    try run(sql, arguments) { _ in }
  }

  /// Runs a text of several statements without arguments.
  ///
  /// Outside a transaction, the server runs all of them in one.
  public func execute(script: String) throws { _ = try rows(script: script) }

  /// Returns the rows of all statements of a text.
  func rows(script: String) throws -> [PostgresRow] {
    if libpq.sendQuery(handle, script) == 0 { throw lost() }
    _ = libpq.setSingleRowMode(handle)
    var rows: [PostgresRow] = []
    _ = try finish(script) { rows.append($0) }
    return rows
  }

  /// Returns the rows of a statement.
  public func rows(_ sql: String, _ arguments: [PostgresValue] = []) throws -> [PostgresRow] {
    var rows: [PostgresRow] = []
    _ = try run(sql, arguments) { rows.append($0) }
    return rows
  }

  /// Returns the first row of a statement; nil if it has none.
  public func first(_ sql: String, _ arguments: [PostgresValue] = []) throws -> PostgresRow? {
    var first: PostgresRow?
    _ = try run(sql, arguments) { first = first ?? $0 }
    return first
  }

  /// Returns the first column of the first row of a statement; null if it has no rows.
  public func value(_ sql: String, _ arguments: [PostgresValue] = []) throws -> PostgresValue {
    try first(sql, arguments)?[0] ?? .null
  }

  /// Calls a function with each row of a statement as it arrives; the rows are never held together.
  public func forEach(
    _ sql: String, _ arguments: [PostgresValue] = [], _ body: (PostgresRow) throws -> Void
  ) throws {
    _ = try run(sql, arguments, body)
  }

  /// Runs a piece of work in a transaction, which is rolled back if the work throws.
  ///
  /// If the connection is lost during the commit, the transaction may have been completed all the same.
  public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN")
    return try complete("COMMIT", body)
  }

  /// Runs a piece of work in the transaction that has begun, and completes it; rolls it back if the work throws.
  ///
  /// - Parameter commit: The statements that complete the transaction.
  func complete<Result>(_ commit: String, _ body: () throws -> Result) throws -> Result {
    do {
      let result = try body()
      // The server would answer a commit by a rollback, without an error.
      if libpq.transactionStatus(handle) == TransactionStatus.failed {
        throw PostgresError.failed(failure("an earlier statement of the transaction failed"))
      }
      try execute(script: commit)
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Rolls the transaction back; a connection that does not respond is closed.
  func rollBack() {
    finishing { _ = try? execute("ROLLBACK") }
  }

  /// True if the connection is open, no statement runs, and there is no transaction.
  var isIdle: Bool { libpq.transactionStatus(handle) == TransactionStatus.idle }

  private func run(_ sql: String, _ arguments: [PostgresValue], _ body: (PostgresRow) throws -> Void) throws -> Int {
    try send(sql, arguments)
    _ = libpq.setSingleRowMode(handle)
    return try finish(sql, body)
  }

  /// Sends a statement without waiting for its result.
  func send(_ sql: String, _ arguments: [PostgresValue] = []) throws {
    let arguments = arguments.map(\.argument)
    var values: [UnsafePointer<CChar>?] = []
    defer { for value in values { value?.deallocate() } }
    for argument in arguments {
      guard let bytes = argument.bytes else {
        values.append(nil)
        continue
      }
      if !argument.isBinary, bytes.contains(0) {
        throw PostgresError.constraint(failure("text cannot have null characters", sql: sql))
      }
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
      bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyMemory(from: $0) }
      copy[bytes.count] = 0
      values.append(UnsafePointer(copy))
    }
    let isSent = libpq.sendQueryParams(
      handle, sql, Int32(arguments.count), arguments.map(\.type), values, arguments.map { Int32($0.bytes?.count ?? 0) },
      arguments.map { $0.isBinary ? 1 : 0 }, 0)
    if isSent == 0 { throw lost() }
  }

  /// Reads the results of a statement to their end.
  ///
  /// - Returns: The number of rows of the last result.
  func finish(_ sql: String, _ body: (PostgresRow) throws -> Void = { _ in }) throws -> Int {
    var count = 0
    var refusal: PostgresError?
    do {
      while let result = try nextResult() {
        defer { libpq.clear(result) }
        switch ResultStatus(rawValue: libpq.resultStatus(result)) {
        case .rows, .oneRow:
          for row in 0..<libpq.ntuples(result) { try body(self.row(row, of: result)) }
          fallthrough
        case .done, .empty:
          count = Int(Self.text(libpq.cmdTuples(result))) ?? 0
        case .copyIn, .copyOut:
          throw PostgresError.failed(failure("a copy has functions of its own", sql: sql))
        case nil:
          refusal = refusal ?? error(of: result, sql)
        }
      }
    } catch {
      abandon()
      throw error
    }
    if let refusal { throw refusal }
    return count
  }

  private func row(_ row: Int32, of result: OpaquePointer) -> PostgresRow {
    PostgresRow(
      values: (0..<libpq.nfields(result)).map { column in
        let isNull = libpq.getisnull(result, row, column) != 0
        let bytes = UnsafeRawBufferPointer(
          start: libpq.getvalue(result, row, column), count: Int(libpq.getlength(result, row, column)))
        return PostgresValue(isNull ? nil : bytes, type: libpq.ftype(result, column))
      })
  }
}

/// Waiting for the server.
extension PostgresConnection {
  /// The connection's socket: readable when notifications may have arrived.
  public var socket: Int32 { libpq.socket(handle) }

  /// Returns the next result of a statement; nil after the last.
  func nextResult() throws -> OpaquePointer? {
    try flush()
    while libpq.isBusy(handle) != 0 { try receive(POLLIN) }
    return libpq.getResult(handle)
  }

  /// Waits until everything was given to the system.
  func flush() throws {
    while true {
      switch libpq.flush(handle) {
      case 0: return
      case 1: try receive(POLLIN | POLLOUT)
      default: throw lost()
      }
    }
  }

  /// Waits, and reads what arrived: a server whose responses are not read stops reading too.
  func receive(_ events: Int32) throws {
    try wait(for: events)
    if libpq.consumeInput(handle) == 0 { throw lost() }
  }

  private func wait(for events: Int32) throws {
    while true {
      if isCancellable, isCancelled() { throw CancellationError() }
      if let deadline, Self.now() > deadline {
        throw PostgresError.unreachable(failure("no response in time"))
      }
      var entry = pollfd(fd: socket, events: Int16(events), revents: 0)
      if entry.fd < 0 { throw lost() }
      let count = poll(&entry, 1, 100)
      // Errors of the socket are left to libpq.
      if count > 0 { return }
      if count < 0, errno != EINTR { throw PostgresError.unreachable(failure(String(cString: strerror(errno)))) }
    }
  }

  /// Cancels the running statement and reads what is left of it, so that the connection can be used again.
  ///
  /// A connection that does not respond is closed.
  func abandon() {
    guard handle != nil, libpq.status(handle) != ConnectionStatus.bad else { return }
    if let cancel = libpq.getCancel(handle) {
      var problem = [CChar](repeating: 0, count: 256)
      _ = libpq.cancel(cancel, &problem, Int32(problem.count))
      libpq.freeCancel(cancel)
    }
    finishing {
      do {
        while let result = try nextResult() {
          let status = ResultStatus(rawValue: libpq.resultStatus(result))
          libpq.clear(result)
          if status == .copyIn { try endCopy("canceled") }
          if status == .copyOut { try forEachPart { _ in } }
        }
      } catch {
        close()
      }
    }
  }

  /// Runs a piece of work that cannot be canceled, with five seconds for all its waits.
  private func finishing(_ body: () -> Void) {
    (isCancellable, deadline) = (false, Self.now() + 5)
    defer { (isCancellable, deadline) = (true, nil) }
    body()
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Failures.
extension PostgresConnection {
  func failure(_ message: String, state: String? = nil, sql: String? = nil) -> PostgresError.Failure {
    PostgresError.Failure(state: state, message: message, sql: sql, server: server)
  }

  /// The error of a connection that was lost or closed.
  func lost() -> PostgresError {
    let message = handle.map { Self.text(libpq.errorMessage($0)) } ?? ""
    return .unreachable(failure(Self.firstLine(message) ?? "the connection was closed"))
  }

  func error(of result: OpaquePointer, _ sql: String) -> PostgresError {
    func field(_ name: Unicode.Scalar) -> String? {
      libpq.resultErrorField(result, Int32(name.value)).map { String(cString: $0) }
    }
    let message = field("M") ?? Self.firstLine(Self.text(libpq.resultErrorMessage(result)))
    return PostgresError(failure(message ?? "the connection was lost", state: field("C"), sql: sql))
  }

  private static func text(_ text: UnsafeMutablePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }

  private static func firstLine(_ text: String) -> String? { text.split(separator: "\n").first.map(String.init) }
}

// Values of libpq's enumerations.
//
// - Source: PostgreSQL 15, src/interfaces/libpq/libpq-fe.h.

private enum ConnectionStatus {
  static let bad: Int32 = 1
}

private enum PollingStatus {
  static let reading: Int32 = 1
  static let writing: Int32 = 2
  static let ok: Int32 = 3
}

private enum TransactionStatus {
  static let idle: Int32 = 0
  static let failed: Int32 = 3
}

private enum ErrorVerbosity {
  static let standard: Int32 = 1
  static let verbose: Int32 = 2
}

/// The states of results that are not errors.
enum ResultStatus: Int32 {
  case empty = 0
  case done
  case rows
  case copyOut
  case copyIn
  case oneRow = 9
}
