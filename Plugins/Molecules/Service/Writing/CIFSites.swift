/// Identifies residues and atoms of annotations by their author and label items.
struct CIFSites {
  private let structure: Structure
  private let labels: CIFLabels
  private let residues: [ResidueAddress: Int]

  /// Creates the identification for a structure and its labels.
  ///
  /// - Complexity: linear in the residues of the first model.
  init(_ structure: Structure, _ labels: CIFLabels) {
    self.structure = structure
    self.labels = labels
    residues = Dictionary(
      structure.models[0].residues.map { (structure.address(ofResidue: $0), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  // MARK: Residues

  /// Returns the items that identify a residue, in the order of the values of ``residue(_:)``.
  static func residueItems(prefix: String = "", suffix: String = "", code: String) -> [String] {
    ["label_asym_id", "label_comp_id", "label_seq_id", "auth_asym_id", "auth_comp_id", "auth_seq_id"]
      .map { prefix + $0 + suffix } + [code]
  }

  /// Returns the values that identify a residue; labels are unknown if the coordinates lack it.
  func residue(_ address: ResidueAddress) -> [String?] {
    let index = residues[address] ?? structure.residue(at: address)
    let part = index.map { labels.part(ofResidue: $0) }
    let number = index.map { residue in labels.number(ofResidue: residue).map { "\($0)" } ?? CIFTextWriter.inapplicable
    }
    let name = address.name.isEmpty ? index.map { structure.residueName($0) } : address.name
    return [
      part?.label, name, number, Self.chain(address.chain), name, "\(address.number)", Self.code(address.insertionCode),
    ]
  }

  /// Returns the author name of a chain as a value, which is explicit even if empty, so that readers do not use the
  /// label instead.
  static func chain(_ name: String) -> String { name.isEmpty ? CIFTextWriter.empty : name }

  /// Returns the letter of an insertion code or an alternate location; nil if there is none.
  static func code(_ code: UInt8) -> String? { code == 0 ? nil : String(UnicodeScalar(code)) }

  // MARK: Ranges

  static let rangeItems = ["beg", "end"].flatMap { end in
    residueItems(prefix: end + "_", code: "pdbx_\(end)_PDB_ins_code")
  }

  func range(_ first: ResidueAddress, _ last: ResidueAddress) -> [String?] { residue(first) + residue(last) }

  // MARK: Links

  /// Returns the items that identify an end of a link, in the order of the values of ``end(_:)``.
  static func endItems(_ number: Int) -> [String] {
    ["ptnr\(number)_label_atom_id"] + residueItems(prefix: "ptnr\(number)_", code: "pdbx_ptnr\(number)_PDB_ins_code")
      + ["pdbx_ptnr\(number)_label_alt_id", "ptnr\(number)_symmetry"]
  }

  func end(_ end: ConnectionEnd) -> [String?] {
    [end.atomName] + residue(end.residue) + [Self.code(end.altloc), end.symmetry]
  }

  /// Returns the length of a link within one copy of the asymmetric unit, in Å; nil if an atom is missing.
  func distance(_ connection: Connection) -> Double? {
    guard connection.isWithinUnit, let first = atom(connection.first), let second = atom(connection.second) else {
      return nil
    }
    let step = structure.atoms.position(second) - structure.atoms.position(first)
    return (step * step).sum().squareRoot()
  }

  private func atom(_ end: ConnectionEnd) -> Int? {
    guard let residue = residues[end.residue] else { return nil }
    return structure.residues[residue].atoms.first {
      structure.atoms.altloc[$0] == end.altloc && structure.atomName($0) == end.atomName
    }
  }
}
