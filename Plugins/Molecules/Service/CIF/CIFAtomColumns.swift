/// The columns of the _atom_site items in a row; -1 for missing items.
struct CIFAtomColumns {
  private(set) var group = -1
  private(set) var id = -1
  private(set) var element = -1
  private(set) var name = -1
  private(set) var altloc = -1
  private(set) var residueName = -1
  private(set) var chain = -1
  private(set) var number = -1
  private(set) var insertionCode = -1
  private(set) var x = -1
  private(set) var y = -1
  private(set) var z = -1
  private(set) var occupancy = -1
  private(set) var bFactor = -1
  private(set) var charge = -1
  private(set) var model = -1
  private(set) var labelChain = -1
  private(set) var labelNumber = -1
  private(set) var labelResidueName = -1

  /// Finds the items among those of a loop; author names take precedence over label names.
  ///
  /// - Parameter items: item names in lower case without the category, in the order of the loop.
  init(items: [String]) {
    func place(_ names: String...) -> Int {
      for name in names {
        if let found = items.firstIndex(of: name) { return found }
      }
      return -1
    }
    group = place("group_pdb")
    id = place("id")
    element = place("type_symbol")
    name = place("label_atom_id", "auth_atom_id")
    altloc = place("label_alt_id")
    residueName = place("auth_comp_id", "label_comp_id")
    chain = place("auth_asym_id", "label_asym_id")
    number = place("auth_seq_id", "label_seq_id")
    insertionCode = place("pdbx_pdb_ins_code")
    x = place("cartn_x")
    y = place("cartn_y")
    z = place("cartn_z")
    occupancy = place("occupancy")
    bFactor = place("b_iso_or_equiv")
    charge = place("pdbx_formal_charge")
    model = place("pdbx_pdb_model_num")
    labelChain = place("label_asym_id")
    labelNumber = place("label_seq_id")
    labelResidueName = place("label_comp_id")
  }

  /// A Boolean value indicating whether a row has a position.
  var hasPositions: Bool { x >= 0 && y >= 0 && z >= 0 }
}
