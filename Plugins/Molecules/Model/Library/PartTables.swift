import PluginAPI

/// The tables with a row per atom or bond of a molecule, built by column: models would create a value per row.
enum PartTables {
  /// Names of bond orders, by raw value.
  private static let orderNames = ["unknown", "single", "double", "triple", "aromatic"]

  /// The columns of bonds.
  static let bondFields: [ValueSchema.Field] = [
    .init("first", .integer, "Index of the first atom in the model, from 1"),
    .init("firstName", .text, "Chain, residue and name of the first atom, such as A/CYS3/SG"),
    .init("second", .integer, "Index of the second atom in the model, from 1"),
    .init("secondName", .text, "Chain, residue and name of the second atom"),
    .init("order", .choice(orderNames), "Bond order"),
    .init("origin", .choice(BondOrigin.allCases.map(\.name)), "Evidence for the bond"),
    .init("length", .number, "Distance in angstrom"),
  ]

  /// Returns the bonds of a model, atoms counted from 1 within it.
  ///
  /// - Parameters:
  ///   - model: model index, 0-based.
  ///   - selection: the atoms that both ends of a bond must belong to; nil for all.
  static func bonds(of molecule: Molecule, model: Int, selection: AtomSelection? = nil) -> Table {
    let structure = molecule.structure
    let all = molecule.bonds(ofModel: model)
    let bonds = selection.map { kept in all.filter { kept[Int($0.first)] && kept[Int($0.second)] } } ?? all
    let start = structure.models[model].atoms.lowerBound
    let lengths = bonds.map { bond in
      (structure.atoms.position(Int(bond.first)) - structure.atoms.position(Int(bond.second))).length
    }
    return Table(columns: [
      .init("first", title: "Atom", .integers(bonds.map { Int($0.first) - start + 1 })),
      .init("firstName", title: "Name", .texts(bonds.map { structure.label(ofAtom: Int($0.first)) })),
      .init("second", title: "Atom", .integers(bonds.map { Int($0.second) - start + 1 })),
      .init("secondName", title: "Name", .texts(bonds.map { structure.label(ofAtom: Int($0.second)) })),
      .init("order", title: "Order", .texts(bonds.map { orderNames[Int($0.order.rawValue)] })),
      .init("origin", title: "Source", .texts(bonds.map { $0.origin.name })),
      .init("length", title: "Length", unit: "angstrom", .numbers(lengths, .length)),
    ])
  }

  /// The columns of atoms.
  static let atomFields: [ValueSchema.Field] = [
    .init("atom", .integer, "Index in the model, from 1"),
    .init("serial", .optional(.integer), "Serial number in the file"),
    .init("name", .text, "Atom name"),
    .init("element", .text, "Element symbol; X if unknown"),
    .init("alternate", .text, "Letter of the alternate location; empty if there is none"),
    .init("residue", .text, "Residue name"),
    .init("chain", .text, "Author name of the chain"),
    .init("number", .integer, "Author residue number"),
    .init("insertionCode", .text, "Insertion code"),
    .init("x", .number, "Coordinate x in angstrom"),
    .init("y", .number, "Coordinate y in angstrom"),
    .init("z", .number, "Coordinate z in angstrom"),
    .init("occupancy", .number, "occupancy"),
    .init("bFactor", .number, "Isotropic B factor in square angstrom"),
    .init("charge", .integer, "Formal charge"),
    .init("hetero", .bool, "True for HETATM records"),
  ]

  /// Returns the atoms of a model, or those of a selection, counted from 1 within the model.
  static func atoms(of molecule: Molecule, model: Int, selection: AtomSelection? = nil) -> Table {
    let structure = molecule.structure
    let (atoms, all) = (structure.atoms, structure.models[model].atoms)
    let range = selection.map { kept in all.filter { kept[$0] } } ?? Array(all)
    let residues = range.map { structure.residues[Int(atoms.residue[$0])] }
    let serials = range.map {
      atoms.serial[$0] == AtomTable.missingSerial ? Value.null : .integer(Int(atoms.serial[$0]))
    }
    return Table(columns: [
      .init("atom", title: "Atom", .integers(range.map { $0 - all.lowerBound + 1 })),
      .init("serial", title: "Serial", .values(serials)),
      .init("name", title: "Name", .texts(range.map { structure.atomName($0) })),
      .init("element", title: "Element", .texts(range.map { atoms.element[$0].symbol })),
      .init("alternate", title: "Alt", .texts(range.map { atoms.altloc[$0].mark })),
      .init("residue", title: "Residue", .texts(residues.map { structure.names[$0.name] })),
      .init("chain", title: "Chain", .texts(residues.map { structure.chains[Int($0.chain)].name })),
      .init("number", title: "Number", .integers(residues.map { Int($0.number) })),
      .init("insertionCode", title: "Ins", .texts(residues.map { $0.insertionCode.mark })),
      .init("x", unit: "angstrom", .numbers(range.map { atoms.x[$0] }, .length)),
      .init("y", unit: "angstrom", .numbers(range.map { atoms.y[$0] }, .length)),
      .init("z", unit: "angstrom", .numbers(range.map { atoms.z[$0] }, .length)),
      .init("occupancy", title: "Occupancy", .numbers(range.map { shown(atoms.occupancy[$0]) }, decimals: 2)),
      .init("bFactor", title: "B", .numbers(range.map { shown(atoms.bFactor[$0]) }, decimals: 2)),
      .init("charge", title: "Charge", .integers(range.map { Int(atoms.charge[$0]) })),
      .init("hetero", title: "Hetero", .values(range.map { .bool(atoms.isHetero[$0]) })),
    ])
  }

  /// Returns the shortest number that rounds to the same Float, so that 0.35 is not 0.3499999940395355.
  private static func shown(_ value: Float) -> Double { Double(value.description) ?? Double(value) }
}

/// The parts of a chain of one model, counted.
struct ChainSummary: Model {
  /// The author name.
  var name: String
  /// The label names of its parts; empty for PDB files.
  var labels: [String]
  /// The name of its compound; empty if the file states none.
  var compound: String
  var residues = 0
  var polymerResidues = 0
  var ligands = 0
  var waters = 0
  var atoms = 0

  static let typeName = "molecules.chain"
  static let fields = Fields<ChainSummary> {
    Field("chain", \.name, "Author name", heading: "Chain")
    Field(
      "labels", { $0.labels.joined(separator: " ") }, "Label names of its parts; empty for PDB files",
      heading: "Labels")
    Field("residues", \.residues, "Number of residues, including waters and ligands", heading: "Residues")
    Field("polymerResidues", \.polymerResidues, "Number of polymer residues", heading: "Polymer")
    Field("ligands", \.ligands, "Number of other residues, without water", heading: "Ligands")
    Field("waters", \.waters, "Number of waters", heading: "Waters")
    Field("atoms", \.atoms, "Number of atoms", heading: "Atoms")
    Field("compound", \.compound, "Compound; empty if the file states none", heading: "Compound")
  }

  /// Returns the chains of a model; with a selection only the selected parts of them.
  ///
  /// - Complexity: linear in the residues.
  static func all(of structure: Structure, model: Int, selection: AtomSelection? = nil) -> [ChainSummary] {
    structure.models[model].chains.compactMap { index in
      let chain = ChainSummary(structure.chains[index], of: structure, selection)
      return selection == nil || chain.residues > 0 ? chain : nil
    }
  }

  private init(_ chain: Chain, of structure: Structure, _ selection: AtomSelection?) {
    name = chain.name
    labels = chain.labels
    compound = structure.metadata.compounds.first { $0.chains.contains(chain.name) }?.name ?? ""
    for index in chain.residueRuns.joined() {
      let residue = structure.residues[index]
      guard selection?.intersects(residue.atoms) ?? true else { continue }
      residues += 1
      atoms += selection?.count(in: residue.atoms) ?? residue.atoms.count
      switch residue.kind {
      case .polymer: polymerResidues += 1
      case .ligand: ligands += 1
      case .water: waters += 1
      }
    }
  }
}
