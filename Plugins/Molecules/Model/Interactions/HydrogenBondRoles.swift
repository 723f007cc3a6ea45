/// The atoms that can be donors of hydrogen bonds, and those that can be acceptors.
struct HydrogenBondRoles {
  /// The role of an atom in hydrogen bonds.
  struct Role: OptionSet {
    let rawValue: UInt8
    static let donor = Role(rawValue: 1)
    static let acceptor = Role(rawValue: 2)
  }

  private var roles: [SIMD2<UInt32>: Role] = [:]
  private let structure: Structure

  init(_ structure: Structure) { self.structure = structure }

  /// Returns the role of an atom: by name in standard residues, else by element, with its own hydrogens where the file
  /// has them.
  ///
  /// Nitrogen and oxygen of ligands are both; carbon and other elements are neither.
  mutating func role(_ atom: Int) -> Role {
    let element = structure.atoms.element[atom]
    guard element == .nitrogen || element == .oxygen || element == .sulfur else { return [] }
    let residue = structure.residues[Int(structure.atoms.residue[atom])]
    let key = SIMD2(residue.name, structure.atoms.name[atom])
    if let known = roles[key] { return known }
    let role = Self.role(structure.names[structure.atoms.name[atom]], in: structure.names[residue.name], element)
    roles[key] = role
    return role
  }

  private static func role(_ atom: String, in residue: String, _ element: Element) -> Role {
    if let entry = ResidueCatalog.entry(residue) {
      switch entry.family {
      case .water: return [.donor, .acceptor]
      case .aminoAcid: return aminoAcidRole(atom, entry.template, element)
      case .ribonucleotide, .deoxyribonucleotide: return nucleotideRole(atom, entry.letter)
      }
    }
    return element == .sulfur ? .acceptor : [.donor, .acceptor]
  }

  private static func aminoAcidRole(_ atom: String, _ residue: String, _ element: Element) -> Role {
    if atom == "N" { return residue == "PRO" ? [] : .donor }
    if atom == "O" || atom == "OXT" { return .acceptor }
    let key = residue + " " + atom
    if bothNames.contains(key) { return [.donor, .acceptor] }
    if donorNames.contains(key) { return .donor }
    return element == .nitrogen ? .donor : .acceptor
  }

  private static let donorNames: Set<String> = [
    "ARG NE", "ARG NH1", "ARG NH2", "ASN ND2", "GLN NE2", "LYS NZ", "TRP NE1",
  ]
  private static let bothNames: Set<String> = [
    "SER OG", "THR OG1", "TYR OH", "HIS ND1", "HIS NE2", "CYS SG",
  ]

  /// Returns the role of an atom of a nucleotide: ring nitrogens without hydrogen accept, amino groups donate,
  /// hydroxyls do both.
  private static func nucleotideRole(_ atom: String, _ letter: Character) -> Role {
    switch atom {
    case "N6", "N4", "N2": return .donor
    case "N1": return letter == "G" || letter == "I" ? .donor : letter == "A" ? .acceptor : []
    case "N3": return letter == "U" || letter == "T" ? .donor : .acceptor
    case "N7": return .acceptor
    case "N9": return []
    case "O2'", "O2*": return [.donor, .acceptor]
    default: return .acceptor
    }
  }
}
