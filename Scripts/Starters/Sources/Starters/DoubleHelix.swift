/// A B-DNA dodecamer, CGCGAATTCGCG, both strands, without 5′ phosphates.
///
/// Flat base pairs in the standard frame are stacked with 3.38 Å and 36° per step. On every base a sugar with the
/// C2′-endo pucker and a backbone near the torsions of B-DNA are built from internal coordinates and closed by a fit;
/// then bonds, angles and contacts are regularised with the bases held.
///
/// - Source: helix: S. Arnott and D. W. L. Hukins, Biochem. Biophys. Res. Commun. 47 (1972) 1504; torsions of the BI
///   form: B. Schneider, S. Neidle and H. M. Berman, Biopolymers 42 (1997) 113; sugar:
///   A. Gelbin et al., J. Am. Chem. Soc. 118 (1996) 519, C2′-endo; phosphate: G. Parkinson et al., Acta Cryst. D52
///   (1996) 57; pucker: C. Altona and M. Sundaralingam, J. Am. Chem. Soc. 94 (1972) 8205.
enum DoubleHelix {
  static let sequence = Array("CGCGAATTCGCG")
  static let screw = Screw(twist: 36, rise: 3.38)
  /// Torsions of the BI form in degrees: α, β, γ, δ, ε, ζ and χ; the fit starts from them and stays near them.
  private static let published = [298.0, 176, 48, 128, 184, 265, 250]
  /// Phase and amplitude of the pucker to start from, in degrees.
  private static let pucker = (phase: 162.0, amplitude: 38.0)

  /// What is free when the backbone is closed; angles in degrees, lengths in ångström.
  struct Shape {
    var chi: Double
    var gamma: Double
    var beta: Double
    var phase: Double
    var amplitude: Double
    /// The shift of the base pair along its short axis, towards the major groove.
    var displacement: Double
    /// The turn of the base pair about its short axis.
    var inclination: Double

    init(_ values: [Double]) {
      (chi, gamma, beta, phase) = (values[0], values[1], values[2], values[3])
      (amplitude, displacement, inclination) = (values[4], values[5], values[6])
    }

    /// The torsion ν of the sugar, 0 to 4.
    func sugarTorsion(_ number: Int) -> Double {
      amplitude * cosine(ofDegrees: phase + 144 * Double(number - 2))
    }

    /// A point of the base pair's own frame in that of the helix.
    func placed(_ point: Vector) -> Vector {
      let (s, c) = (sine(ofDegrees: inclination), cosine(ofDegrees: inclination))
      return Vector(point.x + displacement, c * point.y - s * point.z, s * point.y + c * point.z)
    }
  }

  /// The shape that closes the backbone with torsions as near as possible to the published ones.
  static let shape: Shape = {
    let start = [published[6], published[2], published[1], pucker.phase, pucker.amplitude, 0, 0]
    return Shape(minimum(from: start, step: 4, steps: 6000) { cost(Shape($0)) })
  }()

  private static func cost(_ shape: Shape) -> Double {
    let bonds = closure(of: shape)
    let values = torsions(of: shape)
    var cost = 0.0
    for (value, wanted) in zip(values, published) {
      let off = (value - wanted).remainder(dividingBy: 360)
      cost += off * off / 225
    }
    cost += (bonds.length - phosphodiester) * (bonds.length - phosphodiester) * 1e4
    cost += (bonds.atOxygen - 119.7) * (bonds.atOxygen - 119.7) / 4
    cost += (bonds.atPhosphorus - 104) * (bonds.atPhosphorus - 104) / 4
    let (phase, amplitude) = (shape.phase - pucker.phase, shape.amplitude - pucker.amplitude)
    cost += phase * phase / 100 + amplitude * amplitude / 9
    return cost + shape.displacement * shape.displacement * 4 + shape.inclination * shape.inclination / 9
  }

  /// A nucleotide of a mean base in the frame of the helix, and the one that follows it.
  private static func step(of shape: Shape) -> (here: [String: Vector], next: [String: Vector]) {
    let here = sugar(on: .adenine, shape: shape).mapValues(shape.placed)
    return (here, here.mapValues { screw.applied(to: $0) })
  }

  private static func closure(of shape: Shape) -> (length: Double, atOxygen: Double, atPhosphorus: Double) {
    let (here, next) = step(of: shape)
    guard let c3 = here["C3'"], let o3 = here["O3'"], let p = next["P"], let o5 = next["O5'"] else { return (0, 0, 0) }
    return ((o3 - p).length, angle(c3, o3, p), angle(o3, p, o5))
  }

  /// α, β, γ, δ, ε, ζ and χ of the closed backbone in degrees.
  static func torsions(of shape: Shape) -> [Double] {
    let (here, next) = step(of: shape)
    guard let c5 = here["C5'"], let c4 = here["C4'"], let c3 = here["C3'"], let o3 = here["O3'"], let p = next["P"],
      let o5 = next["O5'"], let nextC5 = next["C5'"]
    else { return [] }
    return [
      torsion(o3, p, o5, nextC5), shape.beta, shape.gamma, torsion(c5, c4, c3, o3), torsion(c4, c3, o3, p),
      torsion(c3, o3, p, o5), shape.chi,
    ]
  }

  private static let lengths: [(String, String, Double)] = [
    ("P", "OP1", 1.485), ("P", "OP2", 1.485), ("P", "O5'", 1.593), ("O5'", "C5'", 1.440), ("C5'", "C4'", 1.512),
    ("C4'", "O4'", 1.446), ("O4'", "C1'", 1.420), ("C4'", "C3'", 1.527), ("C3'", "O3'", 1.435), ("C3'", "C2'", 1.525),
    ("C2'", "C1'", 1.518),
  ]
  private static let phosphodiester = 1.607

  private static let angles: [String: Double] = [
    "C1'-C2'-C3'": 102.5, "C2'-C3'-C4'": 103.1, "C3'-C4'-O4'": 106.0, "C4'-O4'-C1'": 110.1, "O4'-C1'-C2'": 106.1,
    "C4'-C3'-O3'": 109.7, "C2'-C3'-O3'": 109.4, "C5'-C4'-C3'": 114.1, "C5'-C4'-O4'": 109.3, "O4'-C1'-N": 108.0,
    "C2'-C1'-N": 114.3, "O5'-C5'-C4'": 110.2, "P-O5'-C5'": 120.9, "C3'-O3'-+P": 119.7, "-O3'-P-O5'": 104.0,
    "OP1-P-OP2": 119.6, "O5'-P-OP1": 108.1, "O5'-P-OP2": 108.1, "-O3'-P-OP1": 108.0, "-O3'-P-OP2": 108.0,
  ]

  static func structure() -> Structure {
    var structure = Structure()
    let count = sequence.count
    let partner: [Character: Character] = ["A": "T", "T": "A", "C": "G", "G": "C"]
    for strand in 0..<2 {
      for place in 0..<count {
        let level = strand == 0 ? place : count - 1 - place
        let letter = strand == 0 ? sequence[level] : partner[sequence[level]] ?? "A"
        let number = strand * count + place + 1
        structure.residues.append(
          Residue(name: Nucleobase.base(letter).residue, chain: strand == 0 ? "A" : "B", number: number))
        addNucleotide(Nucleobase.base(letter), to: &structure, isFirst: place == 0) { point in
          let tilted = shape.placed(point)
          let turned = strand == 0 ? tilted : Vector(tilted.x, -tilted.y, -tilted.z)
          return screw.applied(to: turned, times: Double(level))
        }
      }
    }
    addAngles(to: &structure)
    return structure.regularized()
  }

  /// Adds one nucleotide, built in the frame of its base and moved to its place.
  private static func addNucleotide(
    _ base: Nucleobase, to structure: inout Structure, isFirst: Bool, placed: (Vector) -> Vector
  ) {
    let residue = structure.residues.count - 1
    var places = sugar(on: base, shape: shape)
    for atom in base.places { places[atom.name] = Vector(atom.x, atom.y, 0) }
    let backbone = ["P", "OP1", "OP2", "O5'", "C5'", "C4'", "O4'", "C3'", "O3'", "C2'", "C1'"]
    let names = backbone.dropFirst(isFirst ? 3 : 0) + base.places.dropFirst().map(\.name)
    var indices: [String: Int] = [:]
    for name in names {
      guard let point = places[name] else { continue }
      let index = structure.add(name, String(name.prefix(1)), residue, placed(point))
      indices[name] = index
      let isBase = base.places.contains { $0.name == name }
      structure.anchors.append((index, isBase ? (name == "C1'" ? 1 : 20) : 0.01))
    }
    for (first, second, length) in lengths + base.bonds {
      guard let a = indices[first], let b = indices[second] else { continue }
      structure.bonds.append(Bond(first: a, second: b, length: length))
    }
    if let phosphorus = indices["P"], let oxygen = structure.atom("O3'", in: residue - 1) {
      structure.bonds.append(Bond(first: oxygen, second: phosphorus, length: phosphodiester))
    }
    let centers: [(String, String, String, String, Bool)] = [
      ("C1'", "O4'", base.nitrogen, "C2'", false), ("C3'", "O3'", "C4'", "C2'", true),
      ("C4'", "O4'", "C3'", "C5'", false), ("P", "OP1", "OP2", "O5'", false),
    ]
    for (center, a, b, c, isPositive) in centers {
      guard let center = indices[center], let a = indices[a], let b = indices[b], let c = indices[c] else { continue }
      structure.chirality.append(
        ChiralCenter(center: center, first: a, second: b, third: c, isPositive: isPositive))
    }
  }

  /// The sugar and phosphate of a nucleotide in the frame of its base, from the base outwards.
  private static func sugar(on base: Nucleobase, shape: Shape) -> [String: Vector] {
    let flat = Dictionary(uniqueKeysWithValues: base.places.map { ($0.name, Vector($0.x, $0.y, 0)) })
    guard let c1 = flat["C1'"], let nitrogen = flat[base.nitrogen], let reference = flat[base.reference] else {
      preconditionFailure("base \(base.residue) has no glycosidic bond")
    }
    let o4 = extended(reference, nitrogen, c1, length: 1.420, angle: 108.0, torsion: shape.chi)
    let c2 = branched(c1, o4, nitrogen, length: 1.518, angles: (106.1, 114.3), side: -1)
    let c3 = extended(o4, c1, c2, length: 1.525, angle: 102.5, torsion: shape.sugarTorsion(1))
    let c4 = extended(c1, c2, c3, length: 1.527, angle: 103.1, torsion: shape.sugarTorsion(2))
    let o3 = branched(c3, c4, c2, length: 1.435, angles: (109.7, 109.4), side: 1)
    let c5 = branched(c4, o4, c3, length: 1.512, angles: (109.3, 114.1), side: -1)
    let o5 = extended(c3, c4, c5, length: 1.440, angle: 110.2, torsion: shape.gamma)
    let phosphorus = extended(c4, c5, o5, length: 1.593, angle: 120.9, torsion: shape.beta)
    let before = extended(c5, o5, phosphorus, length: phosphodiester, angle: 104.0, torsion: published[0])
    let op1 = branched(phosphorus, o5, before, length: 1.485, angles: (108.1, 108.0), side: -1)
    let op2 = branched(phosphorus, o5, before, length: 1.485, angles: (108.1, 108.0), side: 1)
    return [
      "C2'": c2, "C3'": c3, "C4'": c4, "O4'": o4, "O3'": o3, "C5'": c5, "O5'": o5, "P": phosphorus, "OP1": op1,
      "OP2": op2,
    ]
  }

  private static func addAngles(to structure: inout Structure) {
    let neighbors = structure.neighbors
    for center in structure.atoms.indices {
      let around = neighbors[center]
      for (position, first) in around.enumerated() {
        for second in around[(position + 1)...] {
          guard let degrees = idealAngle(first, center, second, in: structure) else {
            let names = [first, center, second].map { structure.atoms[$0].name }
            preconditionFailure("no ideal angle \(names.joined(separator: "-"))")
          }
          structure.angles.append(IdealAngle(first: first, center: center, second: second, degrees: degrees))
        }
      }
    }
  }

  private static func idealAngle(_ first: Int, _ center: Int, _ second: Int, in structure: Structure) -> Double? {
    let residue = structure.atoms[center].residue
    let here = structure.atoms[center].name
    func label(_ atom: Int) -> String {
      let there = structure.atoms[atom].residue
      let name = structure.atoms[atom].name
      if there != residue { return (there > residue ? "+" : "-") + name }
      return here == "C1'" && name.hasPrefix("N") ? "N" : name
    }
    let (a, b) = (label(first), label(second))
    if let degrees = angles["\(a)-\(here)-\(b)"] ?? angles["\(b)-\(here)-\(a)"] { return degrees }
    let letter = structure.residues[residue].name.last ?? "A"
    return Nucleobase.base(letter).angle(a, here, b)
  }

  static func file() -> StarterFile {
    let names = ["ALPHA", "BETA", "GAMMA", "DELTA", "EPSILON", "ZETA", "CHI"]
    let fitted = zip(names, torsions(of: shape)).map { name, value in
      "\(name) \(fixed(value.remainder(dividingBy: 360), 0))"
    }
    return StarterFile(
      name: "b-dna",
      structure: structure(),
      header: PDBHeader(
        classification: "DNA", title: "B-DNA DODECAMER CGCGAATTCGCG",
        molecules: [PDBMolecule(name: "DNA (5'-D(*CP*GP*CP*GP*AP*AP*TP*TP*CP*GP*CP*G)-3')", chains: ["A", "B"])],
        keywords: "B-DNA, DOUBLE HELIX, DODECAMER",
        method: [
          "HELIX: 3.38 A AND 36 DEGREES PER STEP (S. ARNOTT AND D.W.L. HUKINS, BIOCHEM.",
          "BIOPHYS. RES. COMMUN. 47 (1972) 1504). FLAT BASE PAIRS: W.K. OLSON ET AL.,",
          "J. MOL. BIOL. 313 (2001) 229. SUGAR C2'-ENDO: A. GELBIN ET AL., J. AM. CHEM. SOC.",
          "118 (1996) 519. PHOSPHATE: G. PARKINSON ET AL., ACTA CRYST. D52 (1996) 57.",
          "TORSIONS FITTED TO CLOSE THE BACKBONE FROM THOSE OF B. SCHNEIDER ET AL.,",
          "BIOPOLYMERS 42 (1997) 113: " + fitted.prefix(4).joined(separator: ", ") + ",",
          fitted.suffix(3).joined(separator: ", ") + " DEGREES.",
        ].joined(separator: " ")))
  }
}
