import PluginAPI

/// A molecule that is shown together with the one that keys act on.
struct ShownStructure: Equatable, Sendable {
  /// How it is coloured.
  enum Coloring: Equatable, Sendable {
    /// By what the colours of atoms tell.
    case scheme(ColorScheme)
    /// In one colour of its own.
    case single
  }

  var place: MoleculePlace
  var molecule: Molecule
  var coloring = Coloring.single
  var isVisible = true
  /// The motion that lays it on the first one; nil as it is.
  var motion: Transform?
  /// Counts the structures that were added, for the colour of its own.
  var number = 0

  /// What people call it.
  var name: String {
    let code = molecule.structure.metadata.entryID
    return code.isEmpty ? molecule.displayTitle : code
  }

  /// The colour of its own.
  var color: RGBColor { ColorTable.chainColor(number) }
}

/// The molecules that are shown together with the one that keys act on.
struct StructureSet: Equatable, Sendable {
  private(set) var others: [ShownStructure] = []
  /// Whether the first one is seen.
  var isFirstVisible = true { didSet { version += 1 } }
  /// Grows with every change: as long as it is the same, the scene is.
  private(set) var version = 0
  private var added = 0

  var isEmpty: Bool { others.isEmpty }

  /// Adds a molecule in the next colour.
  mutating func add(_ structure: ShownStructure) {
    added += 1
    version += 1
    var structure = structure
    structure.number = added
    others.append(structure)
  }

  mutating func remove(at index: Int) {
    guard others.indices.contains(index) else { return }
    others.remove(at: index)
    version += 1
  }

  mutating func change(at index: Int, _ change: (inout ShownStructure) -> Void) {
    guard others.indices.contains(index) else { return }
    change(&others[index])
    version += 1
  }

  /// Puts the others away; the version goes on.
  mutating func clear(isFirstVisible: Bool = true) {
    let version = self.version
    self = StructureSet()
    self.isFirstVisible = isFirstVisible
    self.version = version + 1
  }
}
