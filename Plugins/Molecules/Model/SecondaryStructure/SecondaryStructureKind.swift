/// The state of the backbone at a residue, in the nine states of DSSP 4.
///
/// - Source: W. Kabsch, C. Sander, Biopolymers 22 (1983) 2577; polyproline helices as mkdssp 4 adds them.
enum SecondaryStructureKind: UInt8, Equatable, Sendable, CaseIterable {
  /// None of the others, written `-`.
  case coil
  case alphaHelix
  case helix310
  case piHelix
  case polyproline
  /// Residue in a ladder of several bridges.
  case strand
  /// Residue in an isolated bridge.
  case bridge
  case turn
  case bend

  /// The letter of the state, `-` for none.
  var letter: Character { Self.letters[Int(rawValue)] }

  /// A Boolean value indicating whether it is a helix with hydrogen bonds along the chain: alpha, 3-10 or pi.
  var isHelix: Bool { self == .alphaHelix || self == .helix310 || self == .piHelix }

  /// A Boolean value indicating whether it is a strand of a sheet; a single bridge does not count.
  var isSheet: Bool { self == .strand }

  /// A Boolean value indicating whether it is neither in a helix nor in a strand.
  var isLoop: Bool { !isHelix && !isSheet }

  private static let letters: [Character] = ["-", "H", "G", "I", "P", "E", "B", "T", "S"]
}
