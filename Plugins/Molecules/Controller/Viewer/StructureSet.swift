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
  /// Its number among the added structures, from 1.
  fileprivate(set) var number = 0
  /// Its own color.
  fileprivate(set) var color = ColorTable.chainColor(0)

  /// The display name.
  var name: String {
    let code = molecule.structure.metadata.entryID
    return code.isEmpty ? molecule.displayTitle : code
  }
}

/// The molecules shown together with the active one.
struct StructureSet: Equatable, Sendable {
  private(set) var others: [ShownStructure] = []
  /// A Boolean value indicating whether the first molecule is visible.
  var isFirstVisible = true { didSet { version += 1 } }
  /// The version, which increases with every change; the scene is reused while it is unchanged.
  private(set) var version = 0
  private var added = 0
  /// The number of chains of the active molecule, which have the first colors.
  private var chainCount = 0

  var isEmpty: Bool { others.isEmpty }

  /// Adds a molecule in the next color.
  mutating func add(_ structure: ShownStructure) {
    added += 1
    version += 1
    var structure = structure
    structure.number = added
    structure.color = ColorTable.chainColor(chainCount + added - 1)
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

  /// Removes the other molecules, as another one is active; the version increases.
  mutating func begin(with molecule: Molecule, isVisible: Bool) {
    let version = self.version
    self = StructureSet()
    isFirstVisible = isVisible
    chainCount = molecule.counts.chains
    self.version = version + 1
  }
}

extension ShownStructure.Coloring {
  /// The display name.
  var title: String {
    switch self {
    case .single: "one color"
    case .scheme(let scheme): "by \(scheme.title)"
    }
  }
}

extension ShownStructure {
  /// The saved view for sessions.
  var view: Value {
    let rows = motion.map { motion in
      [motion.row0, motion.row1, motion.row2, motion.translation].flatMap { [$0.x, $0.y, $0.z] }
    }
    let color = if case .scheme(let scheme) = coloring { scheme.rawValue } else { "single" }
    return [
      "color": .text(color), "visible": .bool(isVisible),
      "motion": .list((rows ?? []).map(Value.number)),
    ]
  }

  /// Restores the view from a session.
  mutating func take(_ view: Value) {
    if let scheme = view["color"].text.flatMap(ColorScheme.init(rawValue:)) { coloring = .scheme(scheme) }
    isVisible = view["visible"].bool ?? true
    let numbers = (view["motion"].list ?? []).compactMap(\.number)
    if numbers.count == 12 {
      motion = Transform(
        rotation: .list((0..<3).map { .list(numbers[3 * $0..<3 * $0 + 3].map(Value.number)) }),
        translation: .list(numbers[9...].map(Value.number)))
    }
  }
}

extension Transform {
  /// Creates a transformation x' = R x + t from the rows of R and from t; nil if they are malformed.
  init?(rotation: Value, translation: Value) {
    let rows = (rotation.list ?? []).map { ($0.list ?? []).compactMap(\.number) }
    let shift = (translation.list ?? []).compactMap(\.number)
    guard rows.count == 3, rows.allSatisfy({ $0.count == 3 }), shift.count == 3,
      (rows.joined() + shift).allSatisfy(\.isFinite)
    else { return nil }
    func vector(_ row: [Double]) -> SIMD3<Double> { SIMD3(row[0], row[1], row[2]) }
    self.init(row0: vector(rows[0]), row1: vector(rows[1]), row2: vector(rows[2]), translation: vector(shift))
  }
}
