/// Writes molecules in mmCIF (PDBx) format, without loss: numbers are restored exactly.
///
/// It writes author names and, beside them, the label names of ``CIFLabels``: other programs find residues of
/// annotations, polymers and assemblies by their labels.
/// - Source: PDBx/mmCIF dictionary V5, https://mmcif.wwpdb.org/
struct MMCIFWriter {
  let molecule: Molecule
  let structure: Structure
  var writer = CIFTextWriter()
  let labels: CIFLabels

  /// Returns the bytes of a file.
  static func bytes(of molecule: Molecule) -> [UInt8] {
    var writer = MMCIFWriter(molecule)
    writer.write()
    return writer.writer.buffer.bytes
  }

  private init(_ molecule: Molecule) {
    self.molecule = molecule
    structure = molecule.structure
    labels = CIFLabels(molecule.structure, isFromPDB: molecule.format == "PDB")
  }

  /// The key of the entry; empty if the source has none.
  var entryID: String { structure.metadata.entryID }

  /// The numbers of the models: the file's, unless one is used twice.
  var modelNumbers: [Int] {
    let numbers = structure.models.map(\.number)
    return Set(numbers).count == numbers.count ? numbers : Array(1..<numbers.count + 1)
  }

  private mutating func write() {
    writer.begin(entryID)
    writeHeader(structure.metadata)
    writeEntities()
    writeAnnotations()
    writeBonds()
    writeAssemblies()
    writeAtoms()
    writeAnisotropy()
  }

  private static let atomItems = [
    "group_PDB", "id", "type_symbol", "label_atom_id", "label_alt_id", "label_comp_id", "label_asym_id",
    "label_entity_id", "label_seq_id", "pdbx_PDB_ins_code", "Cartn_x", "Cartn_y", "Cartn_z", "occupancy",
    "B_iso_or_equiv", "pdbx_formal_charge", "auth_seq_id", "auth_comp_id", "auth_asym_id", "auth_atom_id",
    "pdbx_PDB_model_num",
  ]

  private mutating func writeAtoms() {
    writer.loop("_atom_site", Self.atomItems)
    let names = structure.names.texts.map { CIFTextWriter.quoted($0) }
    for (number, model) in zip(modelNumbers, structure.models) {
      for residue in model.residues { writeResidue(residue, names, model: number) }
    }
    writer.buffer.add("#\n")
  }

  /// Writes the atoms of a residue; their common parts are formatted once.
  private mutating func writeResidue(_ residue: Int, _ names: [String], model: Int) {
    let atoms = structure.atoms
    let row = structure.residues[residue]
    let chain = structure.chains[Int(row.chain)].name
    let name = names[Int(row.name)]
    let author = CIFTextWriter.quoted(CIFSites.chain(chain))
    let code = row.insertionCode == 0 ? "?" : CIFTextWriter.quoted(String(UnicodeScalar(row.insertionCode)))
    let part = labels.part(ofResidue: residue)
    let place = labels.number(ofResidue: residue).map { "\($0)" } ?? "."
    let label = CIFTextWriter.quoted(part.label) + " " + CIFTextWriter.quoted(labels.entities.list[part.entity].id)
    let before = " \(name) \(label) \(place) \(code) "
    let after = " \(row.number) \(name) \(author) "
    for atom in row.atoms {
      writer.buffer.add(atoms.isHetero[atom] ? "HETATM " : "ATOM ")
      writer.buffer.add("\(atom + 1) ")
      writer.buffer.add(atoms.element[atom].symbol)
      writer.buffer.blanks(1)
      writer.buffer.add(names[Int(atoms.name[atom])])
      let altloc = atoms.altloc[atom]
      writer.buffer.add(altloc == 0 ? " ." : " " + CIFTextWriter.quoted(String(UnicodeScalar(altloc))))
      writer.buffer.add(before)
      for value in [atoms.x[atom], atoms.y[atom], atoms.z[atom]] {
        writer.buffer.add(DecimalText.exact(value, atLeast: 3))
        writer.buffer.blanks(1)
      }
      writer.buffer.add(DecimalText.exact(atoms.occupancy[atom], atLeast: 2))
      writer.buffer.blanks(1)
      writer.buffer.add(DecimalText.exact(atoms.bFactor[atom], atLeast: 2))
      writer.buffer.add(atoms.charge[atom] == 0 ? " ?" : " \(atoms.charge[atom])")
      writer.buffer.add(after)
      writer.buffer.add(names[Int(atoms.name[atom])])
      writer.buffer.add(" \(model)\n")
    }
  }

  private mutating func writeAnisotropy() {
    let items = ["id", "type_symbol", "U[1][1]", "U[2][2]", "U[3][3]", "U[1][2]", "U[1][3]", "U[2][3]"]
    writer.category(
      "_atom_site_anisotrop", items,
      structure.atoms.anisotropy.map { tensor in
        let values = [tensor.u11, tensor.u22, tensor.u33, tensor.u12, tensor.u13, tensor.u23]
        return ["\(tensor.atom + 1)", structure.atoms.element[Int(tensor.atom)].symbol]
          + values.map { DecimalText.exact($0, atLeast: 4) }
      })
  }
}
