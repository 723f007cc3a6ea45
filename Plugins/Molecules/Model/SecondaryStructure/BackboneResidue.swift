/// A residue with a full backbone as in DSSP: single-precision coordinates, and a number that skips at chain breaks.
struct BackboneResidue {
  /// Residue index of the structure.
  var residue: Int
  /// Chain index of the structure.
  var chain: Int32
  /// The running number of the residue, which skips one at a chain break.
  var number = 0
  /// The index in the sequence of the chain; alternatives of one position share it.
  var position = 0
  var nitrogen: SIMD3<Float>
  var alphaCarbon: SIMD3<Float>
  var carbon: SIMD3<Float>
  var oxygen: SIMD3<Float>
  /// The amide hydrogen; the nitrogen if there is none.
  var hydrogen: SIMD3<Float>
  /// A Boolean value indicating whether it can donate its hydrogen: all residues but proline can.
  var isDonor: Bool

  /// The longest C-N bond in Å that does not break the chain.
  private static let longestPeptideBond: Float = 2.5

  /// Returns the residues of a model that DSSP considers, in file order: polymer residues with N, CA, C and O.
  ///
  /// The last row of an atom with alternate locations counts; all residues at one position count. Hydrogens are placed
  /// 1 Å from N, opposite to C=O of the previous residue, even across a break.
  /// - Source: mkdssp 4.2.2, as worked out by comparison of its results.
  static func all(of structure: Structure, in residues: Range<Int>) -> [BackboneResidue] {
    let names = ["N", "CA", "C", "O"].map { structure.names.id(of: $0) ?? NameID.max }
    let prolines = structure.names.id(of: "PRO")
    var list: [BackboneResidue] = []
    list.reserveCapacity(residues.count)
    var sequence = SequenceCount()
    for residue in residues {
      let row = structure.residues[residue]
      guard row.kind == .polymer else { continue }
      let position = sequence.place(row)
      guard var entry = BackboneResidue(structure, residue, names) else { continue }
      entry.position = position
      entry.isDonor = row.name != prolines
      if let last = list.last { entry.follow(last) }
      list.append(entry)
    }
    return list
  }

  /// Finds the four atoms of a residue; fails if one is missing.
  private init?(_ structure: Structure, _ residue: Int, _ names: [NameID]) {
    let row = structure.residues[residue]
    var found = [-1, -1, -1, -1]
    for atom in row.atoms {
      let name = structure.atoms.name[atom]
      for place in 0..<4 where names[place] == name { found[place] = atom }
    }
    guard !found.contains(-1) else { return nil }
    self.residue = residue
    chain = row.chain
    nitrogen = SIMD3<Float>(structure.atoms.position(found[0]))
    alphaCarbon = SIMD3<Float>(structure.atoms.position(found[1]))
    carbon = SIMD3<Float>(structure.atoms.position(found[2]))
    oxygen = SIMD3<Float>(structure.atoms.position(found[3]))
    hydrogen = nitrogen
    isDonor = true
  }

  /// Derives number and hydrogen from the previous residue.
  private mutating func follow(_ last: BackboneResidue) {
    let isBroken = Self.distance(last.carbon, nitrogen) > Self.longestPeptideBond
    number = last.number + (isBroken ? 2 : 1)
    guard isDonor else { return }
    hydrogen = nitrogen + (last.carbon - last.oxygen) / Self.distance(last.carbon, last.oxygen)
  }

  /// Returns the distance of two points, summed in the order that other programs use.
  @inline(__always)
  static func distance(_ first: SIMD3<Float>, _ second: SIMD3<Float>) -> Float {
    let step = first - second
    return (step.x * step.x + step.y * step.y + step.z * step.z).squareRoot()
  }

  /// A counter of sequence positions.
  private struct SequenceCount {
    private var last: Residue?
    private var count = 0

    mutating func place(_ row: Residue) -> Int {
      let isSame =
        last.map { $0.chain == row.chain && $0.number == row.number && $0.insertionCode == row.insertionCode } ?? false
      if !isSame { count += 1 }
      last = row
      return count
    }
  }
}
