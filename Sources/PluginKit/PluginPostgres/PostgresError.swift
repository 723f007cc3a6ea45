public import PluginAPI

/// An error of a PostgreSQL server or on the way to it.
public enum PostgresError: Error, Equatable, Sendable {
  /// The library libpq is not installed.
  case libraryMissing(reason: String)
  /// The address is not one of a PostgreSQL database.
  case badAddress(reason: String)
  /// The address has a password, which other users can see in the list of processes.
  case passwordInAddress
  /// The address permits a connection that does not verify the server.
  case insecureAddress(host: String, mode: String)
  /// The server does not respond, or the connection was lost.
  case unreachable(Failure)
  /// The user turned off the network.
  case offline(server: String)
  /// The server refused the user or the password.
  case loginRefused(Failure)
  /// The server does not have the database.
  case noDatabase(Failure)
  /// The user lacks a right in the database.
  case noPermission(Failure)
  /// The server can only be read, as a replica is.
  case readOnly(Failure)
  /// The server's device is full.
  case diskFull(Failure)
  /// Another client holds a lock.
  case locked(Failure)
  /// The content would violate a constraint of the schema, or does not fit its type.
  case constraint(Failure)
  /// The database does not have the store.
  case notShared(store: String, server: String)
  /// The store's schema is older than the code's, and the user may not migrate it.
  case olderSchema(store: String, server: String, found: Int, supported: Int, owner: String)
  /// The store's schema is newer than the code's.
  case newerSchema(store: String, server: String, found: Int, supported: Int)
  /// A migration failed; the store is as it was before.
  case migrationFailed(version: Int, name: String, Failure)
  /// The store was closed.
  case closed(store: String, server: String)
  /// The server refused a statement in another way.
  case failed(Failure)

  /// A failure reported by the server or by libpq.
  ///
  /// The arguments of the statement are omitted on purpose: they may be personal data.
  public struct Failure: Equatable, Sendable {
    /// The five characters of the SQLSTATE; nil if the failure was outside the server.
    public var state: String?
    /// The reason, as the server or libpq puts it.
    public var message: String
    /// The statement without its arguments; nil if there was none.
    public var sql: String?
    /// The server and database, without a password.
    public var server: String

    /// Creates a failure.
    public init(state: String? = nil, message: String, sql: String? = nil, server: String) {
      (self.state, self.message, self.sql, self.server) = (state, message, sql, server)
    }
  }
}

extension PostgresError: CustomStringConvertible {
  /// The error in words, with advice.
  public var description: String { report.description }
}

/// The errors that only servers cause.
private enum ServerError {
  static let libraryMissing = DeclaredError(
    "store.library-missing", .failure, "the system library libpq is not installed")
  static let badAddress = DeclaredError(
    "store.bad-address", .usage, "the address is not 'postgresql://USER@HOST/DATABASE'")
  static let passwordInAddress = DeclaredError(
    "store.password-in-address", .refused,
    "the address has a password; put it into '~/.pgpass' or the file that PGPASSFILE names")
  static let insecureAddress = DeclaredError(
    "store.insecure-address", .refused, "the address is of another machine, but does not require TLS verification")
  static let unreachable = DeclaredError(
    "store.unreachable", .network, "the database server does not respond, or the connection was lost")
  static let loginRefused = DeclaredError(
    "store.login-refused", .refused, "the database server refused the user or the password")
  static let noDatabase = DeclaredError(
    "store.no-database", .notFound, "the database server does not have this database")
  static let noPermission = DeclaredError(
    "store.no-permission", .refused, "the user lacks a right in the database")
  static let notShared = DeclaredError(
    "store.not-shared", .notFound, "the database does not have this store; share it with 'workbench store share'")
  static let olderSchema = DeclaredError(
    "store.older-schema", .refused,
    "a shared store has an older schema; the first use by a member of the role 'workbench_owner' upgrades it")
  static let noRoles = ErrorCodeDescription(
    "store.no-roles", "note: the roles for other users are missing, so only the owner can use a shared store")
}

extension PostgresError: ReportableError {
  /// The error as users and scripts see it.
  public var report: ErrorReport {
    switch self {
    case .libraryMissing(let reason):
      ServerError.libraryMissing("cannot use libpq: \(reason)", advice: "install it with 'sudo apt-get install libpq5'")
    case .badAddress(let reason):
      ServerError.badAddress(
        "the address of the database cannot be used: \(reason)", advice: "write 'postgresql://USER@HOST/DATABASE'")
    case .passwordInAddress:
      ServerError.passwordInAddress(
        "the address has a password, which other users of this machine can see",
        advice: "put it into '~/.pgpass', or into the file that PGPASSFILE names")
    case .insecureAddress(let host, let mode):
      ServerError.insecureAddress(
        "'sslmode=\(mode)' does not verify '\(host)'",
        advice: "leave it out, and name the certificates to trust with 'sslrootcert=FILE'")
    case .unreachable(let failure):
      failure.report(
        ServerError.unreachable, "cannot reach '\(failure.server)'", "check the address, then try again", true)
    case .offline(let server):
      ServerError.unreachable(
        "cannot reach '\(server)': the network is turned off",
        advice: "omit '--offline', or run 'workbench config unset offline'")
    case .loginRefused(let failure):
      failure.report(
        ServerError.loginRefused, "'\(failure.server)' refused the login",
        "check the user, and the password in '~/.pgpass' or in the file that PGPASSFILE names")
    case .noDatabase(let failure):
      failure.report(ServerError.noDatabase, "'\(failure.server)' does not exist", "create it with 'createdb'")
    case .noPermission(let failure):
      failure.report(ServerError.noPermission, "'\(failure.server)' refused access", "ask the owner of the database")
    case .readOnly(let failure):
      failure.report(CommonStoreError.readOnly, "cannot write to '\(failure.server)'", "name the primary server")
    case .diskFull(let failure):
      failure.report(CommonStoreError.diskFull, "no space left for '\(failure.server)'", "free some space")
    case .locked(let failure):
      failure.report(
        CommonStoreError.locked, "'\(failure.server)' is in use by another client", "try again later", true)
    case .constraint(let failure):
      failure.report(CommonStoreError.constraint, "the data does not fit the schema of '\(failure.server)'", nil)
    case .notShared(let store, let server):
      ServerError.notShared(
        "the database has no store '\(store)'", advice: "share it with 'workbench store share'",
        details: ["server": .text(server)])
    case .olderSchema(let store, let server, let found, let supported, let owner):
      ServerError.olderSchema(
        "store '\(store)' in '\(server)' has schema version \(found); this plugin needs version \(supported)",
        advice: "ask a member of role '\(owner)' to use the store with this version of the plugin",
        details: ["server": .text(server)])
    case .newerSchema(let store, let server, let found, let supported):
      CommonStoreError.newerSchema(
        "store '\(store)' in '\(server)' has schema version \(found); this plugin supports versions up to \(supported)",
        advice: "use the newer version of the plugin that wrote it", details: ["server": .text(server)])
    case .migrationFailed(let version, let name, let failure):
      failure.report(
        CommonStoreError.migrationFailed, "'\(failure.server)' is unchanged: migration \(version) '\(name)' failed",
        "report this to the plugin's author")
    case .closed(let store, let server):
      CommonStoreError.closed("store '\(store)' in '\(server)' was closed", details: ["server": .text(server)])
    case .failed(let failure):
      failure.report(CommonStoreError.failed, "'\(failure.server)' refused a statement", nil)
    }
  }

  /// The note about a store that only its owner can use.
  static func noRoles(store: String, server: String) -> Diagnostic {
    Diagnostic(
      .note, code: ServerError.noRoles.code,
      "only you can use store '\(store)' in '\(server)': you may not create the roles for others",
      advice:
        "ask an administrator to create workbench_reader, workbench_writer and workbench_owner; then share it again")
  }

  /// The codes that only servers cause, for the catalog of errors; the others are those of ``CommonStoreError``.
  public static var errorCodes: [ErrorCodeDescription] {
    [
      ServerError.libraryMissing, ServerError.badAddress, ServerError.passwordInAddress, ServerError.insecureAddress,
      ServerError.unreachable, ServerError.loginRefused, ServerError.noDatabase, ServerError.noPermission,
      ServerError.notShared, ServerError.olderSchema,
    ].map(\.catalogueEntry) + [ServerError.noRoles]
  }
}

extension PostgresError.Failure {
  fileprivate func report(
    _ declared: DeclaredError, _ sentence: String, _ advice: String?, _ isRetryable: Bool = false
  ) -> ErrorReport {
    declared(
      "\(sentence): \(message)", advice: advice,
      details: ["server": .text(server), "sqlState": .optional(state), "sql": .optional(sql)],
      isRetryable: isRetryable)
  }
}

extension PostgresError {
  /// Creates the error for a failure of the server or of libpq.
  ///
  /// - Source: PostgreSQL 15, appendix A, "PostgreSQL Error Codes".
  public init(_ failure: Failure) {
    guard let state = failure.state else {
      self = .unreachable(failure)
      return
    }
    switch (state.prefix(2), state) {
    case ("08", _), (_, "57P01"), (_, "57P02"), (_, "57P03"), (_, "57P05"), (_, "53300"): self = .unreachable(failure)
    case ("28", _): self = .loginRefused(failure)
    case ("3D", _): self = .noDatabase(failure)
    case (_, "42501"): self = .noPermission(failure)
    case (_, "25006"): self = .readOnly(failure)
    case (_, "53100"): self = .diskFull(failure)
    case ("40", _), (_, "55P03"), (_, "55006"): self = .locked(failure)
    case ("22", _), ("23", _): self = .constraint(failure)
    default: self = .failed(failure)
    }
  }

  /// Creates the error for libpq's message about a connection that was not made.
  ///
  /// libpq gives the SQLSTATE only inside the verbose message: `… FATAL:  28P01: password authentication failed …`.
  ///
  /// - Parameters:
  ///   - message: The message, of one or more lines.
  ///   - needsPassword: True if the server asked for a password and libpq found none.
  public init(connecting message: String, needsPassword: Bool, server: String) {
    // With several addresses the last one counts. Lines with a tab are hints, and so is that to skip the verification.
    let lines = message.split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("\t") && !$0.hasPrefix("Either ") }
    let last = lines.last ?? "the server does not respond"
    if let (state, text) = lines.reversed().lazy.compactMap(Self.verbose).first {
      self.init(Failure(state: state, message: text, server: server))
    } else if needsPassword {
      self = .loginRefused(Failure(message: last, server: server))
    } else {
      self = .unreachable(Failure(message: last, server: server))
    }
  }

  /// Splits a verbose message into its SQLSTATE and its text; nil without a state.
  private static func verbose(_ line: String) -> (state: String, text: String)? {
    // The word before differs between languages; the two blanks, five characters and colon do not.
    let bytes = Array(line.utf8)
    for start in bytes.indices where start + 8 < bytes.count && bytes[start] == UInt8(ascii: ":") {
      let state = bytes[(start + 3)..<(start + 8)]
      let isState = state.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
      guard bytes[start + 1] == 0x20, bytes[start + 2] == 0x20, isState, bytes[start + 8] == UInt8(ascii: ":") else {
        continue
      }
      return (
        String(decoding: state, as: UTF8.self),
        String(decoding: bytes[(start + 9)...].drop { $0 == 0x20 }, as: UTF8.self)
      )
    }
    return nil
  }
}
