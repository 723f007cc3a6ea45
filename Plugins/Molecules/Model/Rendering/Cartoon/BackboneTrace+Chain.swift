/// A part of a chain without coordinates, between two traces.
struct BackboneGap: Equatable, Sendable {
  /// The ends of the traces before and after it, in ångström.
  var start: SIMD3<Float>
  var end: SIMD3<Float>
  /// The scene's numbers of the atoms at the two ends.
  var startAtom: Int32
  var endAtom: Int32
}

/// Positions of traces in their chain.
extension BackboneTrace {
  /// The longest peptide or phosphodiester bond in ångström; atoms that only touch are farther apart.
  private static let longestBond: Float = 2

  /// Returns the trace of a cyclic chain closed to its first node; any other unchanged.
  func closed(in structure: Structure) -> BackboneTrace {
    guard residueCount > 2, let first = nodes.first, let last = nodes.last else { return self }
    let (start, end) = (Int(structure.atoms.residue[Int(first.atom)]), Int(structure.atoms.residue[Int(last.atom)]))
    let (from, to) = polymer == .protein ? (["C"], ["N"]) : (["O3'", "O3*"], ["P"])
    guard let one = structure.place(ofAtom: from, inResidue: end),
      let other = structure.place(ofAtom: to, inResidue: start),
      (one - other).length < Self.longestBond
    else { return self }
    var closed = self
    // The last node of a nucleic acid is not a residue but its end, which is the start of the first.
    if polymer == .nucleic { closed.nodes.removeLast() }
    closed.nodes.append(first)
    closed.isClosed = true
    return closed
  }

  /// Returns the gaps between consecutive traces of a chain whose numbering indicates missing residues.
  static func gaps(between traces: [BackboneTrace], of structure: Structure) -> [BackboneGap] {
    zip(traces, traces.dropFirst()).compactMap { before, behind in
      guard before.polymer == behind.polymer, !before.isClosed, !behind.isClosed, let last = before.nodes.last,
        let first = behind.nodes.first
      else { return nil }
      let (one, other) = (structure.residue(ofAtom: last.atom), structure.residue(ofAtom: first.atom))
      let missing = Int(other.number) - Int(one.number) - 1
      let step =
        before.polymer == .protein ? BackboneTracer.longestProteinStep : BackboneTracer.longestNucleicStep
      // Missing residues can only bridge their own length.
      guard one.chain == other.chain, missing > 0,
        (first.place - last.place).length <= step * Float(missing + 1)
      else { return nil }
      return BackboneGap(start: last.place, end: first.place, startAtom: last.atom, endAtom: first.atom)
    }
  }
}

extension Structure {
  fileprivate func residue(ofAtom atom: Int32) -> Residue { residues[Int(atoms.residue[Int(atom)])] }

  /// Returns the position of the first atom of a residue that has one of the names, in ångström.
  fileprivate func place(ofAtom wanted: [String], inResidue residue: Int) -> SIMD3<Float>? {
    let ids = wanted.compactMap { names.id(of: $0) }
    return residues[residue].atoms.first { ids.contains(atoms.name[$0]) }.map { SIMD3<Float>(atoms.position($0)) }
  }
}
