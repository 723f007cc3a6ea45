import PluginAPI
import PluginPostgres
import PluginStore
import PluginText

/// The library: the molecules of one user, or those that a lab shares in a PostgreSQL database.
///
/// A shared library's address is in a file beside the user's own library, which stays as it is: what the user last
/// viewed and the files to ignore are recorded there in any case.
final class LibraryStore: ShareableStore {
  static let storeName = "library"
  /// The stable codes of errors of any plugin's store.
  static let errorCodes: [ErrorCodeDescription] = StoreError.errorCodes
  /// The version of the readers; a molecule read with a lower one is read again from its original.
  ///
  /// Raise it when a reader or the bond perception finds more than before, or when the schema stores more.
  static let reading = 4

  /// The errors of sharing.
  static let sharingErrors = SharedStoreErrors(of: storeName, plugin: "molecules")
  /// The codes of the errors of sharing.
  static let sharingErrorCodes = sharingErrors.errorCodes

  /// The user's own library.
  let local: LocalLibrary
  private let sharing: StoreSharing<SharedLibrary>

  /// Creates the store without opening a database.
  ///
  /// - Parameters:
  ///   - folder: The plugin's data folder, as an absolute path.
  ///   - isOffline: True if a shared library must not be connected to.
  ///   - onChange: Called after every committed change of the molecules.
  init(folder: String, isOffline: Bool = false, onChange: @escaping @Sendable () -> Void = {}) {
    let local = LocalLibrary(folder: folder, onChange: onChange)
    self.local = local
    sharing = StoreSharing(Self.sharingErrors, folder: folder, onChange: onChange) {
      try SharedLibrary($0, local: local, isOffline: isOffline, onChange: onChange)
    }
  }

  private var backend: any LibraryBackend {
    get throws {
      if let shared = try sharing.content() { shared } else { local }
    }
  }

  var name: String { Self.storeName }
  var path: String { local.sqlite.path }
  var schemaVersion: Int { sharedAddress == nil ? local.schemaVersion : SharedLibraryMigrations.all.count }

  func check() async throws -> [Diagnostic] { try await backend.check() }
  func backup(to path: String) async throws { try await backend.backup(to: path) }
  func restore(from path: String) async throws { try await backend.restore(from: path) }
  func export() async throws -> Value { try await backend.export() }

  func close() async {
    await sharing.close()
    await local.close()
  }
}

// MARK: Sharing

extension LibraryStore {
  var sharedAddress: String? { sharing.address }

  /// Copies the user's own molecules to a database and uses that from then on.
  ///
  /// The user's own library stays. Repeating an interrupted call copies the missing molecules.
  func share(
    to address: String, progress: @escaping @Sendable (Progress) -> Void
  ) async throws -> SharedStoreSummary {
    let local = self.local
    return try await sharing.share(to: address) { library in
      let summary = try await library.receive(local, progress: progress)
      try await local.set(SharedLibrary.lastViewed, nil)
      return summary
    }
  }

  /// Uses the user's own library again; the shared one stays.
  func unshare() async throws { try await sharing.unshare() }

  /// Reports changes by other users of a shared library from now on.
  func listen() { sharing.listen() }
}

// MARK: Molecules

extension LibraryStore {
  /// Returns the molecules and the maintenance tasks of a start, in one access.
  func snapshot() async throws -> LibrarySnapshot { try await backend.snapshot() }

  /// Returns the summary of a molecule.
  ///
  /// - Throws: ``LibraryError/unknownMolecule``.
  func summary(of id: Int) async throws -> MoleculeSummary {
    let molecules = try await snapshot().molecules
    guard let summary = molecules.first(where: { $0.id == id }) else { throw LibraryError.unknownMolecule(id) }
    return summary
  }

  /// Returns the metadata of a molecule, read only on demand.
  func metadata(of id: Int) async throws -> [MetadataEntry] { try await backend.metadata(of: id) }

  /// Returns the stored form of a molecule.
  ///
  /// - Throws: ``LibraryError/unknownMolecule``.
  func molecule(_ id: Int) async throws -> StoredMolecule { try await backend.molecule(id) }

  /// Reads the bytes of a molecule's file as it was imported.
  ///
  /// - Throws: ``LibraryError/originalUnreadable``.
  func original(of molecule: MoleculeSummary) async throws -> [UInt8] { try await backend.original(of: molecule) }

  /// Returns the files among the originals that belong to no molecule and no removal.
  func strayFiles(_ snapshot: LibrarySnapshot) async throws -> [String] { try await backend.strayFiles(snapshot) }

  /// Returns the molecules whose code, title, compounds, authors and keywords contain every word of a text, or a word
  /// with that prefix.
  ///
  /// - Parameter text: Words separated by anything that is neither letter nor digit; case and accents are ignored.
  /// - Returns: The numbers, the best match first; nil if the text has no word.
  func matches(_ text: String) async throws -> [Int]? {
    let words = LibraryWords.words(of: text)
    return words.isEmpty ? nil : try await backend.matches(words)
  }

  /// Returns the SHA-256 of a file's bytes in the library's form: 64 hexadecimal digits.
  static func digest(of bytes: [UInt8]) -> String { SHA256.hexadecimal(of: bytes) }

  /// Returns the SHA-256 of a molecule's original file, hexadecimal.
  ///
  /// - Throws: ``LibraryError/unknownMolecule``.
  func digest(of id: Int) async throws -> String {
    guard let digest = try await digests().first(where: { $0.value == id })?.key else {
      throw LibraryError.unknownMolecule(id)
    }
    return digest
  }

  /// Returns the molecules by the SHA-256 of their files.
  func digests() async throws -> [String: Int] { try await backend.digests() }

  /// Returns the number of the molecule from an address; nil if there is none.
  func id(ofSource source: String) async throws -> Int? { try await backend.id(ofSource: source) }

  /// Adds a molecule; one whose file is already present is read again under its old number.
  ///
  /// - Returns: The molecule's number, and true if the file was already present.
  func add(_ new: NewMolecule) async throws -> (id: Int, wasKnown: Bool) { try await backend.add(new) }

  /// Rewrites the pieces of a molecule, as after a change of their format.
  func replace(_ id: Int, by new: NewMolecule) async throws { try await backend.replace(id, by: new) }

  /// Records that the stored data of a molecule stays, since its original cannot be read again.
  func keepReading(of id: Int) async throws { try await backend.keepReading(of: id) }

  /// Deletes a molecule with its original.
  func delete(_ id: Int) async throws { try await backend.delete(id) }

  /// Records the last viewed molecule.
  func setLastViewed(_ id: Int) async throws { try await backend.setLastViewed(id) }

  /// Replaces a damaged database by a new one that knows the originals, and preserves the old one beside it.
  func replaceByOriginals() async throws -> LibraryReplacement { try await backend.replaceByOriginals() }

  /// Works on files outside of the cooperative thread pool, whose threads must not wait for a disk.
  func onDisk<Result: Sendable>(
    _ work: @escaping @Sendable (Originals) throws -> Result
  ) async throws -> Result {
    try await local.onDisk(work)
  }
}
