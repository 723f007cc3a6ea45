/// Which atoms can give a hydrogen to a hydrogen bond, and which can take one.
struct HydrogenBondRoles {
  /// What an atom can do.
  struct Role: OptionSet {
    let rawValue: UInt8
    static let donor = Role(rawValue: 1)
    static let acceptor = Role(rawValue: 2)
  }

  private var roles: [SIMD2<UInt32>: Role] = [:]
  private let structure: Structure

  init(_ structure: Structure) { self.structure = structure }

  /// The role of an atom: by name in standard residues, else by element, with its own hydrogens where the file has them.
  ///
  /// Nitrogen and oxygen of ligands can do both; carbon and the others nothing.
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

  /// Ring nitrogens without hydrogen take, amino groups give, hydroxyls do both.
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
