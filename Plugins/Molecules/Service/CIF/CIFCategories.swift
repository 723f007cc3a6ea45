/// The categories whose rows the reader stores.
enum CIFCategories {
  static let kept: [UInt64: String] = Dictionary(uniqueKeysWithValues: names.map { (CIFName.hash($0), $0) })
  static let atoms = CIFName.hash("_atom_site")
  static let anisotropy = CIFName.hash("_atom_site_anisotrop")
  /// The tag of small-molecule files for fractional coordinates.
  static let fractionalAtoms = CIFName.hash("_atom_site_fract_x")

  private static let names = [
    "_entry", "_struct", "_struct_keywords", "_exptl", "_refine", "_em_3d_reconstruction", "_audit_author", "_citation",
    "_citation_author", "_pdbx_database_status", "_entity", "_entity_poly", "_entity_poly_seq", "_entity_src_gen",
    "_entity_src_nat", "_pdbx_entity_src_syn", "_struct_asym", "_struct_conf", "_struct_sheet_range",
    "_struct_sheet_order", "_struct_conn", "_chem_comp_bond", "_pdbx_struct_assembly", "_pdbx_struct_assembly_gen",
    "_pdbx_struct_oper_list", "_cell", "_symmetry", "_space_group", "_struct_ncs_oper", "_symmetry_equiv",
    "_space_group_symop", "_struct_mon_prot_cis", "_pdbx_struct_mod_residue", "_database_pdb_matrix",
  ]
}
