/// Builds header metadata from the stored categories.
struct CIFMetadata {
  let tables: [String: CIFTable]
  /// The file of the tables; nil if it is binary.
  let file: UnsafeBufferPointer<UInt8>?

  /// Fills in metadata and sequences.
  func fill(_ structure: inout Structure, log: inout DiagnosticLog) {
    var metadata = StructureMetadata()
    metadata.entryID = text("_entry", "id")
    metadata.title = text("_struct", "title")
    metadata.classification = text("_struct_keywords", "pdbx_keywords")
    metadata.keywords = text("_struct_keywords", "text")
    metadata.depositionDate = text("_pdbx_database_status", "recvd_initial_deposition_date")
    metadata.method = method()
    metadata.authors = column("_audit_author", "name")
    metadata.compounds = compounds()
    metadata.citation = citation()
    readResolution(into: &metadata, log: &log)
    metadata.cell = cell()
    metadata.spaceGroup = text("_symmetry", "space_group_name_h-m")
    if metadata.spaceGroup.isEmpty, metadata.cell != nil { metadata.spaceGroup = text("_space_group", "name_h-m_alt") }
    metadata.symmetryOperators = column("_space_group_symop", "operation_xyz")
    if metadata.symmetryOperators.isEmpty { metadata.symmetryOperators = column("_symmetry_equiv", "pos_as_xyz") }
    metadata.chainsPerCell = tables["_cell"]?.integer(0, "z_pdb")
    structure.metadata = metadata
    structure.sequences = sequences()
  }

  private func text(_ category: String, _ item: String) -> String {
    (tables[category]?.text(0, item) ?? "").replacingLineEnds()
  }

  private func column(_ category: String, _ item: String) -> [String] {
    guard let table = tables[category] else { return [] }
    return (0..<table.rowCount).compactMap { table.text($0, item) }
  }

  /// Returns the methods of the entry; for a file of ModelCIF, which has none, that of EXPDTA for models.
  ///
  /// - Source: ModelCIF dictionary, category `_ma_model_list`.
  private func method() -> String {
    let methods = column("_exptl", "method")
    return methods.isEmpty && tables["_ma_model_list"] != nil ? "THEORETICAL MODEL" : methods.joined(separator: "; ")
  }

  /// Reads the resolution of the entry in Å: the best high limit of its refinements, else that of the reconstruction.
  ///
  /// A _refine row counts only with the key of its category, pdbx_refine_id; without it (old files, and refinement programs
  /// before deposition) it goes to `refinementResolution` alone, with a note.
  private func readResolution(into metadata: inout StructureMetadata, log: inout DiagnosticLog) {
    if let refine = tables["_refine"] {
      let limits = (0..<refine.rowCount).compactMap { refine.number($0, "ls_d_res_high") }.filter { $0 > 0 }
      metadata.refinementResolution = limits.min()
      if refine.has("pdbx_refine_id") {
        metadata.resolution = limits.min()
      } else if let limit = limits.min() {
        log.add(
          "cif-resolution-without-key", at: CIFContent.location(of: refine.offset(0, "ls_d_res_high"), in: file),
          severity: .note,
          "_refine.ls_d_res_high \(limit) has no pdbx_refine_id; it was read as a limit of the refinement only")
      }
    }
    if metadata.resolution == nil, let maps = tables["_em_3d_reconstruction"] {
      metadata.resolution = (0..<maps.rowCount).lazy.compactMap { maps.number($0, "resolution") }.first { $0 > 0 }
    }
  }

  /// Returns the cell; nil if absent or the 1 × 1 × 1 Å placeholder.
  private func cell() -> UnitCell? {
    guard let table = tables["_cell"], let a = table.number(0, "length_a"), let b = table.number(0, "length_b"),
      let c = table.number(0, "length_c"), a > 1 || b > 1 || c > 1
    else { return nil }
    return UnitCell(
      a: a, b: b, c: c, alpha: table.number(0, "angle_alpha") ?? 90, beta: table.number(0, "angle_beta") ?? 90,
      gamma: table.number(0, "angle_gamma") ?? 90)
  }

  private func citation() -> Citation {
    guard let table = tables["_citation"], table.rowCount > 0 else { return Citation() }
    let row = (0..<table.rowCount).first { table.text($0, "id") == "primary" } ?? 0
    let id = table.text(row, "id")
    var authors: [String] = []
    if let people = tables["_citation_author"] {
      for person in 0..<people.rowCount where people.text(person, "citation_id") == id {
        if let name = people.text(person, "name") { authors.append(name) }
      }
    }
    let pages = [table.text(row, "page_first"), table.text(row, "page_last")].compactMap { $0 }.joined(separator: "-")
    let parts = [
      table.text(row, "journal_abbrev"), table.text(row, "journal_volume"), pages.isEmpty ? nil : pages,
      table.text(row, "year"),
    ]
    return Citation(
      title: (table.text(row, "title") ?? "").replacingLineEnds(), authors: authors,
      reference: parts.compactMap { $0 }.joined(separator: " "),
      doi: table.text(row, "pdbx_database_id_doi") ?? "", pubMed: table.text(row, "pdbx_database_id_pubmed") ?? "")
  }

  private func compounds() -> [Compound] {
    guard let entities = tables["_entity"] else { return [] }
    let chains = chainsByEntity()
    let labels = labelsByEntity()
    let organisms = organismsByEntity()
    return (0..<entities.rowCount).map { row in
      let id = entities.text(row, "id") ?? ""
      var details: [Compound.Detail] = []
      for (item, token) in [
        ("type", "TYPE"), ("pdbx_ec", "EC"), ("pdbx_fragment", "FRAGMENT"), ("pdbx_mutation", "MUTATION"),
      ] {
        if let value = entities.text(row, item) { details.append(Compound.Detail(token: token, value: value)) }
      }
      return Compound(
        id: id, name: (entities.text(row, "pdbx_description") ?? "").replacingLineEnds(),
        chains: chains[id] ?? [], labels: labels[id] ?? [], organism: organisms[id] ?? "", details: details)
    }
  }

  private func organismsByEntity() -> [String: String] {
    var result: [String: String] = [:]
    let sources = [
      ("_entity_src_gen", "pdbx_gene_src_scientific_name"), ("_entity_src_nat", "pdbx_organism_scientific"),
      ("_pdbx_entity_src_syn", "organism_scientific"),
    ]
    for (category, item) in sources {
      guard let table = tables[category] else { continue }
      for row in 0..<table.rowCount {
        if let id = table.text(row, "entity_id"), let name = table.text(row, item) { result[id] = name }
      }
    }
    return result
  }

  private func labelsByEntity() -> [String: [String]] {
    var result: [String: [String]] = [:]
    guard let table = tables["_struct_asym"] else { return result }
    for row in 0..<table.rowCount {
      guard let entity = table.text(row, "entity_id"), let label = table.text(row, "id") else { continue }
      result[entity, default: []].append(label)
    }
    return result
  }

  private func chainsByEntity() -> [String: [String]] {
    var result: [String: [String]] = [:]
    guard let table = tables["_entity_poly"] else { return result }
    for row in 0..<table.rowCount {
      guard let id = table.text(row, "entity_id"), let chains = table.text(row, "pdbx_strand_id") else { continue }
      result[id] = chains.pieces(separatedBy: UInt8(ascii: ","))
    }
    return result
  }

  /// Returns sequences by entity; at a heterogeneous position the first residue is used.
  private func sequences() -> [PolymerSequence] {
    guard let table = tables["_entity_poly_seq"] else { return [] }
    let chains = chainsByEntity()
    let (ids, names, numbers) = (table.column("entity_id"), table.column("mon_id"), table.column("num"))
    var list: [PolymerSequence] = []
    // The previous row and its entity: text is created only if the entity changes.
    var last: Int?
    for row in 0..<table.rowCount {
      guard let name = table.text(row, at: names) else { continue }
      if let last, table.isSame(row, last, at: ids) {
        if numbers == nil || table.text(row, at: numbers) == nil || !table.isSame(row, last, at: numbers) {
          list[list.count - 1].residueNames.append(name)
        }
      } else {
        guard let id = table.text(row, at: ids) else { continue }
        list.append(PolymerSequence(id: id, chains: chains[id] ?? [], residueNames: [name]))
      }
      last = row
    }
    return list
  }
}
