import Glibc

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
  private var entryID: String { structure.metadata.entryID }

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
    let number = labels.number(ofResidue: residue).map { "\($0)" } ?? "."
    let label = CIFTextWriter.quoted(part.label) + " " + CIFTextWriter.quoted(labels.entities.list[part.entity].id)
    let before = " \(name) \(label) \(number) \(code) "
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

// MARK: Metadata

extension MMCIFWriter {
  private mutating func writeHeader(_ metadata: StructureMetadata) {
    let id = entryID
    if !id.isEmpty { writer.category("_entry", ["id"], [[id]]) }
    if !metadata.title.isEmpty { writer.category("_struct", ["entry_id", "title"], [[id, metadata.title]]) }
    if !metadata.classification.isEmpty || !metadata.keywords.isEmpty {
      writer.category(
        "_struct_keywords", ["entry_id", "pdbx_keywords", "text"], [[id, metadata.classification, metadata.keywords]])
    }
    if !metadata.depositionDate.isEmpty {
      writer.category(
        "_pdbx_database_status", ["entry_id", "status_code", "recvd_initial_deposition_date"],
        [[id, "REL", metadata.depositionDate]])
    }
    let methods = metadata.method.pieces(separatedBy: UInt8(ascii: ";"))
    writer.category("_exptl", ["entry_id", "method"], methods.map { [id, $0] })
    writer.category(
      "_audit_author", ["name", "pdbx_ordinal"],
      metadata.authors.enumerated().map { [$0.element, "\($0.offset + 1)"] })
    writeCitation(metadata.citation)
    writeResolution(metadata, methods)
    writeCell(metadata)
  }

  private mutating func writeCitation(_ citation: Citation) {
    guard citation != Citation() else { return }
    writer.category(
      "_citation", ["id", "title", "journal_abbrev", "pdbx_database_id_DOI", "pdbx_database_id_PubMed"],
      [["primary", citation.title, citation.reference, citation.doi, citation.pubMed]])
    writer.category(
      "_citation_author", ["citation_id", "name", "ordinal"],
      citation.authors.enumerated().map { ["primary", $0.element, "\($0.offset + 1)"] })
  }

  /// Writes the resolution with the key of its category, and a resolution stated only by the refinement without the
  /// key.
  private mutating func writeResolution(_ metadata: StructureMetadata, _ methods: [String]) {
    if let resolution = metadata.resolution {
      let isMap =
        metadata.refinementResolution == nil && methods.contains { strstr($0.lowercased(), "microscopy") != nil }
      if isMap {
        writer.category(
          "_em_3d_reconstruction", ["entry_id", "id", "resolution"], [[entryID, "1", "\(resolution)"]])
      } else {
        writer.category(
          "_refine", ["entry_id", "pdbx_refine_id", "ls_d_res_high"],
          [[entryID, methods.first ?? "X-RAY DIFFRACTION", "\(resolution)"]])
      }
    } else if let limit = metadata.refinementResolution {
      writer.category("_refine", ["entry_id", "ls_d_res_high"], [[entryID, "\(limit)"]])
    }
  }

  private mutating func writeCell(_ metadata: StructureMetadata) {
    if let cell = metadata.cell {
      writer.category(
        "_cell",
        ["entry_id", "length_a", "length_b", "length_c", "angle_alpha", "angle_beta", "angle_gamma", "Z_PDB"],
        [
          [
            entryID, "\(cell.a)", "\(cell.b)", "\(cell.c)", "\(cell.alpha)", "\(cell.beta)", "\(cell.gamma)",
            metadata.chainsPerCell.map { "\($0)" },
          ]
        ])
    }
    if !metadata.spaceGroup.isEmpty {
      writer.category("_symmetry", ["entry_id", "space_group_name_H-M"], [[entryID, metadata.spaceGroup]])
    }
  }
}

// MARK: Entities

extension MMCIFWriter {
  /// Writes entities, their sequences and their parts.
  private mutating func writeEntities() {
    writeEntityList()
    writePolymers()
    writer.category(
      "_pdbx_entity_nonpoly", ["entity_id", "name", "comp_id"],
      labels.entities.list.filter { !$0.component.isEmpty }.map { [$0.id, $0.name, $0.component] })
    writer.category("_struct_asym", ["id", "entity_id"], labels.parts.map { [$0.label, entity(of: $0).id] })
    writeComponents()
    writePolymerScheme()
    writeNonPolymerScheme()
  }

  private func entity(of part: CIFLabels.Part) -> CIFEntities.Entity { labels.entities.list[part.entity] }

  private mutating func writeEntityList() {
    func detail(_ entity: CIFEntities.Entity, _ token: String) -> String? {
      entity.details.first { $0.token == token }?.value
    }
    let list = labels.entities.list
    writer.category(
      "_entity", ["id", "type", "pdbx_description", "pdbx_ec", "pdbx_fragment", "pdbx_mutation"],
      list.map {
        [$0.id, $0.type, $0.name, detail($0, "EC"), detail($0, "FRAGMENT"), detail($0, "MUTATION")]
      })
    writer.category(
      "_entity_src_nat", ["entity_id", "pdbx_src_id", "pdbx_organism_scientific"],
      list.filter { !$0.organism.isEmpty }.map { [$0.id, "1", $0.organism] })
  }

  private mutating func writePolymers() {
    let polymers = labels.entities.list.filter { !$0.chains.isEmpty }
    writer.category(
      "_entity_poly", ["entity_id", "type", "pdbx_strand_id"],
      polymers.map { [$0.id, polymerType($0.sequence), $0.chains.joined(separator: ",")] })
    let others = heterogeneousNames
    writer.category(
      "_entity_poly_seq", ["entity_id", "num", "mon_id", "hetero"],
      labels.entities.list.enumerated().flatMap { index, entity in
        entity.sequence.enumerated().flatMap { offset, name -> [[String?]] in
          let more = others[index]?[offset]?.filter { $0 != name } ?? []
          return ([name] + more).map { [entity.id, "\(offset + 1)", $0, more.isEmpty ? "n" : "y"] }
        }
      })
  }

  /// The residue names at positions of entities' sequences that have more than one, by entity and index.
  private var heterogeneousNames: [Int: [Int: [String]]] {
    var found: [Int: [Int: [String]]] = [:]
    for part in labels.parts {
      for (position, index) in zip(part.positions, part.indices) {
        let names = position.names.filter { $0 != labels.entities.list[part.entity].sequence[index] }
        if !names.isEmpty { found[part.entity, default: [:]][index, default: []] += names }
      }
    }
    return found.mapValues { places in places.mapValues { names in names.uniqued() } }
  }

  /// Returns the type of a polymer by the majority of its residues.
  private func polymerType(_ sequence: [String]) -> String {
    var counts: [ResidueCatalog.Family: Int] = [:]
    for name in sequence { if let family = ResidueCatalog.entry(name)?.family { counts[family, default: 0] += 1 } }
    switch counts.max(by: { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) })?.key {
    case .ribonucleotide?: return "polyribonucleotide"
    case .deoxyribonucleotide?: return "polydeoxyribonucleotide"
    case .aminoAcid?: return "polypeptide(L)"
    case .water?, nil: return "other"
    }
  }

  /// Writes the residue types and elements that occur.
  private mutating func writeComponents() {
    var names = structure.residues.map(\.name).uniqued().map { structure.names[$0] }
    names = (names + labels.entities.list.flatMap(\.sequence)).uniqued().sorted()
    writer.category("_chem_comp", ["id", "type"], names.map { [$0, Self.componentType($0)] })
    writer.category(
      "_atom_type", ["symbol"], structure.atoms.element.uniqued().map(\.symbol).sorted().map { [$0] })
  }

  private static func componentType(_ name: String) -> String {
    switch ResidueCatalog.entry(name)?.family {
    case .aminoAcid?: name == "GLY" ? "peptide linking" : "L-peptide linking"
    case .ribonucleotide?: "RNA linking"
    case .deoxyribonucleotide?: "DNA linking"
    case .water?, nil: "non-polymer"
    }
  }

  /// Writes every position of every polymer, with the author's numbers; numbers of positions without coordinates are
  /// extrapolated.
  private mutating func writePolymerScheme() {
    var rows: [[String?]] = []
    for part in labels.parts where part.kind == .polymer {
      let entity = entity(of: part)
      var next = 0
      for (index, name) in entity.sequence.enumerated() {
        while next + 1 < part.indices.count, part.indices[next] < index { next += 1 }
        let isThere = part.indices[next] == index
        let position = part.positions[next]
        let number = "\(Int(position.number) + (isThere ? 0 : index - part.indices[next]))"
        for shown in isThere ? position.names : [name] {
          rows.append([
            part.label, entity.id, shown, "\(index + 1)", "\(index + 1)", number, isThere ? number : nil,
            isThere ? shown : nil, isThere ? shown : nil, CIFSites.chain(part.chain),
            isThere ? CIFSites.code(position.insertionCode) ?? CIFTextWriter.inapplicable : CIFTextWriter.inapplicable,
            position.names.count > 1 && isThere ? "y" : "n",
          ])
        }
      }
    }
    writer.category(
      "_pdbx_poly_seq_scheme",
      [
        "asym_id", "entity_id", "mon_id", "seq_id", "ndb_seq_num", "pdb_seq_num", "auth_seq_num", "pdb_mon_id",
        "auth_mon_id", "pdb_strand_id", "pdb_ins_code", "hetero",
      ], rows)
  }

  private mutating func writeNonPolymerScheme() {
    var rows: [[String?]] = []
    for part in labels.parts where part.kind != .polymer {
      for (index, residue) in part.residues.enumerated() {
        let address = structure.address(ofResidue: residue)
        rows.append([
          part.label, entity(of: part).id, address.name, "\(index + 1)", "\(address.number)", "\(address.number)",
          address.name, address.name, CIFSites.chain(address.chain),
          CIFSites.code(address.insertionCode) ?? CIFTextWriter.inapplicable,
        ])
      }
    }
    writer.category(
      "_pdbx_nonpoly_scheme",
      [
        "asym_id", "entity_id", "mon_id", "ndb_seq_num", "pdb_seq_num", "auth_seq_num", "pdb_mon_id", "auth_mon_id",
        "pdb_strand_id", "pdb_ins_code",
      ], rows)
  }
}

extension Sequence where Element: Hashable {
  /// Returns the elements in order, each once.
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

// MARK: Assemblies

extension MMCIFWriter {
  /// Writes assemblies with each operator once, and the operators of non-crystallographic symmetry.
  private mutating func writeAssemblies() {
    writer.category(
      "_pdbx_struct_assembly", ["id", "details", "method_details", "oligomeric_details", "oligomeric_count"],
      structure.assemblies.map { [$0.id, $0.details, nil, $0.oligomericDetails, "\(polymerCount($0))"] })
    var operators: [Transform] = []
    var numbers: [Transform: Int] = [:]
    var rows: [[String?]] = []
    for assembly in structure.assemblies {
      for part in assembly.parts {
        for transform in part.operators where numbers[transform] == nil {
          operators.append(transform)
          numbers[transform] = operators.count
        }
        rows.append([
          assembly.id, Self.expression(part.operators.compactMap { numbers[$0] }),
          labels.labels(of: part, in: structure).joined(separator: ","),
        ])
      }
    }
    writer.category("_pdbx_struct_assembly_gen", ["assembly_id", "oper_expression", "asym_id_list"], rows)
    writer.category(
      "_pdbx_struct_oper_list", ["id", "type"] + Self.transformItems("matrix", "vector"),
      operators.enumerated().map { index, transform -> [String?] in
        ["\(index + 1)", transform == .identity ? "identity operation" : "point symmetry operation"]
          + Self.values(transform)
      })
    writeNonCrystallographicSymmetry()
  }

  /// Returns the number of polymers of an assembly, counting each copy.
  private func polymerCount(_ assembly: Assembly) -> Int {
    let polymers = Set(labels.parts.filter { $0.kind == .polymer }.map(\.label))
    return assembly.parts.reduce(0) { count, part in
      count + part.operators.count * labels.labels(of: part, in: structure).count(where: polymers.contains)
    }
  }

  /// Returns the numbers of operators with runs written as ranges: `1,3,5-60`.
  private static func expression(_ numbers: [Int]) -> String {
    var runs: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = runs.last, last.upperBound + 1 == number {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    let texts = runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
    return texts.count == 1 && runs[0].count == 1 ? texts[0] : "(" + texts.joined(separator: ",") + ")"
  }

  private mutating func writeNonCrystallographicSymmetry() {
    writer.category(
      "_struct_ncs_oper", ["id", "code"] + Self.transformItems("matrix", "vector"),
      structure.ncsOperators.enumerated().map { index, ncs -> [String?] in
        ["\(index + 1)", ncs.isGiven ? "given" : "generate"] + Self.values(ncs.transform)
      })
    if let frame = structure.metadata.depositedFrame {
      writer.category(
        "_database_PDB_matrix", ["entry_id"] + Self.transformItems("origx", "origx_vector"),
        [[entryID] + Self.values(frame)])
    }
  }

  private static func transformItems(_ matrix: String, _ vector: String) -> [String] {
    (1...3).flatMap { row in (1...3).map { "\(matrix)[\(row)][\($0)]" } + ["\(vector)[\(row)]"] }
  }

  private static func values(_ transform: Transform) -> [String?] {
    [transform.row0, transform.row1, transform.row2].enumerated().flatMap { row, vector -> [String?] in
      [vector.x, vector.y, vector.z, transform.translation[row]].map { "\($0)" }
    }
  }
}
