extension MMCIFWriter {
  /// Writes entities, their sequences and their parts.
  mutating func writeEntities() {
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
        entity.sequence.enumerated().flatMap { place, name -> [[String?]] in
          let more = others[index]?[place]?.filter { $0 != name } ?? []
          return ([name] + more).map { [entity.id, "\(place + 1)", $0, more.isEmpty ? "n" : "y"] }
        }
      })
  }

  /// The residue names at positions of entities' sequences that have more than one, by entity and index.
  private var heterogeneousNames: [Int: [Int: [String]]] {
    var found: [Int: [Int: [String]]] = [:]
    for part in labels.parts {
      for (position, place) in zip(part.positions, part.places) {
        let names = position.names.filter { $0 != labels.entities.list[part.entity].sequence[place] }
        if !names.isEmpty { found[part.entity, default: [:]][place, default: []] += names }
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
      for (place, name) in entity.sequence.enumerated() {
        while next + 1 < part.places.count, part.places[next] < place { next += 1 }
        let isThere = part.places[next] == place
        let position = part.positions[next]
        let number = "\(Int(position.number) + (isThere ? 0 : place - part.places[next]))"
        for shown in isThere ? position.names : [name] {
          rows.append([
            part.label, entity.id, shown, "\(place + 1)", "\(place + 1)", number, isThere ? number : nil,
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
