import PluginAPI

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
      place = try Self.place(word, snapshot)
    } else {
      guard let id = Self.number(target, snapshot) else { return .emptyLibrary }
      place = .library(id)
    }
    return .molecule(try await molecule(at: place, bonds: .needed))
  }

  private static func place(_ word: String, _ snapshot: LibrarySnapshot) throws(ErrorReport) -> MoleculePlace {
    switch MoleculeReference.match(word, among: snapshot.molecules) {
    case .found(let molecule): return .library(molecule.id)
    case .ambiguous(let several): throw MoleculeError.ambiguous(word, ids: several.map(\.id))
    case .missing(let nearest):
      if StructureSource.exists(word) { return .file(word) }
      if MoleculeFileTypes.isFileName(word) { throw MoleculeError.file(.missing(path: word)) }
      throw MoleculeError.unknown(word, nearest: nearest, isEmpty: snapshot.molecules.isEmpty)
    }
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
