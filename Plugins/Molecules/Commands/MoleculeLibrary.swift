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
    guard let store = try context.store(LibraryStore.storeName) as? LibraryStore else {
      throw MissingPart.store(LibraryStore.storeName)
    }
    self.store = store
    self.context = context
    self.warn = warn
    self.report = report
  }

  /// Creates the library for a call of a command.
  init(_ call: CommandCall) throws {
    try self.init(call.context, warn: { call.warn($0) }, report: { call.report($0) })
  }

  /// Returns the molecules after the maintenance that is due.
  ///
  /// The starters are imported at the first start, and files dropped into the folder of originals at any start; after
  /// an update all originals are read again.
  func opened() async throws -> LibrarySnapshot {
    var snapshot = try await store.snapshot()
    if !snapshot.removals.isEmpty {
      try await store.finishRemovals(snapshot.removals)
      snapshot.removals = []
    }
    if !snapshot.isInitialised {
      try await addStarters()
      snapshot = try await store.snapshot()
    }
    if !snapshot.outdated.isEmpty {
      try await readAnew(snapshot.outdated)
      snapshot = try await store.snapshot()
    }
    let stray = try await store.strayFiles(snapshot)
    if stray.isEmpty { return snapshot }
    try await takeIn(stray)
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
    do {
      return .library(try await summary(word).id)
    } catch let error where MoleculeError.unknownMolecule ~= error {
      if StructureSource.exists(word) { return .file(word) }
      throw MoleculeFileTypes.isFileName(word) ? MoleculeError.file(.missing(path: word)) : error as any Error
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
    guard let summary = try await store.snapshot().molecules.first(where: { $0.id == id }) else {
      throw LibraryError.unknownMolecule(id)
    }
    context.log(.warning, "the stored pieces of molecule \(id) cannot be read; its original '\(summary.file)' is read")
    let originals = store.originals
    var molecule = try await computed("loading \(id)") { progress in
      let bytes = try originals.read(summary.file)
      return try MoleculeReading.molecule(bytes, path: summary.file, bonds: scope, limits: limits, progress)
    }
    molecule.id = id
    return molecule
  }

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
