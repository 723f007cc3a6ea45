import PluginAPI

/// A molecule shown together with the active one.
struct ShownStructure: Equatable, Sendable {
  /// The coloring of a molecule.
  enum Coloring: Equatable, Sendable {
    /// By a color scheme.
    case scheme(ColorScheme)
    /// In a single color of its own.
    case single
  }

  var place: MoleculePlace
  var molecule: Molecule
  var coloring = Coloring.single
  var isVisible = true
  /// The transformation that superposes it on the first one; nil if it is not moved.
  var motion: Transform?
  /// The number of structures added before it, which determines its own color.
  var number = 0

  /// The display name.
  var name: String {
    let code = molecule.structure.metadata.entryID
    return code.isEmpty ? molecule.displayTitle : code
  }

  /// Its own color.
  var color: RGBColor { ColorTable.chainColor(number) }
}

/// The molecules shown together with the active one.
struct StructureSet: Equatable, Sendable {
  private(set) var others: [ShownStructure] = []
  /// A Boolean value indicating whether the first molecule is visible.
  var isFirstVisible = true { didSet { version += 1 } }
  /// The version, which increases with every change; the scene is reused while it is unchanged.
  private(set) var version = 0
  private var added = 0

  var isEmpty: Bool { others.isEmpty }

  /// Adds a molecule in the next color.
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

  /// Removes the other molecules; the version increases.
  mutating func clear(isFirstVisible: Bool = true) {
    let version = self.version
    self = StructureSet()
    self.isFirstVisible = isFirstVisible
    self.version = version + 1
  }
}
