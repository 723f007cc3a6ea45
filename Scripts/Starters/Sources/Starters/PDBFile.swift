/// A compound of COMPND: its name and chains.
struct PDBMolecule {
  var name: String
  var chains: [String]
}

/// A chemical component of HET, HETNAM and FORMUL.
struct PDBComponent {
  var code: String
  var name: String
  var formula: String
}

/// The text of the header records.
struct PDBHeader {
  var classification: String
  var title: String
  var molecules: [PDBMolecule]
  var keywords: String
  /// Parameters and method in plain words; broken into lines when written.
  var method: String
  var component: PDBComponent?
}

/// A right-handed α helix of HELIX; residues by number.
struct PDBHelix {
  var serial: Int
  var chain: String
  var first: Int
  var last: Int
}

/// Where a strand is tied to the one before; places in the strand from 0.
struct PDBRegistration {
  var atom: String
  var place: Int
  var previousAtom: String
  var previousPlace: Int
  var previousChain: String
}

/// A strand of SHEET that covers a whole chain.
struct PDBStrand {
  var number: Int
  var count: Int
  var sheet: String
  var chain: String
  var residues: [String]
  var sense: Int
  var registration: PDBRegistration?
}

/// One starter: a structure and what is said about it.
struct StarterFile {
  var name: String
  var structure: Structure
  var header: PDBHeader
  var helices: [PDBHelix] = []
  var strands: [PDBStrand] = []
  /// Whether every bond is written as CONECT, double bonds twice.
  var writesBonds = false
}

/// A number with a fixed count of decimals, without the locale.
func fixed(_ value: Double, _ decimals: Int) -> String {
  let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
  let whole = Int((abs(value) * Double(scale)).rounded(.toNearestOrAwayFromZero))
  let digits = String(whole % scale + scale).dropFirst()
  let sign = value < 0 && whole > 0 ? "-" : ""
  return decimals == 0 ? "\(sign)\(whole)" : "\(sign)\(whole / scale).\(digits)"
}

extension String {
  /// The text filled up with spaces on the left.
  func right(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }

  /// The text filled up with spaces on the right.
  func left(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
