extension MMCIFWriter {
  /// Writes secondary structure, stated links, cis peptides and modified residues.
  mutating func writeAnnotations() {
    let sites = CIFSites(structure, labels)
    writeHelices(sites)
    writeSheets(sites)
    writeConnections(sites)
    writeCisPeptides(sites)
    writeModifiedResidues(sites)
  }

  private mutating func writeHelices(_ sites: CIFSites) {
    guard !structure.helices.isEmpty else { return }
    writer.category("_struct_conf_type", ["id"], [["HELX_P"]])
    writer.category(
      "_struct_conf",
      ["conf_type_id", "id", "pdbx_PDB_helix_id"] + CIFSites.rangeItems + [
        "pdbx_PDB_helix_class", "pdbx_PDB_helix_length",
      ],
      structure.helices.enumerated().map { index, helix -> [String?] in
        ["HELX_P", "HELX_P\(index + 1)", helix.id] + sites.range(helix.first, helix.last)
          + ["\(helix.helixClass)", helix.length > 0 ? "\(helix.length)" : nil]
      })
  }

  private mutating func writeSheets(_ sites: CIFSites) {
    writer.category(
      "_struct_sheet", ["id", "number_strands"], structure.sheets.map { [$0.id, "\($0.strands.count)"] })
    writer.category(
      "_struct_sheet_range", ["sheet_id", "id"] + CIFSites.rangeItems,
      structure.sheets.flatMap { sheet in
        sheet.strands.map { strand -> [String?] in [sheet.id, strand.id] + sites.range(strand.first, strand.last) }
      })
    writer.category(
      "_struct_sheet_order", ["sheet_id", "range_id_1", "range_id_2", "sense"],
      structure.sheets.flatMap { sheet in
        zip(sheet.strands, sheet.strands.dropFirst()).compactMap { before, strand -> [String?]? in
          strand.sense == 0 ? nil : [sheet.id, before.id, strand.id, strand.sense < 0 ? "anti-parallel" : "parallel"]
        }
      })
  }

  private mutating func writeConnections(_ sites: CIFSites) {
    let connections = structure.connections + contacts()
    let orders: [UInt8: String] = [1: "sing", 2: "doub", 3: "trip", 4: "arom"]
    var kinds: [String] = []
    let rows = connections.enumerated().map { index, connection -> [String?] in
      let kind = Self.kind(connection.kind)
      if !kinds.contains(kind) { kinds.append(kind) }
      return ["\(kind)\(index + 1)", kind] + sites.end(connection.first) + sites.end(connection.second)
        + [sites.distance(connection).map { DecimalText.fixed($0, 3) }, orders[connection.order]]
    }
    writer.category("_struct_conn_type", ["id"], kinds.map { [$0] })
    writer.category(
      "_struct_conn",
      ["id", "conn_type_id"] + CIFSites.endItems(1) + CIFSites.endItems(2) + ["pdbx_dist_value", "pdbx_value_order"],
      rows)
  }

  private static func kind(_ kind: Connection.Kind) -> String {
    switch kind {
    case .covalent: "covale"
    case .disulfide: "disulf"
    case .metal: "metalc"
    case .hydrogenBond: "hydrog"
    case .unknown: "mismat"
    }
  }

  /// Returns bonds stated by atom numbers (CONECT) and not implied by residue types, as links by name.
  private func contacts() -> [Connection] {
    let atoms = structure.atoms
    func end(_ atom: Int) -> ConnectionEnd {
      ConnectionEnd(
        residue: structure.address(ofResidue: Int(atoms.residue[atom])), atomName: structure.atomName(atom),
        altloc: atoms.altloc[atom], symmetry: "1_555")
    }
    let types = statedTypes
    return molecule.bonds(ofModel: 0).compactMap { bond in
      let (first, second) = (Int(bond.first), Int(bond.second))
      guard bond.origin == .conect else { return nil }
      let residue = Int(atoms.residue[first])
      if residue == Int(atoms.residue[second]), types.contains(structure.residues[residue].name) { return nil }
      guard hasNameOfItsOwn(first), hasNameOfItsOwn(second) else { return nil }
      return Connection(
        kind: touchesMetal(bond) ? .metal : .covalent, first: end(first), second: end(second),
        order: bond.order.rawValue)
    }
  }

  /// Returns true if no other atom of the residue has the atom's name and alternate location.
  func hasNameOfItsOwn(_ atom: Int) -> Bool {
    let atoms = structure.atoms
    return structure.residues[Int(atoms.residue[atom])].atoms.allSatisfy {
      $0 == atom || atoms.name[$0] != atoms.name[atom] || atoms.altloc[$0] != atoms.altloc[atom]
    }
  }

  private mutating func writeCisPeptides(_ sites: CIFSites) {
    let numbers = modelNumbers
    writer.category(
      "_struct_mon_prot_cis",
      ["pdbx_id", "label_alt_id"] + CIFSites.residueItems(code: "pdbx_PDB_ins_code")
        + CIFSites.residueItems(prefix: "pdbx_", suffix: "_2", code: "pdbx_PDB_ins_code_2")
        + ["pdbx_PDB_model_num", "pdbx_omega_angle"],
      structure.cisPeptides.enumerated().map { index, bond -> [String?] in
        let model = structure.models.firstIndex { $0.number == bond.model } ?? 0
        return ["\(index + 1)", CIFSites.code(bond.altloc) ?? CIFTextWriter.inapplicable] + sites.residue(bond.first)
          + sites.residue(bond.second) + ["\(numbers[model])", bond.omega.map { DecimalText.fixed($0, 2) }]
      })
  }

  private mutating func writeModifiedResidues(_ sites: CIFSites) {
    writer.category(
      "_pdbx_struct_mod_residue",
      ["id"] + CIFSites.residueItems(code: "PDB_ins_code") + ["parent_comp_id", "details"],
      structure.modifiedResidues.enumerated().map { index, row -> [String?] in
        ["\(index + 1)"] + sites.residue(row.residue) + [row.parent, row.details]
      })
  }
}
