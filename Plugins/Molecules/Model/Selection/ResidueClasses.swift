/// The classes of residues: polymer, protein, nucleic acid, ligand, water.
///
/// Protein and nucleic acid are polymer residues of a known name or, modified ones, with the atoms of the backbone.
struct ResidueClasses {
  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let protein = Flags(rawValue: 1)
    static let nucleic = Flags(rawValue: 2)
    static let ribose = Flags(rawValue: 4)
    static let organic = Flags(rawValue: 8)
  }

  private let residues: Range<Int>
  private let flags: [Flags]
  private let isBackbone: [Bool]
  private let isSugarPhosphate: [Bool]

  init(_ structure: Structure, residues: Range<Int>) {
    self.residues = residues
    let families = structure.names.texts.map { ResidueCatalog.entry($0)?.family }
    let marks = structure.names.texts.map { Self.marks[$0] ?? 0 }
    flags = residues.map { index in
      let residue = structure.residues[index]
      var seen: UInt8 = 0
      var hasCarbon = false
      for atom in residue.atoms {
        seen |= marks[Int(structure.atoms.name[atom])]
        if structure.atoms.element[atom] == .carbon { hasCarbon = true }
      }
      return Self.flags(of: residue, families[Int(residue.name)], seen, hasCarbon: hasCarbon)
    }
    isBackbone = structure.names.texts.map { Self.proteinBackbone.contains($0) }
    isSugarPhosphate = structure.names.texts.map { Self.nucleicBackbone.contains(Self.prime($0)) }
  }

  private static func flags(
    of residue: Residue, _ family: ResidueCatalog.Family?, _ seen: UInt8, hasCarbon: Bool
  ) -> Flags {
    var flags: Flags = hasCarbon && residue.kind == .ligand ? .organic : []
    guard residue.kind == .polymer else { return flags }
    let hasSugar = seen & sugar == sugar
    switch family {
    case .aminoAcid: flags.insert(.protein)
    case .ribonucleotide, .deoxyribonucleotide: flags.insert(.nucleic)
    case .water, nil:
      if seen & peptide == peptide { flags.insert(.protein) } else if hasSugar { flags.insert(.nucleic) }
    }
    // Old files name DNA and RNA alike, so the oxygen decides if there is a sugar.
    let isRibose = hasSugar ? seen & ribose != 0 : family == .ribonucleotide
    if flags.contains(.nucleic), isRibose { flags.insert(.ribose) }
    return flags
  }

  // Flags of atom names that identify residues.
  private static let peptide: UInt8 = 1 | 2 | 4
  private static let sugar: UInt8 = 8 | 16
  private static let ribose: UInt8 = 32
  private static let marks: [String: UInt8] = [
    "N": 1, "CA": 2, "C": 4, "C1'": 8, "C1*": 8, "C3'": 16, "C3*": 16, "O2'": 32, "O2*": 32,
  ]

  /// Returns the atoms of a class that consists of whole residues, or of backbone or side chains.
  func atoms(of kind: ResidueClass, _ structure: Structure) -> AtomSelection {
    switch kind {
    case .polymer: residues(structure) { row, _ in row.kind == .polymer }
    case .protein: residues(structure) { $1.contains(.protein) }
    case .nucleic: residues(structure) { $1.contains(.nucleic) }
    case .rna: residues(structure) { $1.contains([.nucleic, .ribose]) }
    case .dna: residues(structure) { $1.contains(.nucleic) && !$1.contains(.ribose) }
    case .ligand: residues(structure) { row, _ in row.kind == .ligand }
    case .organic: residues(structure) { $1.contains(.organic) }
    case .inorganic: residues(structure) { $0.kind == .ligand && !$1.contains(.organic) }
    case .guide: guides(structure)
    case .water: residues(structure) { row, _ in row.kind == .water }
    case .backbone: backbone(structure, isInverted: false)
    case .sidechain: backbone(structure, isInverted: true)
    }
  }

  private func residues(_ structure: Structure, where isWanted: (Residue, Flags) -> Bool) -> AtomSelection {
    var result = AtomSelection(atomCount: structure.atoms.count)
    for index in residues where isWanted(structure.residues[index], flags[index - residues.lowerBound]) {
      result.insert(structure.residues[index].atoms)
    }
    return result
  }

  /// Returns the representative atom of each residue of a protein or nucleic acid: CA, or C4'.
  private func guides(_ structure: Structure) -> AtomSelection {
    var result = AtomSelection(atomCount: structure.atoms.count)
    for index in residues {
      let kind = flags[index - residues.lowerBound]
      let names: Set = kind.contains(.protein) ? ["CA"] : kind.contains(.nucleic) ? ["C4'", "C4*"] : []
      guard !names.isEmpty else { continue }
      let guide = structure.residues[index].atoms.first { names.contains(structure.atomName($0)) }
      if let guide { result.insert(guide) }
    }
    return result
  }

  /// Returns the backbone atoms of proteins and nucleic acids, or all their other atoms.
  private func backbone(_ structure: Structure, isInverted: Bool) -> AtomSelection {
    var result = AtomSelection(atomCount: structure.atoms.count)
    for index in residues {
      let kind = flags[index - residues.lowerBound]
      guard kind.contains(.protein) || kind.contains(.nucleic) else { continue }
      let names = kind.contains(.protein) ? isBackbone : isSugarPhosphate
      for atom in structure.residues[index].atoms where names[Int(structure.atoms.name[atom])] != isInverted {
        result.insert(atom)
      }
    }
    return result
  }

  /// Returns a name with primes for the `*` of old names.
  private static func prime(_ name: String) -> String { String(name.map { $0 == "*" ? "'" : $0 }) }

  /// Backbone atoms of amino acids with their hydrogens and terminal oxygens, names of simulation programs included.
  private static let proteinBackbone: Set<String> = [
    "N", "CA", "C", "O", "OXT", "OT1", "OT2", "H", "HN", "H1", "H2", "H3", "HT1", "HT2", "HT3", "1H", "2H", "3H", "HA",
    "HA1", "HA2", "HA3", "1HA", "2HA", "HXT", "D", "D1", "D2", "D3", "DA", "DA2", "DA3",
  ]
  /// Phosphate and sugar of nucleotides with their hydrogens.
  private static let nucleicBackbone: Set<String> = [
    "P", "OP1", "OP2", "OP3", "O1P", "O2P", "O3P", "O5'", "C5'", "C4'", "O4'", "C3'", "O3'", "C2'", "O2'", "C1'", "H5'",
    "H5''", "1H5'", "2H5'", "H4'", "H3'", "H2'", "H2''", "1H2'", "2H2'", "HO2'", "2HO'", "H1'", "HO3'", "HO5'", "H3T",
    "H5T", "HOP2", "HOP3",
  ]
}

/// The residues of helices and sheets: as the file states them (HELIX and SHEET, `_struct_conf` and
/// `_struct_sheet_range`) or, if it states none at all, as DSSP finds them.
struct SecondaryRanges {
  enum Kind: UInt8, Sendable {
    case helix = 1
    case sheet = 2
  }

  /// The kinds by residue, 0 for neither; a residue in both has both.
  private let kinds: [UInt8]
  private let residues: Range<Int>

  /// Finds the residues of some models, 0-based.
  ///
  /// - Complexity: linear in residues and ranges.
  init(_ structure: Structure, models: Range<Int>) {
    let ranges =
      structure.helices.map { ($0.first, $0.last, Kind.helix) }
      + structure.sheets.flatMap { $0.strands.map { ($0.first, $0.last, Kind.sheet) } }
    guard let first = models.first, let last = models.last else {
      (kinds, residues) = ([], 0..<0)
      return
    }
    residues = structure.models[first].residues.lowerBound..<structure.models[last].residues.upperBound
    var marks = [UInt8](repeating: 0, count: residues.count)
    for model in models {
      let order = structure.models[model].chains.flatMap { structure.chains[$0].residueRuns.joined() }
      let indices = Self.indices(structure, order)
      for kind in [Kind.helix, .sheet] {
        // Counts of ranges that begin minus those that ended, so that many long ranges cost no more than short ones.
        var steps = [Int32](repeating: 0, count: order.count + 1)
        for (start, end, of) in ranges where of == kind {
          guard let from = indices[start.withoutName], let to = indices[end.withoutName], start.chain == end.chain
          else {
            continue
          }
          steps[min(from, to)] += 1
          steps[max(from, to) + 1] -= 1
        }
        var open: Int32 = 0
        for (index, residue) in order.enumerated() {
          open += steps[index]
          if open > 0 { marks[residue - residues.lowerBound] |= kind.rawValue }
        }
      }
    }
    if ranges.isEmpty { Self.compute(structure, models, from: residues.lowerBound, &marks) }
    kinds = marks
  }

  /// Marks the residues found by DSSP.
  private static func compute(
    _ structure: Structure, _ models: Range<Int>, from first: Int, _ marks: inout [UInt8]
  ) {
    for model in models {
      let assignment = SecondaryStructureAssignment.dssp(structure, model: model)
      for residue in structure.models[model].residues {
        guard let kind = assignment[residue] else { continue }
        if kind.isHelix { marks[residue - first] = Kind.helix.rawValue }
        if kind.isSheet { marks[residue - first] = Kind.sheet.rawValue }
      }
    }
  }

  /// Returns the atoms of the residues of a kind.
  func atoms(_ kind: Kind, _ structure: Structure) -> AtomSelection {
    var result = AtomSelection(atomCount: structure.atoms.count)
    for index in residues where kinds[index - residues.lowerBound] & kind.rawValue != 0 {
      result.insert(structure.residues[index].atoms)
    }
    return result
  }

  /// Returns the first index of each chain, number and insertion code among residues sorted by chain; names are
  /// ignored, since files disagree about them.
  private static func indices(_ structure: Structure, _ order: [Int]) -> [ResidueAddress: Int] {
    var indices: [ResidueAddress: Int] = [:]
    for (index, residue) in order.enumerated() where structure.residues[residue].kind == .polymer {
      let address = structure.address(ofResidue: residue).withoutName
      if indices[address] == nil { indices[address] = index }
    }
    return indices
  }
}

/// Ranges of residue numbers, prepared for many look-ups.
///
/// It requires that only single residues have insertion codes.
struct ResidueNumberIndex {
  private var singles: Set<Int64> = []
  private let ranges: MergedRanges<Int32>

  init(_ list: [ResidueNumberRange]) {
    var open: [ClosedRange<Int32>] = []
    for range in list {
      if range.isSingle, !range.takesAnyCode {
        singles.insert(Self.key(range.first.number, range.first.code))
      } else {
        open.append(min(range.first.number, range.last.number)...max(range.first.number, range.last.number))
      }
    }
    ranges = MergedRanges(open)
  }

  /// Returns true if a residue is in one of the ranges.
  ///
  /// - Complexity: logarithmic in the ranges.
  func contains(number: Int32, code: UInt8) -> Bool {
    !singles.isEmpty && singles.contains(Self.key(number, code)) || ranges.contains(number)
  }

  private static func key(_ number: Int32, _ code: UInt8) -> Int64 { Int64(number) << 8 | Int64(code) }
}
