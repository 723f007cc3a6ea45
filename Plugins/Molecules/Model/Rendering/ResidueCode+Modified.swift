extension ResidueCode {
  /// Returns the code of a residue: that of its name, or for a nucleotide else that of the base it was modified from.
  static func code(of row: Residue, in structure: Structure, byName code: UInt8) -> UInt8 {
    code == unknown && row.kind == .polymer ? self.code(ofModified: row, in: structure) : code
  }

  /// Returns the code of a nucleotide by the atoms of its base; 0 if it is not a nucleotide.
  ///
  /// A purine with N6 is an adenine, any other a guanine, which inosine resembles except for its N2. A pyrimidine with
  /// N4 is a cytosine, any other a uracil with a ribose and a thymine with a deoxyribose.
  private static func code(ofModified row: Residue, in structure: Structure) -> UInt8 {
    let names = Set(row.atoms.map { structure.names[structure.atoms.name[$0]] })
    guard names.contains("C1'") || names.contains("C1*") else { return unknown }
    let isRibose = names.contains("O2'") || names.contains("O2*")
    let codes = isRibose ? ribonucleotides : deoxyribonucleotides
    if names.contains("N9") { return codes[names.contains("N6") ? "A" : "G"] ?? unknown }
    guard names.contains("C6") else { return unknown }
    return codes[names.contains("N4") ? "C" : isRibose ? "U" : "T"] ?? unknown
  }
}
