/// What the backbone does at a residue, in the nine states of DSSP 4.
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
  /// Residue in a bridge by itself.
  case bridge
  case turn
  case bend

  /// The letter by which it is known, `-` for none.
  var letter: Character { Self.letters[Int(rawValue)] }

  /// Whether it is one of the helices with hydrogen bonds along the chain: alpha, 3-10, pi.
  var isHelix: Bool { self == .alphaHelix || self == .helix310 || self == .piHelix }

  /// Whether it is a strand of a sheet; a single bridge does not count.
  var isSheet: Bool { self == .strand }

  /// Whether it is neither in a helix nor in a strand.
  var isLoop: Bool { !isHelix && !isSheet }

  private static let letters: [Character] = ["-", "H", "G", "I", "P", "E", "B", "T", "S"]
}
