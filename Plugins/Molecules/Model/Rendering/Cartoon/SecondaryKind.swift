/// The secondary structure of one residue.
enum SecondaryKind: UInt8, CaseIterable, Equatable, Sendable {
  case coil, turn, bend, alphaHelix, threeTenHelix, piHelix, polyproline, strand, bridge

  /// The kind of a letter of DSSP.
  ///
  /// - Source: W. Kabsch and C. Sander, Biopolymers 22 (1983) 2577; P of mkdssp 4.
  init(letter: UInt8) {
    switch letter {
    case UInt8(ascii: "H"): self = .alphaHelix
    case UInt8(ascii: "G"): self = .threeTenHelix
    case UInt8(ascii: "I"): self = .piHelix
    case UInt8(ascii: "P"): self = .polyproline
    case UInt8(ascii: "E"): self = .strand
    case UInt8(ascii: "B"): self = .bridge
    case UInt8(ascii: "T"): self = .turn
    case UInt8(ascii: "S"): self = .bend
    default: self = .coil
    }
  }

  /// How a cartoon shows it.
  var shape: SecondaryShape {
    switch self {
    case .alphaHelix, .threeTenHelix, .piHelix: .helix
    case .strand: .strand
    default: .coil
    }
  }

  /// What people read.
  var title: String {
    switch self {
    case .alphaHelix: "alpha helix"
    case .threeTenHelix: "3-10 helix"
    case .piHelix: "pi helix"
    case .polyproline: "polyproline helix"
    default: "\(self)"
    }
  }
}
