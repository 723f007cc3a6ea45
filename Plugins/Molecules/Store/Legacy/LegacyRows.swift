import PluginStore

/// The rows of one molecule in a database of the original application.
struct LegacyRows {
  private let molecule: Molecule
  private let structure: Structure
  private let id: Int

  init(_ molecule: Molecule, id: Int) {
    self.molecule = molecule
    structure = molecule.structure
    self.id = id
  }

  /// Inserts all rows; models count from 1.
  func insert(_ connection: PluginStore.Connection) throws {
    try insertMolecule(connection)
    for (type, text) in metadata where !text.isEmpty {
      try connection.execute(
        "INSERT INTO metadata (molecule, type, value) VALUES (?, ?, ?)", [id, type.rawValue, text])
    }
    for model in structure.models.indices {
      try insertAtoms(model, connection)
      try insertBonds(model, connection)
    }
  }

  /// Inserts the row of the molecule: counts, mean and box are those of the first model.
  private func insertMolecule(_ connection: PluginStore.Connection) throws {
    let (metadata, range) = (structure.metadata, structure.models.first?.atoms ?? 0..<0)
    var (sum, low, high) = (SIMD3<Double>(), SIMD3<Double>(), SIMD3<Double>())
    for atom in range {
      let position = structure.atoms.position(atom)
      sum += position
      (low, high) =
        atom == range.lowerBound ? (position, position) : (pointwiseMin(low, position), pointwiseMax(high, position))
    }
    let mean = range.isEmpty ? sum : sum / Double(range.count)
    let numbers = [mean, low, high].flatMap { [$0.x, $0.y, $0.z] as [(any SQLConvertible)?] }
    let texts: [(any SQLConvertible)?] = [
      id, molecule.file, metadata.title, metadata.compounds.first?.name ?? "", 0, range.count,
      molecule.bonds(ofModel: 0).count, structure.models.count,
    ]
    try connection.execute(
      """
      INSERT INTO molecules (id, filename, title, compound, format, atom_count, bond_count, structure_count,
        centerofmass_x, centerofmass_y, centerofmass_z, minimumposition_x, minimumposition_y, minimumposition_z,
        maximumposition_x, maximumposition_y, maximumposition_z)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, texts + numbers)
  }

  private var metadata: [(LegacyCodes.MetadataType, String)] {
    let (data, citation) = (structure.metadata, structure.metadata.citation)
    return [
      (.source, data.compounds.map(\.organism).first { !$0.isEmpty } ?? ""),
      (.author, data.authors.joined(separator: ",")),
      (.journalAuthor, citation.authors.joined(separator: ",")),
      (.journalTitle, citation.title),
      (.journalReference, citation.reference),
      (.sequence, sequenceLines.joined(separator: "\n")),
    ]
  }

  /// Lines of thirteen residue names, as in SEQRES.
  private var sequenceLines: [String] {
    structure.sequences.flatMap { sequence in
      stride(from: 0, to: sequence.residueNames.count, by: 13).map {
        sequence.residueNames[$0..<min($0 + 13, sequence.residueNames.count)].joined(separator: " ")
      }
    }
  }

  private func insertAtoms(_ model: Int, _ connection: PluginStore.Connection) throws {
    let atoms = structure.atoms
    for residue in structure.models[model].residues {
      let row = structure.residues[residue]
      let code = LegacyCodes.code(ofResidue: structure.names[row.name])
      for atom in row.atoms {
        try connection.execute(
          "INSERT INTO atoms (molecule, residue, structure, element, x, y, z) VALUES (?, ?, ?, ?, ?, ?, ?)",
          [
            id, code, model + 1, LegacyCodes.code(of: atoms.element[atom]), atoms.x[atom], atoms.y[atom], atoms.z[atom],
          ])
      }
    }
  }

  private func insertBonds(_ model: Int, _ connection: PluginStore.Connection) throws {
    for bond in molecule.bonds(ofModel: model) {
      let residue = structure.residues[Int(structure.atoms.residue[Int(bond.first)])]
      let ends = [bond.first, bond.second].flatMap { atom in
        let position = structure.atoms.position(Int(atom))
        return [position.x, position.y, position.z] as [(any SQLConvertible)?]
      }
      let codes: [(any SQLConvertible)?] = [
        id, LegacyCodes.code(ofResidue: structure.names[residue.name]), model + 1, LegacyCodes.code(of: bond.order),
      ]
      try connection.execute(
        """
        INSERT INTO bonds (molecule, residue, structure, bond_type, start_x, start_y, start_z, end_x, end_y, end_z)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, codes + ends)
    }
  }
}
