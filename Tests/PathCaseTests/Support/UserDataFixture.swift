import PluginAPI
import TestSupport

@testable import PathCase

/// The user's data in its own folder.
final class UserDataFixture: Sendable {
  let folder: PathCaseFolder
  let store: UserDataStore
  // The database exists as long as this.
  private let database: SharedDatabase?

  /// Creates data in a place, empty and not opened.
  static func made(_ place: StorePlace) async throws -> UserDataFixture {
    switch place {
    case .local: try UserDataFixture()
    case .shared: try await made(in: database())
    }
  }

  /// Creates data in a database.
  ///
  /// - Parameter user: The user of the database; nil for its owner.
  static func made(in database: SharedDatabase, as user: String? = nil) async throws -> UserDataFixture {
    let fixture = try UserDataFixture(database)
    _ = try await fixture.share(to: database.address(of: user))
    return fixture
  }

  /// Returns an empty database.
  static func database(on server: PostgresServer? = nil) throws -> SharedDatabase {
    try SharedDatabase(schema: "pathcase_user_data", on: server)
  }

  init(_ database: SharedDatabase? = nil) throws {
    self.database = database
    folder = try PathCaseFolder()
    store = UserDataStore(folder: folder.path)
  }

  /// Returns the same data as opened by a new process.
  func reopened() -> UserDataStore { UserDataStore(folder: folder.path) }

  /// Shares the data and ignores the progress.
  func share(to address: String) async throws -> SharedStoreSummary { try await store.share(to: address) { _ in } }
}

extension SavedObservations {
  /// Returns observations of one pool.
  static func sample(_ name: String, of pool: Identifier = "a-c") -> SavedObservations {
    SavedObservations(name: name, rows: [SavedObservation(pool: pool, levels: LevelSet([.available]))])
  }
}
