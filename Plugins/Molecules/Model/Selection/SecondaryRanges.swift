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
      let places = Self.places(structure, order)
      for kind in [Kind.helix, .sheet] {
        // Counts of ranges that begin minus those that ended, so that many long ranges cost no more than short ones.
        var steps = [Int32](repeating: 0, count: order.count + 1)
        for (start, end, of) in ranges where of == kind {
          guard let from = places[Self.key(start)], let to = places[Self.key(end)], start.chain == end.chain else {
            continue
          }
          steps[min(from, to)] += 1
          steps[max(from, to) + 1] -= 1
        }
        var open: Int32 = 0
        for (place, residue) in order.enumerated() {
          open += steps[place]
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

  private static func key(_ address: ResidueAddress) -> ResidueAddress {
    ResidueAddress(chain: address.chain, number: address.number, insertionCode: address.insertionCode)
  }

  /// Returns the first index of each chain, number and insertion code among residues sorted by chain; names are
  /// ignored, since files disagree about them.
  private static func places(_ structure: Structure, _ order: [Int]) -> [ResidueAddress: Int] {
    var places: [ResidueAddress: Int] = [:]
    for (place, residue) in order.enumerated() where structure.residues[residue].kind == .polymer {
      let address = key(structure.address(ofResidue: residue))
      if places[address] == nil { places[address] = place }
    }
    return places
  }
}
