import PluginAPI

/// The drawing mode of a molecule; the first three raw values are those in the original application's database.
enum RenderMode: Int, CaseIterable, Sendable {
  case ballAndStick = 0
  case spacefilling = 1
  case cylinders = 2
  case sticks = 3
  case backbone = 4
  case cartoon = 5
  case surface = 6

  /// The name used on the command line and in settings.
  var name: String {
    switch self {
    case .ballAndStick: "ball-and-stick"
    case .spacefilling: "spacefilling"
    case .cylinders: "cylinders"
    case .sticks: "sticks"
    case .backbone: "backbone"
    case .cartoon: "cartoon"
    case .surface: "surface"
    }
  }

  /// Looks up a mode by its name.
  init?(name: String) {
    guard let mode = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = mode
  }

  /// Returns true if a molecule without a polymer is first shown as balls and sticks, provided that it has bonds.
  static func isSmall(atomCount: Int) -> Bool { atomCount < 600 }

  /// A Boolean value indicating whether the mode draws polymers as a whole, with other parts as atoms.
  var showsPolymers: Bool { self == .backbone || self == .cartoon || self == .surface }
}

extension RenderMode: ParameterValue {
  static var parameterKind: Parameter.Kind { .choice(allCases.map(\.name)) }
  var parameterValue: Value { .text(name) }

  init?(parameterValue value: Value) { self.init(name: value.text ?? "") }
}

/// The rule for the mode of a molecule until the user chooses one.
enum FirstPicture: String, CaseIterable, ParameterValue {
  /// Polymers as cartoons with ligands as sticks and without water; small molecules as balls and sticks.
  case standard
  /// The rule of the original application.
  case original

  /// The least number of residues of a chain; chains with fewer in one model are drawn as small molecules.
  private static let leastResidues = 4
  /// The least number of waters of a box; fewer are drawn with the molecule beside them.
  private static let leastWaters = 100

  /// Returns the mode of a model's first picture.
  ///
  /// - Parameters:
  ///   - model: The model, 0-based; one that does not exist has no polymer.
  ///   - selection: The atoms that are drawn; nil for all.
  ///   - atomCount: The number of atoms that are drawn.
  ///   - bondCount: The number of bonds between them.
  /// - Returns: Cartoon for polymers, and for a molecule in a box of water, which it hides.
  /// - Complexity: O(atoms), O(1) for most polymers.
  /// - Source: Without a polymer, and for `original`, Molecules 2.x, `SLSMolecule`: ball-and-stick for fewer than
  ///   600 atoms with any bond, else spacefilling.
  func mode(
    of structure: Structure, model: Int, selection: AtomSelection? = nil, atomCount: Int, bondCount: Int
  ) -> RenderMode {
    if self == .standard, structure.models.indices.contains(model),
      Self.hasPolymer(structure, model: model, selection) || Self.isInBox(structure, model: model, selection)
    {
      return .cartoon
    }
    return RenderMode.isSmall(atomCount: atomCount) && bondCount > 0 ? .ballAndStick : .spacefilling
  }

  /// Returns true if a chain has enough residues with a guide atom of a cartoon: an alpha carbon or a phosphorus.
  private static func hasPolymer(_ structure: Structure, model: Int, _ selection: AtomSelection?) -> Bool {
    let (alpha, phosphorus) = (structure.names.id(of: "CA"), structure.names.id(of: "P"))
    func isGuide(_ atom: Int) -> Bool {
      guard selection?[atom] ?? true else { return false }
      let (name, element) = (structure.atoms.name[atom], structure.atoms.element[atom])
      return name == alpha && element == .carbon || name == phosphorus && element == .phosphorus
    }
    for chain in structure.models[model].chains {
      let residues = structure.chains[chain].residueRuns.joined().lazy.filter { residue in
        structure.residues[residue].kind == .polymer && structure.residues[residue].atoms.contains(where: isGuide)
      }
      if residues.prefix(leastResidues).count == leastResidues { return true }
    }
    return false
  }

  /// Returns true if a molecule of several atoms is dissolved in a box of water.
  private static func isInBox(_ structure: Structure, model: Int, _ selection: AtomSelection?) -> Bool {
    var (waters, hasSolute) = (0, false)
    for residue in structure.models[model].chains.lazy.flatMap({ structure.chains[$0].residueRuns.joined() }) {
      let row = structure.residues[residue]
      guard selection?.intersects(row.atoms) ?? true else { continue }
      if row.kind == .water { waters += 1 } else if !structure.isOfOneAtom(row) { hasSolute = true }
    }
    return hasSolute && waters >= leastWaters
  }
}
