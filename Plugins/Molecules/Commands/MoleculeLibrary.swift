import PluginAPI

/// The library for commands and screens, combining store, files and readers.
struct MoleculeLibrary: Sendable {
  let store: LibraryStore
  let context: any PluginContext
  /// Receives warnings and notes.
  let warn: @Sendable (Diagnostic) -> Void
  /// Receives the progress of the work.
  let report: @Sendable (Progress) -> Void

  /// Creates the library of a plugin's context.
  ///
  /// - Throws: The errors of creating the store.
  init(
    _ context: any PluginContext, warn: @escaping @Sendable (Diagnostic) -> Void = { _ in },
    report: @escaping @Sendable (Progress) -> Void = { _ in }
  ) throws {
    store = try context.store(LibraryStore.storeName, as: LibraryStore.self)
    self.context = context
    self.warn = warn
    self.report = report
  }

  /// Creates the library for a call of a command.
  init(_ call: CommandCall) throws {
    try self.init(call.context, warn: { call.warn($0) }, report: { call.report($0) })
  }

  /// Returns the molecules after the maintenance that is due, which a shared library has only for outdated molecules.
  ///
  /// The starters are imported at the first start, and files dropped into the folder of originals at any start; after
  /// an update all originals are read again.
  func opened() async throws -> LibrarySnapshot {
    var snapshot = try await store.snapshot()
    if !snapshot.removals.isEmpty {
      try await store.local.finishRemovals(snapshot.removals)
      snapshot.removals = []
    }
    if !snapshot.isInitialised {
      try await addStarters()
      snapshot = try await store.snapshot()
    }
    if !snapshot.outdated.isEmpty {
      try await readAgain(snapshot.outdated)
      snapshot = try await store.snapshot()
    }
    let stray = try await store.strayFiles(snapshot)
    if stray.isEmpty { return snapshot }
    try await importStray(stray)
    return try await store.snapshot()
  }

  /// Returns the molecule denoted by a word.
  ///
  /// - Throws: ``MoleculeError/unknown`` and ``MoleculeError/ambiguous``.
  func summary(_ word: String) async throws -> MoleculeSummary {
    let molecules = try await opened().molecules
    switch MoleculeReference.match(word, among: molecules) {
    case .found(let molecule): return molecule
    case .ambiguous(let several): throw MoleculeError.ambiguous(word, ids: several.map(\.id))
    case .missing(let nearest):
      throw MoleculeError.unknown(word, nearest: nearest, isEmpty: molecules.isEmpty)
    }
  }

  /// Returns the location denoted by a word: a molecule of the library, or a file.
  ///
  /// A word with a folder or a known extension is a file; any other word is a file only if the library does not know
  /// it.
  func place(_ word: String) async throws -> MoleculePlace {
    if MoleculeFileTypes.isFileName(word), StructureSource.exists(word) { return .file(word) }
    return try Self.place(word, among: await opened().molecules)
  }

  private static func place(_ word: String, among molecules: [MoleculeSummary]) throws(ErrorReport) -> MoleculePlace {
    switch MoleculeReference.match(word, among: molecules) {
    case .found(let molecule): return .library(molecule.id)
    case .ambiguous(let several): throw MoleculeError.ambiguous(word, ids: several.map(\.id))
    case .missing(let nearest):
      if StructureSource.exists(word) { return .file(word) }
      if MoleculeFileTypes.isFileName(word) { throw MoleculeError.file(.missing(path: word)) }
      throw MoleculeError.unknown(word, nearest: nearest, isEmpty: molecules.isEmpty)
    }
  }

  /// Returns the molecule denoted by a word, loaded from the library or read from a file.
  func molecule(_ word: String, bonds scope: MoleculeReading.BondScope = .firstModel) async throws -> Molecule {
    try await molecule(at: place(word), bonds: scope)
  }

  /// Returns the molecule at a location, loaded from the library or read from a file.
  func molecule(at place: MoleculePlace, bonds scope: MoleculeReading.BondScope) async throws -> Molecule {
    switch place {
    case .file(let path):
      return try await computed("loading \(path)") {
        try MoleculeReading.molecule(file: path, bonds: scope, limits: limits, $0).molecule
      }
    case .library(let id):
      report(Progress("loading"))
      do {
        let stored = try await store.molecule(id)
        return try await computed("loading \(id)") { _ in try stored.decoded() }
      } catch is ColumnError {
        return try await readOriginal(id, bonds: scope)
      }
    }
  }

  /// Reads the original of a molecule whose stored pieces are damaged or of another version.
  private func readOriginal(_ id: Int, bonds scope: MoleculeReading.BondScope) async throws -> Molecule {
    let summary = try await store.summary(of: id)
    context.log(
      .warning, "the stored data of molecule \(id) is unreadable; reading its original file '\(summary.file)'")
    let bytes = try await store.original(of: summary)
    var molecule = try await computed("loading \(id)") { progress in
      try MoleculeReading.molecule(bytes, path: summary.file, bonds: scope, limits: limits, progress)
    }
    molecule.id = id
    return molecule
  }

  /// The limits of reading a file.
  var limits: ReadingLimits { ReadingLimits(context) }

  /// Runs heavy work on a separate thread.
  func computed<Result: Sendable>(
    _ label: String, _ work: @escaping @Sendable (any WorkProgress) throws -> Result
  ) async throws -> Result {
    let report = self.report
    return try await context.eventLoop.compute(label, work, onProgress: { report($0) })
  }
}

/// The location of a molecule.
enum MoleculePlace: Hashable, Sendable {
  /// In the library, by number.
  case library(Int)
  /// In a file, by path.
  case file(String)
}

/// The molecule that a viewer should show.
enum MoleculeTarget: Equatable, Sendable {
  /// The last viewed molecule, else the first one of the library.
  case lastViewed
  /// The molecule with that number.
  case number(Int)
  /// A molecule of the library, or a file, denoted by a word.
  case word(String)
  /// The previous or next molecule, cyclically; -1 or 1.
  case neighbor(of: Int?, step: Int)
}

/// The result of loading a target.
enum LoadedTarget: Sendable {
  case molecule(Molecule)
  /// The word is not a file, and the library has not been opened yet.
  case needsLibrary
  /// The library is empty.
  case emptyLibrary
}

// MARK: Targets of a viewer

extension MoleculeLibrary {
  /// Finds and loads the target of a viewer.
  ///
  /// - Parameters:
  ///   - target: The target to load.
  ///   - isOpen: True if the library was opened, so that its contents are complete.
  func load(_ target: MoleculeTarget, isOpen: Bool) async throws -> LoadedTarget {
    if case .word(let word) = target, MoleculeFileTypes.isFileName(word), StructureSource.exists(word) {
      return .molecule(try await molecule(at: .file(word), bonds: .needed))
    }
    guard isOpen else { return .needsLibrary }
    let snapshot = try await store.snapshot()
    let place: MoleculePlace
    if case .word(let word) = target {
      place = try Self.place(word, among: snapshot.molecules)
    } else {
      guard let id = Self.number(target, snapshot) else { return .emptyLibrary }
      place = .library(id)
    }
    return .molecule(try await molecule(at: place, bonds: .needed))
  }

  /// Returns the number of the molecule denoted by a target; nil if there is none.
  static func number(_ target: MoleculeTarget, _ snapshot: LibrarySnapshot) -> Int? {
    let ids = snapshot.molecules.map(\.id)
    switch target {
    case .number(let id): return id
    case .lastViewed, .word: return snapshot.lastViewed.flatMap { ids.contains($0) ? $0 : nil } ?? ids.first
    case .neighbor(let id, let step):
      guard !ids.isEmpty else { return nil }
      guard let id, let index = ids.firstIndex(of: id) else { return step < 0 ? ids.last : ids.first }
      return ids[((index + step) % ids.count + ids.count) % ids.count]
    }
  }
}

/// The metadata of a molecule.
struct MoleculeDetails: Equatable, Sendable {
  var molecule: MoleculeSummary
  /// The entries, group by group, in the order of the groups.
  var entries: [MetadataEntry]
}

// MARK: Details and deletions

extension MoleculeLibrary {
  /// Reads the metadata of a molecule.
  ///
  /// - Throws: ``LibraryError/unknownMolecule``.
  func details(of id: Int) async throws -> MoleculeDetails {
    MoleculeDetails(molecule: try await store.summary(of: id), entries: try await store.metadata(of: id))
  }

  private var deleted: DeletedOriginals { DeletedOriginals(cache: context.folders.cache) }

  /// Stores the original of a molecule until the program ends.
  ///
  /// - Throws: ``LibraryError/unknownMolecule``, ``LibraryError/originalUnreadable`` and
  ///   ``LibraryError/originalNotKept``.
  func setAside(_ id: Int) async throws -> SetAsideMolecule {
    let summary = try await store.summary(of: id)
    let deleted = self.deleted
    let bytes = try await store.original(of: summary)
    let path = try await store.onDisk { _ in try deleted.keep(bytes, as: summary.file) }
    return SetAsideMolecule(id: id, title: summary.displayTitle, path: path)
  }

  /// Removes an original that was set aside.
  func forget(_ molecule: SetAsideMolecule) async throws {
    let deleted = self.deleted
    try await store.onDisk { _ in deleted.remove(molecule.path) }
  }

  /// Removes originals that earlier runs of the program had set aside.
  func tidy() async throws {
    let deleted = self.deleted
    try await store.onDisk { _ in deleted.removeAbandoned() }
  }
}

/// The original of a molecule about to be deleted, stored for restoring.
struct SetAsideMolecule: Equatable, Sendable {
  /// The molecule's number before the deletion.
  var id: Int
  var title: String
  /// The path of the stored original.
  var path: String
}
