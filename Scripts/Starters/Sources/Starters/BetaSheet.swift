/// A twisted antiparallel β sheet of five strands.
///
/// Strands with φ −139°, ψ 135° lie 4.8 Å apart, neighbours related by two-fold axes at right angles to the sheet
/// through the middle residue; the flat sheet is then twisted and regularised with hydrogen bonds of 2.9 Å.
///
/// - Source: L. Pauling and R. B. Corey, PNAS 37 (1951) 729; torsions and spacing of β poly-L-alanine: S. Arnott,
///   S. D. Dover and A. Elliott, J. Mol. Biol. 30 (1967) 201; twist: C. Chothia, J. Mol. Biol. 75 (1973) 295.
enum BetaSheet {
  static let strands = 5
  static let spacing = 4.8
  /// Turn between neighbouring strands in degrees; negative as seen along a line across the strands.
  static let twist = -14.0
  static let sequence = ["VAL", "LYS", "VAL", "THR", "LEU", "THR", "VAL", "GLU", "VAL"]

  static func structure() -> (Structure, [PDBStrand]) {
    let strand = flatStrand()
    var structure = Structure()
    let middle = Double(strands - 1) / 2
    for index in 0..<strands {
      let sign = index.isMultiple(of: 2) ? 1.0 : -1.0
      let backbone = strand.map { residue in
        residue.mapped { atom in
          twisted(Vector(sign * atom.x + (Double(index) - middle) * spacing, atom.y, sign * atom.z))
        }
      }
      structure.addPeptide(chain: chainName(index), sequence: sequence, backbone: backbone) { rotamer(sequence[$0]) }
    }
    structure.addPeptideAngles()
    let bonds = addHydrogenBonds(to: &structure)
    let held = Set(["N", "CA", "C", "O"])
    structure.anchors = structure.atoms.indices.map { ($0, held.contains(structure.atoms[$0].name) ? 0.2 : 0.02) }
    return (structure.regularized(), records(bonds))
  }

  /// One strand: z along it, x in the plane of the sheet towards the oxygen of the middle residue, centred there.
  private static func flatStrand() -> [Backbone] {
    let chain = Backbone.chain(sequence) { _ in (-139, 135) }
    let center = sequence.count / 2
    let along = (chain[center + 2].ca - chain[center - 2].ca).normalized
    let carbonyls = chain.indices.map { (chain[$0].o - chain[$0].c) * ((($0 - center) % 2 == 0) ? 1 : -1) }
    let sum = carbonyls.reduce(.zero, +)
    let aside = (sum - dot(sum, along) * along).normalized
    let normal = cross(along, aside)
    let atoms = chain.flatMap { [$0.n, $0.ca, $0.c] }
    let mean = atoms.reduce(.zero, +) / Double(atoms.count)
    let height = dot((chain[center].n + chain[center].o) / 2, along)
    return chain.map { residue in
      residue.mapped { atom in
        Vector(dot(atom - mean, aside), dot(atom - mean, normal), dot(atom, along) - height)
      }
    }
  }

  /// A point of the flat sheet turned about the line across the strands in proportion to its place on that line.
  private static func twisted(_ point: Vector) -> Vector {
    let turn = twist * point.x / spacing
    let (s, c) = (sine(ofDegrees: turn), cosine(ofDegrees: turn))
    return Vector(point.x, c * point.y - s * point.z, s * point.y + c * point.z)
  }

  private static func chainName(_ index: Int) -> String { String("ABCDE".dropFirst(index).prefix(1)) }

  /// A hydrogen bond from a nitrogen of one residue to an oxygen of another.
  private struct HydrogenBond {
    var donor: Int
    var acceptor: Int
  }

  /// Asks for 2.9 Å between the nitrogen and oxygen atoms that face each other; gives one bond per pair of strands.
  private static func addHydrogenBonds(to structure: inout Structure) -> [HydrogenBond] {
    let length = sequence.count
    var firsts: [HydrogenBond] = []
    for index in 0..<strands - 1 {
      var found: [HydrogenBond] = []
      for place in 0..<length {
        for other in 0..<length {
          found += bonded(index * length + place, (index + 1) * length + other, in: &structure)
        }
      }
      if let first = found.first(where: { $0.donor > $0.acceptor }) { firsts.append(first) }
    }
    return firsts
  }

  private static func bonded(_ one: Int, _ other: Int, in structure: inout Structure) -> [HydrogenBond] {
    [(one, other), (other, one)].compactMap { donor, acceptor in
      guard let n = structure.atom("N", in: donor), let o = structure.atom("O", in: acceptor) else { return nil }
      let distance = (structure.atoms[n].position - structure.atoms[o].position).length
      guard distance < 3.6 else { return nil }
      structure.goals.append(DistanceGoal(first: n, second: o, distance: 2.9, weight: 10))
      return HydrogenBond(donor: donor, acceptor: acceptor)
    }
  }

  private static func records(_ bonds: [HydrogenBond]) -> [PDBStrand] {
    (0..<strands).map { index in
      let bond = index > 0 && index - 1 < bonds.count ? bonds[index - 1] : nil
      return PDBStrand(
        number: index + 1, count: strands, sheet: "A", chain: chainName(index), residues: sequence,
        sense: index == 0 ? 0 : -1,
        registration: bond.map { bond in
          PDBRegistration(
            atom: "N", place: bond.donor % sequence.count, previousAtom: "O",
            previousPlace: bond.acceptor % sequence.count, previousChain: chainName(index - 1))
        })
    }
  }

  /// Rotamers common in sheets.
  ///
  /// - Source: S. C. Lovell et al., Proteins 40 (2000) 389.
  private static func rotamer(_ residue: String) -> [Double] {
    switch residue {
    case "VAL": [175]
    case "THR": [-60]
    case "LEU": [-65, 175]
    case "LYS": [-67, 180, 180, 180]
    case "GLU": [-67, 180, -10]
    default: []
    }
  }

  static func file() -> StarterFile {
    let (structure, strands) = structure()
    return StarterFile(
      name: "beta-sheet",
      structure: structure,
      header: PDBHeader(
        classification: "DE NOVO PROTEIN", title: "ANTIPARALLEL BETA SHEET OF FIVE STRANDS",
        molecules: [PDBMolecule(name: "BETA STRAND VKVTLTVEV", chains: ["A", "B", "C", "D", "E"])],
        keywords: "BETA SHEET, ANTIPARALLEL, PLEATED SHEET",
        method: [
          "STRANDS: PHI -139, PSI 135 (S. ARNOTT ET AL., J. MOL. BIOL. 30 (1967) 201),",
          "4.8 A APART, PAIRED AS BY L. PAULING AND R.B. COREY, PNAS 37 (1951) 729,",
          "TWISTED BY 14 DEGREES PER STRAND, HYDROGEN BONDS DRAWN TO 2.9 A.",
          "SIDE CHAINS: COMMON ROTAMERS. BONDS AND ANGLES: ENGH AND HUBER (2001).",
        ].joined(separator: " ")),
      strands: strands)
  }
}
