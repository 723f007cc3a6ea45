import Foundation
import PluginPostgres
import TestSupport
import Testing

/// A database of its own on a server, with users of its own.
struct PostgresLab {
  private let server: PostgresServer
  private let database = "lab_" + UUID().uuidString.prefix(8).lowercased()

  init(_ server: PostgresServer, owner: String? = nil) throws {
    self.server = server
    try superuser("postgres") { connection in
      if let owner { try addUser(owner, connection) }
      try connection.execute("CREATE DATABASE \(database) OWNER \(owner.map(name) ?? "workbench")")
    }
  }

  static func shared() throws -> PostgresLab { try PostgresLab(PostgresServer.shared.get()) }

  /// Returns the name of a user on the server, which other databases share.
  func name(_ user: String) -> String { "\(database)_\(user)" }

  /// Returns the address for a user; nil for the superuser.
  ///
  /// - Parameter options: More options, each after an ampersand.
  func address(_ user: String? = nil, database: String? = nil, options: String = "") throws -> PostgresAddress {
    let parts = server.address.components(separatedBy: "workbench@")
    let address = parts.joined(separator: (user.map(name) ?? "workbench") + "@")
    return try PostgresAddress(
      address.components(separatedBy: "/postgres?").joined(separator: "/\(database ?? self.database)?") + options)
  }

  /// Connects as the server's superuser.
  func connection(_ database: String? = nil) throws -> PostgresConnection {
    try PostgresConnection(address(database: database), timeoutInSeconds: 60)
  }

  /// Runs a closure on a connection of the server's superuser.
  @discardableResult
  func superuser<Result>(_ database: String? = nil, _ body: (PostgresConnection) throws -> Result) throws -> Result {
    let connection = try connection(database)
    defer { connection.close() }
    return try body(connection)
  }

  /// Makes a user whose password libpq finds, as it is that of the superuser.
  private func addUser(_ user: String, _ connection: PostgresConnection) throws {
    let password = try PostgresLogin(of: server).password
    try connection.execute("CREATE ROLE \(name(user)) LOGIN PASSWORD \(PostgresQuoting.literal(password))")
  }

  /// Makes a user who is a member of a role.
  func addUser(_ user: String, role: String) throws {
    try superuser { connection in
      try addUser(user, connection)
      try connection.execute("GRANT \(role) TO \(name(user))")
    }
  }

  private static let schemaName = #"lab "1""#

  /// The schema of the stores, quoted.
  static let schema = PostgresQuoting.identifier(schemaName)

  /// Returns a store.
  ///
  /// - Parameters:
  ///   - user: The user; nil for the superuser.
  ///   - options: More options of the address, each after an ampersand.
  func store(
    _ user: String? = nil, name: String = "items", migrations: [PostgresMigration] = .items, options: String = "",
    onChange: @escaping @Sendable () -> Void = {}
  ) throws -> PostgresStore {
    try PostgresStore(
      name: name, address: address(user, options: options), schema: Self.schemaName, migrations: migrations,
      onChange: onChange)
  }

  /// Returns the number of clients of the database that wait for a lock.
  func waitingClients() throws -> Int {
    try superuser { connection in
      try connection.value(
        """
        SELECT count(DISTINCT pid) FROM pg_locks
          WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        """
      ).integer ?? 0
    }
  }

  /// Returns the number of connections to the database that run a statement, or ran it last.
  func connections(_ pattern: String) throws -> Int {
    try superuser("postgres") { connection in
      try connection.value(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND query LIKE $2",
        [.text(database), .text(pattern)]
      ).integer ?? 0
    }
  }
}

/// The files and the password with which all users log in to a server.
struct PostgresLogin {
  /// The folder of the server's files.
  let folder: URL
  let password: String
  let port: String

  init(of server: PostgresServer) throws {
    let file = URL(fileURLWithPath: try #require(server.address.components(separatedBy: "passfile=").last))
    folder = file.deletingLastPathComponent()
    let line = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    let fields = line.components(separatedBy: ":")
    try #require(fields.count == 5)
    (port, password) = (fields[1], fields[4])
  }
}

extension [PostgresMigration] {
  /// A table of items.
  static let items = [
    PostgresMigration(
      1, "items",
      sql: "CREATE TABLE item (id bigserial PRIMARY KEY, name text NOT NULL, added_by text);"
        + PostgresPolicy.deletionByAuthor(of: "item"))
  ]

  /// A table of items, and one of notes.
  static let itemsAndNotes =
    items + [
      PostgresMigration(2, "notes") { connection in
        try connection.execute("CREATE TABLE note (text text)")
        try connection.execute("INSERT INTO note VALUES ('made')")
      }
    ]
}

@Sendable func addItem(_ connection: PostgresConnection) throws {
  try connection.execute("INSERT INTO item (name) VALUES ($1)", [.text("x")])
}

@Sendable func itemCount(_ connection: PostgresConnection) throws -> Int {
  try connection.value("SELECT count(*) FROM item").integer ?? -1
}
