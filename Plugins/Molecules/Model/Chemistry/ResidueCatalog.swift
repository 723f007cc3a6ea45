/// The built-in residue names: standard monomers, their aliases and waters.
enum ResidueCatalog {
  /// The kind of a known residue.
  enum Family: UInt8, Equatable, Sendable {
    case aminoAcid, ribonucleotide, deoxyribonucleotide, water
  }

  /// One known residue name.
  struct Entry: Equatable, Sendable {
    var family: Family
    /// One-letter code in upper case; of a modified monomer, its parent's.
    var letter: Character
    /// The name of the monomer that provides its bonds (as `HIS` for `HSD`).
    var template: String
  }

  /// Returns the entry of a residue name, or nil for ligands and rare monomers.
  static func entry(_ name: String) -> Entry? { entries[name] }

  /// Returns true if the name denotes water.
  static func isWater(_ name: String) -> Bool { entries[name]?.family == .water }

  /// Returns true if the name denotes a standard or well-known amino acid or nucleotide.
  static func isMonomer(_ name: String) -> Bool {
    guard let entry = entries[name] else { return false }
    return entry.family != .water
  }

  private static let entries: [String: Entry] = {
    var table: [String: Entry] = [:]
    for line in aminoAcids + nucleotides {
      let words = line.split(separator: " ")
      guard words.count >= 3, let letter = words[1].first else { continue }
      let family: Family =
        switch words[0] {
        case "p": .aminoAcid
        case "r": .ribonucleotide
        default: .deoxyribonucleotide
        }
      for name in words[2...] {
        table[String(name)] = Entry(family: family, letter: letter, template: String(words[2]))
      }
    }
    for name in waters { table[name] = Entry(family: .water, letter: "O", template: "HOH") }
    return table
  }()

  /// Names of water in the wwPDB and in the files of common simulation programs.
  private static let waters = ["HOH", "DOD", "WAT", "H2O", "TIP3", "TIP4", "TIP5", "TIP", "TP3", "SOL", "SPC"]

  /// Family, letter, template name, aliases and protonation or linkage variants of the same heavy atoms.
  private static let aminoAcids = [
    "p A ALA", "p R ARG", "p N ASN", "p D ASP ASH", "p C CYS CYX CYM", "p Q GLN", "p E GLU GLH", "p G GLY",
    "p H HIS HID HIE HIP HSD HSE HSP", "p I ILE", "p L LEU", "p K LYS LYN", "p M MET", "p F PHE", "p P PRO",
    "p S SER", "p T THR", "p W TRP", "p Y TYR", "p V VAL", "p U SEC", "p O PYL", "p M MSE",
  ]
  /// The old names without D are ribonucleotides; files from before 2007 use them for DNA too.
  private static let nucleotides = [
    "r A A ADE RA", "r C C CYT RC", "r G G GUA RG", "r U U URA URI RU", "r I I", "d A DA", "d C DC", "d G DG",
    "d T DT T THY", "d U DU", "d I DI",
  ]
}
