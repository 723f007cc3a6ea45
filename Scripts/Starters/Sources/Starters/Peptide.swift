/// Side chains as steps from the backbone outwards.
enum SideChain {
  /// One atom placed from three others; its torsion is a rotamer angle plus an offset.
  struct Step {
    var name: String
    var from: (String, String, String)
    var chi: Int
    var offset: Double = 0

    var element: String { String(name.prefix(1)) }
  }

  /// The atoms beyond CB of a residue, in the order of building; lengths and angles are those of the ideal geometry.
  static func steps(_ residue: String) -> [Step] {
    switch residue {
    case "LEU":
      [
        Step(name: "CG", from: ("N", "CA", "CB"), chi: 0), Step(name: "CD1", from: ("CA", "CB", "CG"), chi: 1),
        Step(name: "CD2", from: ("CA", "CB", "CG"), chi: 1, offset: 122),
      ]
    case "VAL":
      [
        Step(name: "CG1", from: ("N", "CA", "CB"), chi: 0),
        Step(name: "CG2", from: ("N", "CA", "CB"), chi: 0, offset: 122),
      ]
    case "THR":
      [
        Step(name: "OG1", from: ("N", "CA", "CB"), chi: 0),
        Step(name: "CG2", from: ("N", "CA", "CB"), chi: 0, offset: -120),
      ]
    case "LYS":
      [
        Step(name: "CG", from: ("N", "CA", "CB"), chi: 0), Step(name: "CD", from: ("CA", "CB", "CG"), chi: 1),
        Step(name: "CE", from: ("CB", "CG", "CD"), chi: 2), Step(name: "NZ", from: ("CG", "CD", "CE"), chi: 3),
      ]
    case "GLU":
      [
        Step(name: "CG", from: ("N", "CA", "CB"), chi: 0), Step(name: "CD", from: ("CA", "CB", "CG"), chi: 1),
        Step(name: "OE1", from: ("CB", "CG", "CD"), chi: 2),
        Step(name: "OE2", from: ("CB", "CG", "CD"), chi: 2, offset: 180),
      ]
    case "PRO": [Step(name: "CG", from: ("N", "CA", "CB"), chi: 0), Step(name: "CD", from: ("CA", "CB", "CG"), chi: 1)]
    case "HYP":
      [
        Step(name: "CG", from: ("N", "CA", "CB"), chi: 0), Step(name: "CD", from: ("CA", "CB", "CG"), chi: 1),
        Step(name: "OD1", from: ("CA", "CB", "CG"), chi: 1, offset: -118),
      ]
    default: []
    }
  }
}

/// The backbone atoms of one residue.
struct Backbone {
  var n: Vector
  var ca: Vector
  var c: Vector
  var o: Vector

  /// The backbone with all four atoms moved.
  func mapped(_ body: (Vector) -> Vector) -> Backbone {
    Backbone(n: body(n), ca: body(ca), c: body(c), o: body(o))
  }

  /// A chain with the same torsions in every residue or repeating ones, built from internal coordinates, ω = 180°.
  static func chain(_ sequence: [String], torsions: (Int) -> (phi: Double, psi: Double)) -> [Backbone] {
    var atoms: [(Vector, Vector, Vector)] = []
    for (index, name) in sequence.enumerated() {
      func value(_ a: String, _ b: String, _ c: String) -> Double {
        IdealGeometry.angle(a, b, c, in: name) ?? 110
      }
      let lengthNA = IdealGeometry.length("N", "CA", in: name) ?? 1.459
      let lengthAC = IdealGeometry.length("CA", "C", in: name) ?? 1.525
      let n: Vector
      let ca: Vector
      let c: Vector
      if let last = atoms.last {
        let before = sequence[index - 1]
        let bend = IdealGeometry.angle("CA", "C", "+N", in: before) ?? 117.2
        n = extended(
          last.0, last.1, last.2, length: 1.336, angle: bend, torsion: torsions(index - 1).psi)
        ca = extended(last.1, last.2, n, length: lengthNA, angle: value("-C", "N", "CA"), torsion: 180)
        c = extended(last.2, n, ca, length: lengthAC, angle: value("N", "CA", "C"), torsion: torsions(index).phi)
      } else {
        n = .zero
        ca = Vector(lengthNA, 0, 0)
        let bend = value("N", "CA", "C")
        c = ca + lengthAC * Vector(-cosine(ofDegrees: bend), sine(ofDegrees: bend), 0)
      }
      atoms.append((n, ca, c))
    }
    return sequence.indices.map { index in
      let (n, ca, c) = atoms[index]
      let bend = IdealGeometry.angle("CA", "C", "O", in: sequence[index]) ?? 120.1
      let o = extended(n, ca, c, length: 1.229, angle: bend, torsion: torsions(index).psi + 180)
      return Backbone(n: n, ca: ca, c: c, o: o)
    }
  }
}

extension Structure {
  /// Adds a chain of L amino acids: backbone as given, side chains from rotamers, the last residue with its OXT.
  ///
  /// Rotamers are the χ angles of a residue in degrees by its place in the chain (0-based).
  mutating func addPeptide(
    chain: String, sequence: [String], backbone: [Backbone], rotamers: (Int) -> [Double]
  ) {
    var previous: Int?
    for (index, name) in sequence.enumerated() {
      residues.append(Residue(name: name, chain: chain, number: index + 1, isHetero: name == "HYP"))
      let residue = residues.count - 1
      addAtoms(of: residue, backbone: backbone[index], rotamers: rotamers(index))
      if index == sequence.count - 1 { addTerminus(of: residue, backbone: backbone[index]) }
      addBonds(of: residue, previous: previous)
      previous = residue
    }
  }

  private mutating func addAtoms(of residue: Int, backbone: Backbone, rotamers: [Double]) {
    let name = residues[residue].name
    add("N", "N", residue, backbone.n)
    add("CA", "C", residue, backbone.ca)
    add("C", "C", residue, backbone.c)
    add("O", "O", residue, backbone.o)
    guard name != "GLY" else { return }
    var places: [String: Vector] = ["N": backbone.n, "CA": backbone.ca, "C": backbone.c]
    func degrees(_ a: String, _ b: String, _ c: String) -> Double { IdealGeometry.angle(a, b, c, in: name) ?? 110 }
    let beta = branched(
      backbone.ca, backbone.n, backbone.c, length: IdealGeometry.length("CA", "CB", in: name) ?? 1.53,
      angles: (degrees("N", "CA", "CB"), degrees("C", "CA", "CB")), side: 1)
    places["CB"] = beta
    add("CB", "C", residue, beta)
    for step in SideChain.steps(name) {
      guard let a = places[step.from.0], let b = places[step.from.1], let c = places[step.from.2] else { continue }
      let place = extended(
        a, b, c, length: IdealGeometry.length(step.from.2, step.name, in: name) ?? 1.52,
        angle: degrees(step.from.1, step.from.2, step.name), torsion: rotamers[step.chi] + step.offset)
      places[step.name] = place
      add(step.name, step.element, residue, place)
    }
  }

  private mutating func addTerminus(of residue: Int, backbone: Backbone) {
    let bend = angle(backbone.ca, backbone.c, backbone.o)
    let turn = torsion(backbone.n, backbone.ca, backbone.c, backbone.o) + 180
    add("OXT", "O", residue, extended(backbone.n, backbone.ca, backbone.c, length: 1.249, angle: bend, torsion: turn))
  }

  private mutating func addBonds(of residue: Int, previous: Int?) {
    let name = residues[residue].name
    let own = atoms.indices.filter { atoms[$0].residue == residue }
    for (position, first) in own.enumerated() {
      for second in own[(position + 1)...] {
        guard let length = IdealGeometry.length(atoms[first].name, atoms[second].name, in: name) else { continue }
        bonds.append(Bond(first: first, second: second, length: length))
      }
    }
    if let previous, let carbon = atom("C", in: previous), let nitrogen = atom("N", in: residue) {
      bonds.append(Bond(first: carbon, second: nitrogen, length: 1.336))
      holdPeptidePlane(previous: previous, residue: residue)
    }
    if let n = atom("N", in: residue), let ca = atom("CA", in: residue), let c = atom("C", in: residue),
      let cb = atom("CB", in: residue)
    {
      chirality.append(ChiralCenter(center: ca, first: n, second: c, third: cb, isPositive: true))
    }
  }

  /// Holds the peptide bond trans and flat by the distances across it.
  private mutating func holdPeptidePlane(previous: Int, residue: Int) {
    guard let before = atom("CA", in: previous), let oxygen = atom("O", in: previous),
      let ca = atom("CA", in: residue)
    else { return }
    let c = Vector.zero
    let n = Vector(1.336, 0, 0)
    let flatBefore = extended(Vector(2, 1, 0), n, c, length: 1.525, angle: 117.2, torsion: 0)
    let flatAfter = extended(flatBefore, c, n, length: 1.459, angle: 121.7, torsion: 180)
    let flatOxygen = extended(flatAfter, n, c, length: 1.229, angle: 122.7, torsion: 0)
    goals.append(
      DistanceGoal(first: before, second: ca, distance: (flatBefore - flatAfter).length, weight: 20))
    goals.append(
      DistanceGoal(first: oxygen, second: ca, distance: (flatOxygen - flatAfter).length, weight: 20))
  }

  /// Adds the ideal angle at every atom with two neighbours or more, by the names in the table.
  mutating func addPeptideAngles() {
    let neighbors = self.neighbors
    for center in atoms.indices {
      let around = neighbors[center]
      for (position, first) in around.enumerated() {
        for second in around[(position + 1)...] {
          let names = [first, second].map { label($0, seenFrom: center) }
          let residue = residues[atoms[center].residue].name
          guard let degrees = IdealGeometry.angle(names[0], atoms[center].name, names[1], in: residue) else {
            preconditionFailure("no ideal angle \(names[0])-\(atoms[center].name)-\(names[1]) in \(residue)")
          }
          angles.append(IdealAngle(first: first, center: center, second: second, degrees: degrees))
        }
      }
    }
  }

  private func label(_ atom: Int, seenFrom center: Int) -> String {
    let (there, here) = (atoms[atom].residue, atoms[center].residue)
    return there == here ? atoms[atom].name : (there > here ? "+" : "-") + atoms[atom].name
  }
}
