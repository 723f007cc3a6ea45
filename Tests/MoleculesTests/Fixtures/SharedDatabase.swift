import Foundation
import PluginPostgres
import TestSupport

/// The places where a library can be.
enum LibraryPlace: String, Sendable {
  case local, shared

  /// The places of this machine: `SharedLibraryTests` tells if the server is not installed.
  static var available: [LibraryPlace] { PostgresServer.isInstalled ? [.local, .shared] : [.local] }
}

/// An empty database of the tests' server, deleted with this.
final class SharedDatabase: Sendable {
  private let server: String
  private let name: String

  init() throws {
    server = try PostgresServer.shared.get().address
    name = "library_" + UUID().uuidString.lowercased().filter { $0 != "-" }
    try Self.run("CREATE DATABASE \(name)", at: server)
  }

  deinit { _ = try? Self.run("DROP DATABASE \(name) WITH (FORCE)", at: server) }

  /// The address for the user who owns the database.
  var address: String { address(of: nil) }

  /// Returns the address for a user; nil for the owner.
  func address(of user: String?) -> String {
    let own = server.replacingOccurrences(of: "/postgres?", with: "/\(name)?")
    return user.map { own.replacingOccurrences(of: "//workbench@", with: "//\($0)@") } ?? own
  }

  /// Creates a user with a role, who logs in as the owner does.
  func user(in role: String) throws -> String {
    let user = "user_" + UUID().uuidString.lowercased().filter { $0 != "-" }
    let secret = try rows("SELECT rolpassword FROM pg_authid WHERE rolname = current_user").first?[0].text ?? ""
    try run("CREATE ROLE \(user) LOGIN IN ROLE \(role) PASSWORD \(PostgresQuoting.literal(secret))")
    return user
  }

  /// Runs a statement as the owner, in the schema of the library.
  func run(_ sql: String) throws { _ = try rows(sql) }

  @discardableResult
  func rows(_ sql: String) throws -> [PostgresRow] { try Self.run(sql, at: address) }

  @discardableResult
  private static func run(_ sql: String, at address: String) throws -> [PostgresRow] {
    let connection = try PostgresConnection(PostgresAddress(address), timeoutInSeconds: 60)
    defer { connection.close() }
    try connection.execute("SET search_path = molecules_library")
    return try connection.rows(sql)
  }
}
