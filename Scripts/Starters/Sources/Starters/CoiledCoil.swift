/// A parallel two-stranded coiled coil of four heptads.
///
/// The backbone of a straight α helix (φ −63°, ψ −42°, ideal geometry) is wound around a left-handed superhelix with
/// the residue turned by 720°/7 in the frame of the superhelix; side chains come from rotamers, then bonds, angles and
/// contacts are regularised.
///
/// - Source: F. H. C. Crick, Acta Cryst. 6 (1953) 685; radius 4.9 Å, pitch 140 Å and phase ±26° of positions a and d
///   as found in GCN4: E. K. O'Shea et al., Science 254 (1991) 539.
enum CoiledCoil {
  static let radius = 4.9
  static let pitch = 140.0
  static let risePerResidue = 1.51
  static let twistPerResidue = 720.0 / 7
  static let phase = 360.0 / 14
  static let heptads = 4
  /// Positions a to g.
  static let heptad = ["LEU", "GLU", "ALA", "LEU", "LYS", "LYS", "GLU"]

  static func structure() -> Structure {
    let count = heptads * 7
    let sequence = (0..<count).map { heptad[$0 % 7] }
    let straight = Backbone.chain(["ALA", "ALA", "ALA", "ALA", "ALA", "ALA"]) { _ in (-63, -42) }
    let axis = HelixAxis(from: straight[2], to: straight[3])
    let unit = straight[2].mapped { axis.coordinates(of: $0, reference: straight[2].ca) }
    let offset = unit.ca.z
    var structure = Structure()
    for (index, chain) in ["A", "B"].enumerated() {
      let backbone = (0..<count).map { residue in
        unit.mapped { atom in
          wound(atom - Vector(0, 0, offset), residue: Double(residue), chain: Double(index))
        }
      }
      structure.addPeptide(chain: chain, sequence: sequence, backbone: backbone) { rotamer($0 % 7) }
    }
    structure.addPeptideAngles()
    let held = Set(["N", "CA", "C", "O"])
    structure.anchors = structure.atoms.indices.map { ($0, held.contains(structure.atoms[$0].name) ? 0.5 : 0.02) }
    return structure.regularized()
  }

  /// An atom of the straight helix (x towards the residue's α carbon, z along the axis) at its place in the coil.
  private static func wound(_ atom: Vector, residue: Double, chain: Double) -> Vector {
    let length = residue * risePerResidue + atom.z
    let perTurn = (pitch * pitch + 4 * .pi * .pi * radius * radius).squareRoot()
    let turn = chain * 180 - 360 * length / perTurn
    let outwards = Vector(cosine(ofDegrees: turn), sine(ofDegrees: turn), 0)
    let around = Vector(-outwards.y, outwards.x, 0)
    let along = (pitch * Vector(0, 0, 1) - 2 * .pi * radius * around) / perTurn
    let place = radius * outwards + Vector(0, 0, pitch * length / perTurn)
    let (inwards, aside) = (-outwards, cross(along, -outwards))
    let own = phase + residue * twistPerResidue
    let x = atom.x * cosine(ofDegrees: own) - atom.y * sine(ofDegrees: own)
    let y = atom.x * sine(ofDegrees: own) + atom.y * cosine(ofDegrees: own)
    return place + x * inwards + y * aside
  }

  /// Rotamers common in helices; leucine at d turns the other way than at a.
  ///
  /// - Source: S. C. Lovell et al., Proteins 40 (2000) 389.
  private static func rotamer(_ position: Int) -> [Double] {
    switch heptad[position] {
    case "LEU": position == 0 ? [-65, 175] : [-177, 65]
    case "LYS": [-67, 180, 180, 180]
    case "GLU": [-67, 180, -10]
    default: []
    }
  }

  static func file() -> StarterFile {
    let structure = structure()
    let last = heptads * 7
    let helices = ["A", "B"].enumerated().map { index, chain in
      PDBHelix(serial: index + 1, chain: chain, first: 1, last: last)
    }
    return StarterFile(
      name: "coiled-coil",
      structure: structure,
      header: PDBHeader(
        classification: "DE NOVO PROTEIN", title: "LEFT-HANDED PARALLEL COILED COIL OF TWO ALPHA HELICES",
        molecules: [PDBMolecule(name: "COILED COIL (LEALKKE)4", chains: ["A", "B"])],
        keywords: "COILED COIL, LEUCINE ZIPPER, ALPHA HELIX, HEPTAD REPEAT",
        method: [
          "BACKBONE: STRAIGHT ALPHA HELIX (PHI -63, PSI -42) WOUND AFTER F.H.C. CRICK,",
          "ACTA CRYST. 6 (1953) 685: RADIUS 4.9 A, PITCH 140 A, RISE 1.51 A AND 102.86",
          "DEGREES PER RESIDUE, POSITIONS A AND D AT +-26 DEGREES TO THE AXIS.",
          "SIDE CHAINS: COMMON ROTAMERS. BONDS AND ANGLES: ENGH AND HUBER (2001).",
        ].joined(separator: " ")),
      helices: helices)
  }
}

extension Structure {
  /// The structure after regularisation, centred and rounded to what a PDB file holds.
  func regularized(steps: Int = 4000) -> Structure {
    var result = self
    var regularizer = Regularizer(self)
    let places = regularizer.regularized(steps: steps)
    for index in result.atoms.indices { result.atoms[index].position = places[index] }
    result.center()
    result.round()
    return result
  }
}
