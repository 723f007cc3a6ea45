/// A collagen triple helix (Gly-Pro-Hyp)8 with 7/2 symmetry.
///
/// Six torsions are fitted so that the screw of one chain is that of the 7/2 helix (8.61 Å and 360°/7 for each
/// triplet) and the amide of glycine meets the carbonyl of the proline next to it in a neighbouring chain; chains are
/// related by the screw of one residue, 2.87 Å and -720°/7.
///
/// - Source: helix: K. Okuyama et al., Biopolymers 84 (2006) 181; torsions to start from and to stay near: J. Bella
///   et al., Science 266 (1994) 75; hydrogen bond: A. Rich and F. H. C. Crick, J. Mol. Biol. 3 (1961) 483.
enum Collagen {
  static let triplets = 8
  static let screw = Screw(twist: -720.0 / 7, rise: 2.87)
  /// φ and ψ of glycine, proline and hydroxyproline.
  static let published = [-71.7, 174.1, -72.6, 163.8, -59.6, 149.8]

  static func structure() -> (Structure, torsions: [Double]) {
    let torsions = minimum(from: published, step: 3, steps: 4000) { cost($0) }
    let sequence = (0..<triplets).flatMap { _ in ["GLY", "PRO", "HYP"] }
    let first = upright(sequence, torsions)
    var structure = Structure()
    for (index, chain) in ["A", "B", "C"].enumerated() {
      let backbone = first.map { residue in
        residue.mapped { screw.applied(to: $0, times: Double(index)) }
      }
      structure.addPeptide(chain: chain, sequence: sequence, backbone: backbone) { rotamer(sequence[$0]) }
    }
    structure.addPeptideAngles()
    addHydroxylChirality(to: &structure)
    addHydrogenBonds(to: &structure)
    let held = Set(["N", "CA", "C", "O"])
    structure.anchors = structure.atoms.indices.map { ($0, held.contains(structure.atoms[$0].name) ? 0.5 : 0.02) }
    return (structure.regularized(), torsions)
  }

  /// One chain with its screw along z.
  private static func upright(_ sequence: [String], _ torsions: [Double]) -> [Backbone] {
    let chain = Backbone.chain(sequence) { (torsions[2 * ($0 % 3)], torsions[2 * ($0 % 3) + 1]) }
    let axis = HelixAxis(from: chain[0], to: chain[3])
    return chain.map { residue in
      residue.mapped { axis.coordinates(of: $0, reference: chain[0].ca) }
    }
  }

  private static func cost(_ torsions: [Double]) -> Double {
    let sequence = (0..<4).flatMap { _ in ["GLY", "PRO", "HYP"] }
    let chain = Backbone.chain(sequence) { (torsions[2 * ($0 % 3)], torsions[2 * ($0 % 3) + 1]) }
    let axis = HelixAxis(from: chain[0], to: chain[3])
    let turn = axis.twist - 360.0 / 7
    let rise = axis.rise - 3 * screw.rise
    var cost = turn * turn / 4 + rise * rise * 400
    for (value, wanted) in zip(torsions, published) { cost += (value - wanted) * (value - wanted) / 100 }
    let nearest = hydrogenBondLength(upright(sequence, torsions)) - 2.9
    return cost + nearest * nearest * 100
  }

  /// The distance from the nitrogen of a glycine to the nearest carbonyl of a proline in another chain.
  private static func hydrogenBondLength(_ chain: [Backbone]) -> Double {
    var nearest = Double.infinity
    for place in stride(from: 1, to: chain.count, by: 3) {
      for times in [-2.0, -1, 1, 2] {
        let oxygen = screw.applied(to: chain[place].o, times: times)
        for glycine in [3, 6] { nearest = min(nearest, (chain[glycine].n - oxygen).length) }
      }
    }
    return nearest
  }

  private static func addHydrogenBonds(to structure: inout Structure) {
    for donor in structure.residues.indices where structure.residues[donor].name == "GLY" {
      guard let n = structure.atom("N", in: donor) else { continue }
      for acceptor in structure.residues.indices
      where structure.residues[acceptor].name == "PRO"
        && structure.residues[acceptor].chain != structure.residues[donor].chain
      {
        guard let o = structure.atom("O", in: acceptor) else { continue }
        let distance = (structure.atoms[n].position - structure.atoms[o].position).length
        if distance < 3.5 {
          structure.goals.append(DistanceGoal(first: n, second: o, distance: 2.9, weight: 10))
        }
      }
    }
  }

  /// Carbon 4 of hydroxyproline is R: oxygen, CD, CB run clockwise seen from the side away from the hydrogen.
  private static func addHydroxylChirality(to structure: inout Structure) {
    for residue in structure.residues.indices where structure.residues[residue].name == "HYP" {
      guard let center = structure.atom("CG", in: residue), let oxygen = structure.atom("OD1", in: residue),
        let delta = structure.atom("CD", in: residue), let beta = structure.atom("CB", in: residue)
      else { continue }
      structure.chirality.append(
        ChiralCenter(center: center, first: oxygen, second: delta, third: beta, isPositive: false))
    }
  }

  /// Ring puckers: down (Cγ endo) in the second place of a triplet, up (Cγ exo) in the third.
  private static func rotamer(_ residue: String) -> [Double] {
    switch residue {
    case "PRO": [28, -38]
    case "HYP": [-26, 39]
    default: []
    }
  }

  static func file() -> StarterFile {
    let (structure, torsions) = structure()
    let names = ["PHI(GLY)", "PSI(GLY)", "PHI(PRO)", "PSI(PRO)", "PHI(HYP)", "PSI(HYP)"]
    let fitted = zip(names, torsions).map { "\($0) \(fixed($1, 1))" }
    return StarterFile(
      name: "collagen",
      structure: structure,
      header: PDBHeader(
        classification: "STRUCTURAL PROTEIN", title: "COLLAGEN TRIPLE HELIX (GLY-PRO-HYP)8",
        molecules: [PDBMolecule(name: "COLLAGEN MODEL PEPTIDE (GLY-PRO-HYP)8", chains: ["A", "B", "C"])],
        keywords: "COLLAGEN, TRIPLE HELIX, HYDROXYPROLINE",
        method: [
          "HELIX: 7/2 SYMMETRY, 2.87 A AND -102.86 DEGREES PER RESIDUE (K. OKUYAMA ET AL.,",
          "BIOPOLYMERS 84 (2006) 181). TORSIONS FITTED TO IT FROM THOSE OF J. BELLA ET AL.,",
          "SCIENCE 266 (1994) 75: " + fitted.prefix(3).joined(separator: ", ") + ",",
          fitted.suffix(3).joined(separator: ", ") + ".",
          "BONDS AND ANGLES: ENGH AND HUBER (2001), THEN REGULARISED.",
        ].joined(separator: " ")))
  }
}
