import PluginAPI

/// Which molecule a viewer shall show.
enum MoleculeTarget: Equatable, Sendable {
  /// The one viewed last, else the first of the library.
  case lastViewed
  /// The one of that number.
  case number(Int)
  /// What a word means: a molecule of the library, or a file.
  case word(String)
  /// The one before or behind another, around the ends; -1 or 1.
  case neighbor(of: Int?, step: Int)
}

/// What looking for a target gave.
enum LoadedTarget: Sendable {
  case molecule(Molecule)
  /// The word is no file, and the library was not opened yet.
  case needsLibrary
  /// There is no molecule in the library.
  case emptyLibrary
}

extension MoleculeLibrary {
  /// Finds and loads what a viewer shall show, for code with a thread of its own.
  ///
  /// - Parameters:
  ///   - target: What to load.
  ///   - isOpen: Whether the library was opened, so that it holds what it shall hold.
  func loadAndWait(
    _ target: MoleculeTarget, isOpen: Bool, _ progress: any WorkProgress
  ) throws -> LoadedTarget {
    if case .word(let word) = target, MoleculeFileTypes.isFileName(word), StructureSource.exists(word) {
      return .molecule(try loadAndWait(.file(word), bonds: .needed, progress))
    }
    guard isOpen else { return .needsLibrary }
    let snapshot = try store.snapshotAndWait()
    let place: MoleculePlace
    if case .word(let word) = target {
      place = try placeAndWait(word, snapshot)
    } else {
      guard let id = Self.number(target, snapshot) else { return .emptyLibrary }
      place = .library(id)
    }
    return .molecule(try loadAndWait(place, bonds: .needed, progress))
  }

  private func placeAndWait(_ word: String, _ snapshot: LibrarySnapshot) throws(MoleculeError) -> MoleculePlace {
    switch MoleculeReference.match(word, among: snapshot.molecules) {
    case .found(let molecule): return .library(molecule.id)
    case .ambiguous(let several): throw .ambiguous(word, ids: several.map(\.id))
    case .missing(let nearest):
      if StructureSource.exists(word) { return .file(word) }
      if MoleculeFileTypes.isFileName(word) { throw .file(.missing(path: word)) }
      throw .unknown(word, nearest: nearest, isEmpty: snapshot.molecules.isEmpty)
    }
  }

  /// The number of the molecule a target means; nil if there is none at all.
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
