import Glibc

extension MMCIFWriter {
  mutating func writeHeader(_ metadata: StructureMetadata) {
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
    let methods = metadata.method.pieces(separatedBy: 59)
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
