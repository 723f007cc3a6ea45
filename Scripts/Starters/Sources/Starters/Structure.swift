/// One atom of a model being built.
struct Atom {
  var name: String
  var element: String
  var residue: Int
  var position: Vector
}

/// One residue: its standard name, chain and number, and whether its atoms are written as HETATM.
struct Residue {
  var name: String
  var chain: String
  var number: Int
  var isHetero = false
}

/// A bond between two atoms (0-based), its ideal length in ångström and its order in a Kekulé formula.
struct Bond {
  var first: Int
  var second: Int
  var length: Double
  var order = 1
}

/// An ideal angle first-center-second in degrees.
struct IdealAngle {
  var first: Int
  var center: Int
  var second: Int
  var degrees: Double
}

/// A centre whose three named neighbours have a signed volume of known sign.
///
/// Positive: seen from the side away from the fourth neighbour, first, second and third run counter-clockwise.
struct ChiralCenter {
  var center: Int
  var first: Int
  var second: Int
  var third: Int
  var isPositive: Bool
}

/// A distance that is to be kept, in ångström.
struct DistanceGoal {
  var first: Int
  var second: Int
  var distance: Double
  var weight: Double
}

/// A molecule being built: atoms and what is known of its ideal geometry.
struct Structure {
  var residues: [Residue] = []
  var atoms: [Atom] = []
  var bonds: [Bond] = []
  var angles: [IdealAngle] = []
  var chirality: [ChiralCenter] = []
  var goals: [DistanceGoal] = []
  /// Atoms held near where they were built, with the strength of it.
  var anchors: [(atom: Int, weight: Double)] = []

  /// Adds an atom and gives its index.
  @discardableResult
  mutating func add(_ name: String, _ element: String, _ residue: Int, _ position: Vector) -> Int {
    atoms.append(Atom(name: name, element: element, residue: residue, position: position))
    return atoms.count - 1
  }

  /// The index of an atom of a residue by its name.
  func atom(_ name: String, in residue: Int) -> Int? {
    atoms.firstIndex { $0.residue == residue && $0.name == name }
  }

  /// For every atom the atoms bonded to it.
  var neighbors: [[Int]] {
    var neighbors = [[Int]](repeating: [], count: atoms.count)
    for bond in bonds {
      neighbors[bond.first].append(bond.second)
      neighbors[bond.second].append(bond.first)
    }
    return neighbors
  }

  /// Moves the mean of the atoms to the origin.
  mutating func center() {
    let mean = atoms.reduce(Vector.zero) { $0 + $1.position } / Double(max(1, atoms.count))
    for index in atoms.indices { atoms[index].position -= mean }
  }

  /// Rounds all coordinates to the three decimals of a PDB file, so that checks see what is written.
  mutating func round() {
    for index in atoms.indices {
      let scaled = atoms[index].position * 1000
      atoms[index].position = scaled.rounded(.toNearestOrAwayFromZero) / 1000
    }
  }
}
