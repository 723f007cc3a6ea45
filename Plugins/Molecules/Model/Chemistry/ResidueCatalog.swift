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

/// Names of monatomic ions, whose element cannot be inferred from the atom name alone.
///
/// The atom `CA` of a residue `CA` is calcium, and that of an amino acid is a carbon.
enum MonatomicIon {
  /// Returns the element of the ion named by a residue; nil for other residues.
  static func element(ofResidue name: String) -> Element? { elements[core(name)] }

  /// Returns the element of an atom; nil unless its residue is an ion and the atom has the name of the ion or its symbol.
  static func element(ofAtom atom: String, inResidue residue: String) -> Element? {
    guard let element = element(ofResidue: residue) else { return nil }
    let name = core(atom)
    return name == core(residue) || name == element.symbol.uppercased() ? element : nil
  }

  /// Returns the letters of a name in capitals, without a trailing charge: `NA+`, `Cl-`, `ZN2`.
  private static func core(_ name: String) -> String {
    String(decoding: name.uppercased().utf8.prefix { $0 >= 65 && $0 <= 90 }, as: UTF8.self)
  }

  /// Elements by the letters of residue names.
  ///
  /// - Source: the chemical component dictionary of the wwPDB; ions of the force fields of GROMACS and AMBER; ions of the
  ///   CHARMM force fields (toppar_water_ions.str), which have names of three letters.
  private static let elements: [String: Element] = {
    let symbols = [
      "LI", "NA", "K", "RB", "CS", "MG", "CA", "SR", "BA", "MN", "FE", "CO", "NI", "CU", "ZN", "AG", "CD", "HG", "AL",
      "PB", "CL", "BR",
    ]
    let others = [
      "LIT": "LI", "SOD": "NA", "POT": "K", "RUB": "RB", "CES": "CS", "CAL": "CA", "BAR": "BA", "CAD": "CD",
      "CLA": "CL",
      "BRO": "BR", "IOD": "I",
    ]
    let pairs = symbols.map { ($0, $0) } + others.map { ($0.key, $0.value) }
    return Dictionary(pairs.compactMap { name, symbol in Element(symbol: symbol).map { (name, $0) } }) { first, _ in
      first
    }
  }()
}

/// Distinguishes polymer residues from ligands and waters.
enum ResidueKinds {
  /// Sets the kind of every residue of a structure.
  ///
  /// Waters and monatomic ions are recognized by name. A residue belongs to a polymer if the stated sequence of its
  /// chain has its name and it is in the chain's first part; without a sequence, if it is a known monomer. An ATOM
  /// residue also belongs to one if it has backbone atoms, as simulation programs write lipids as ATOM. Statements of
  /// the file about each residue (mmCIF) take precedence over all that except water's name.
  /// - Complexity: Linear in the atoms.
  static func assign(to structure: inout Structure, polymerResidues: [Bool]?) {
    var facts = NameFacts(structure.names)
    var sequenceNames = SequenceNames(structure)
    for residue in structure.residues.indices {
      let row = structure.residues[residue]
      if facts.isWater(row.name) {
        structure.residues[residue].kind = .water
        continue
      }
      if let stated = polymerResidues {
        structure.residues[residue].kind = stated[residue] ? .polymer : .ligand
        continue
      }
      if facts.isIon(row.name), structure.isOfOneAtom(row) {
        structure.residues[residue].kind = .ligand
        continue
      }
      let isHetero = structure.atoms.isHetero[Int(row.firstAtom)]
      let isMonomer = facts.isMonomer(row.name)
      let isPolymer: Bool
      if !isHetero {
        isPolymer =
          isMonomer || hasBackbone(row, structure)
          || sequenceNames.names(ofChain: structure.chains[Int(row.chain)].name)?.contains(row.name) ?? false
      } else if let sequence = sequenceNames.names(ofChain: structure.chains[Int(row.chain)].name) {
        let runs = structure.chains[Int(row.chain)].residueRuns
        isPolymer = sequence.contains(row.name) && (runs.first?.contains(residue) ?? false)
      } else {
        isPolymer = isMonomer && structure.sequences.isEmpty
      }
      structure.residues[residue].kind = isPolymer ? .polymer : .ligand
    }
  }

  /// Returns true if a residue has atoms of a backbone: CA and C, C4', or a lone CA or P.
  ///
  /// Some lipids have an atom CA too.
  private static func hasBackbone(_ row: Residue, _ structure: Structure) -> Bool {
    let names = Set(row.atoms.map { structure.atomName($0) })
    if row.atoms.count == 1 { return names == ["CA"] || names == ["P"] }
    return names.isSuperset(of: ["CA", "C"]) || !names.isDisjoint(with: ["C4'", "C4*"])
  }

  /// The residue names in the stated sequences of chains, looked up on demand: few chains have a residue that needs the
  /// sequence.
  private struct SequenceNames {
    private let sequences: [PolymerSequence]
    private let names: NameTable
    /// The indices of a chain's sequences.
    private lazy var indices = indicesByChain()
    private var known: [String: Set<NameID>] = [:]

    init(_ structure: Structure) {
      sequences = structure.sequences
      names = structure.names
    }

    /// Returns the names in the sequence of a chain; nil if none is stated.
    mutating func names(ofChain chain: String) -> Set<NameID>? {
      if let found = known[chain] { return found }
      guard let stated = indices[chain] else { return nil }
      var found: Set<NameID> = []
      for index in stated {
        for name in sequences[index].residueNames {
          if let id = names.id(of: name) { found.insert(id) }
        }
      }
      known[chain] = found
      return found
    }

    private func indicesByChain() -> [String: [Int]] {
      var indices: [String: [Int]] = [:]
      for (index, sequence) in sequences.enumerated() {
        for chain in sequence.chains { indices[chain, default: []].append(index) }
      }
      return indices
    }
  }

  /// The catalog's facts about the names of a table, looked up on demand.
  private struct NameFacts {
    private var facts: [UInt8]
    private let names: NameTable

    init(_ names: NameTable) {
      self.names = names
      facts = [UInt8](repeating: 255, count: names.count)
    }

    mutating func isWater(_ name: NameID) -> Bool { fact(name) & 1 != 0 }
    mutating func isMonomer(_ name: NameID) -> Bool { fact(name) & 2 != 0 }
    mutating func isIon(_ name: NameID) -> Bool { fact(name) & 4 != 0 }

    private mutating func fact(_ name: NameID) -> UInt8 {
      let known = facts[Int(name)]
      if known != 255 { return known }
      let fact: UInt8 =
        switch ResidueCatalog.entry(names[name])?.family {
        case .water: 1
        case .aminoAcid, .ribonucleotide, .deoxyribonucleotide: 2
        case nil: MonatomicIon.element(ofResidue: names[name]) == nil ? 0 : 4
        }
      facts[Int(name)] = fact
      return fact
    }
  }
}
