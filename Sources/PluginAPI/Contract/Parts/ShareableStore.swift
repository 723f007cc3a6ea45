/// A store whose content can live in a PostgreSQL database that several people use.
///
/// While the store is shared, its other functions act on the database; a server that does not respond is an error, and
/// the file on this machine never takes its place.
public protocol ShareableStore: Store {
  /// The address of the shared database, without a password; nil while the store is on this machine.
  var sharedAddress: String? { get }

  /// Copies the content to a database, verifies counts and digests there, and then uses the database.
  ///
  /// The file on this machine stays. After an error the store is where it was. Sharing again, with a database that has
  /// the store already, adds what it lacks. A user who may only read the database uses it without copying anything.
  ///
  /// - Parameters:
  ///   - address: The address of the database, `postgresql://USER@HOST/DATABASE`; one with a password is refused.
  ///   - progress: Receives the progress, on any thread.
  /// - Returns: The numbers of items that were copied and that the database had.
  func share(to address: String, progress: @escaping @Sendable (Progress) -> Void) async throws -> SharedStoreSummary

  /// Uses the file on this machine again; the database keeps its content.
  func unshare() async throws
}

/// The result of sharing a store.
public struct SharedStoreSummary: Sendable, Hashable {
  /// The number of items that were copied to the database.
  public var copied: Int
  /// The number of items that the database had already.
  public var known: Int
  /// The number of items that only the file on this machine has: the user may not write to the database, or it has
  /// other items of their names.
  public var notCopied: Int

  /// Creates a summary.
  public init(copied: Int, known: Int, notCopied: Int = 0) {
    self.copied = copied
    self.known = known
    self.notCopied = notCopied
  }
}
