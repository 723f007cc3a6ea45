import PluginAPI

/// Tables of the parts of a molecule.
enum PartTables {
  /// Names of bond orders, by raw value.
  static let orderNames = ["unknown", "single", "double", "triple", "aromatic"]

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
      let step = structure.atoms.position(Int(bond.first)) - structure.atoms.position(Int(bond.second))
      return (step * step).sum().squareRoot()
    }
    return Table(columns: [
      .init("first", title: "Atom", .integers(bonds.map { Int($0.first) - start + 1 })),
      .init("firstName", title: "Name", .texts(bonds.map { label(Int($0.first), structure) })),
      .init("second", title: "Atom", .integers(bonds.map { Int($0.second) - start + 1 })),
      .init("secondName", title: "Name", .texts(bonds.map { label(Int($0.second), structure) })),
      .init("order", title: "Order", .texts(bonds.map { orderNames[Int($0.order.rawValue)] })),
      .init("origin", title: "Known from", .texts(bonds.map { $0.origin.name })),
      .init("length", title: "Length", unit: "angstrom", .numbers(lengths, .length)),
    ])
  }

  /// Returns the label of an atom: `A/CYS3/SG`, or `A/CYS3/SG@B` with its alternate location.
  static func label(_ atom: Int, _ structure: Structure) -> String {
    let residue = Int(structure.atoms.residue[atom])
    let address = structure.address(ofResidue: residue)
    let letter = structure.atoms.altloc[atom]
    return "\(address.chain)/\(address.name)\(address.numberText)/\(structure.atomName(atom))"
      + (letter == 0 ? "" : "@" + mark(letter))
  }

  /// Returns the chains of a model; with a selection only the selected parts of them.
  static func chains(of molecule: Molecule, model: Int, selection: AtomSelection? = nil) -> Table {
    let structure = molecule.structure
    let all = structure.models[model].chains.map { structure.chains[$0] }
    func residues(_ chain: Chain) -> [Int] {
      chain.residueRuns.joined().filter { selection?.intersects(structure.residues[$0].atoms) ?? true }
    }
    let chains = all.filter { selection == nil || !residues($0).isEmpty }
    func count(_ chain: Chain, _ kind: Residue.Kind) -> Int {
      residues(chain).count { structure.residues[$0].kind == kind }
    }
    let atoms = chains.map { chain in
      residues(chain).reduce(0) { sum, residue in
        let range = structure.residues[residue].atoms
        return sum + (selection?.count(in: range) ?? range.count)
      }
    }
    let compounds = chains.map { chain in
      structure.metadata.compounds.first { $0.chains.contains(chain.name) }?.name ?? ""
    }
    return Table(columns: [
      .init("chain", title: "Chain", .texts(chains.map(\.name))),
      .init("labels", title: "Labels", .texts(chains.map { $0.labels.joined(separator: " ") })),
      .init("residues", title: "Residues", .integers(chains.map { residues($0).count })),
      .init("polymerResidues", title: "Polymer", .integers(chains.map { count($0, .polymer) })),
      .init("ligands", title: "Ligands", .integers(chains.map { count($0, .ligand) })),
      .init("waters", title: "Waters", .integers(chains.map { count($0, .water) })),
      .init("atoms", title: "Atoms", .integers(atoms)),
      .init("compound", title: "Compound", .texts(compounds)),
    ])
  }

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
      .init("alternate", title: "Alt", .texts(range.map { mark(atoms.altloc[$0]) })),
      .init("residue", title: "Residue", .texts(residues.map { structure.names[$0.name] })),
      .init("chain", title: "Chain", .texts(residues.map { structure.chains[Int($0.chain)].name })),
      .init("number", title: "Number", .integers(residues.map { Int($0.number) })),
      .init("insertionCode", title: "Ins", .texts(residues.map { mark($0.insertionCode) })),
      .init("x", unit: "angstrom", .numbers(range.map { atoms.x[$0] }, .length)),
      .init("y", unit: "angstrom", .numbers(range.map { atoms.y[$0] }, .length)),
      .init("z", unit: "angstrom", .numbers(range.map { atoms.z[$0] }, .length)),
      .init("occupancy", title: "Occupancy", .numbers(range.map { shown(atoms.occupancy[$0]) }, decimals: 2)),
      .init("bFactor", title: "B", .numbers(range.map { shown(atoms.bFactor[$0]) }, decimals: 2)),
      .init("charge", title: "Charge", .integers(range.map { Int(atoms.charge[$0]) })),
      .init("hetero", title: "Hetero", .values(range.map { .bool(atoms.isHetero[$0]) })),
    ])
  }

  /// Returns a mark of one ASCII code as text, empty for none.
  private static func mark(_ code: UInt8) -> String { code == 0 ? "" : String(UnicodeScalar(code)) }

  /// Returns the shortest number that rounds to the same Float, so that 0.35 is not 0.3499999940395355.
  private static func shown(_ value: Float) -> Double { Double(value.description) ?? Double(value) }

  /// Returns the sequences of the polymers; with a selection the selected residues that have coordinates.
  static func sequences(of structure: Structure, selection: AtomSelection? = nil) -> Table {
    let sequences =
      selection.map { ChainSequence.selected($0, of: structure) } ?? ChainSequence.all(of: structure)
    return Table(columns: [
      .init("chain", title: "Chain", .texts(sequences.map(\.chain))),
      .init("length", title: "Length", .integers(sequences.map(\.count))),
      .init("origin", title: "Known from", .texts(sequences.map(\.origin.rawValue))),
      .init("letters", title: "Sequence", .texts(sequences.map(\.letters))),
    ])
  }
}
