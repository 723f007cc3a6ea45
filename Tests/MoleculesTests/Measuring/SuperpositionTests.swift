import Foundation
import PluginText
import TestSupport
import Testing

@testable import Molecules

struct SuperpositionTests {
  private func random(_ count: Int, seed: UInt64) -> [SIMD3<Double>] {
    var generator = SplitMix64(seed: seed)
    func number() -> Double { Double(generator.next() >> 11) / Double(1 << 53) * 20 - 10 }
    return (0..<count).map { _ in SIMD3(number(), number(), number()) }
  }

  private func determinant(_ motion: Transform) -> Double {
    (motion.row0.cross(motion.row1) * motion.row2).sum()
  }

  @Test func `a moved copy is superposed exactly`() {
    let points = random(50, seed: 1)
    let length = 30.0.squareRoot()
    var motion = Transform(quaternion: SIMD4(1, 2, 3, 4) / length)
    motion.translation = SIMD3(5, -6, 7)
    let fit = RigidFit(points, onto: points.map { motion.apply($0) })
    #expect(fit.rmsd < 1e-12 && !fit.isAmbiguous)
    #expect((fit.motion.row0 - motion.row0).length < 1e-12)
    #expect((fit.motion.row2 - motion.row2).length < 1e-12)
    #expect((fit.motion.translation - motion.translation).length < 1e-11)
  }

  @Test func `a mirror image is rotated, not reflected`() {
    let points = random(40, seed: 2)
    let fit = RigidFit(points, onto: points.map { SIMD3(-$0.x, $0.y, $0.z) })
    #expect(abs(determinant(fit.motion) - 1) < 1e-12)
    #expect(fit.rmsd > 1)
  }

  @Test func `degenerate point sets have a rotation too`() {
    let one = RigidFit([SIMD3(1, 2, 3)], onto: [SIMD3(4, 5, 6)])
    #expect(one.isAmbiguous && one.rmsd == 0 && one.motion.row0 == SIMD3(1, 0, 0))
    #expect(one.motion.translation == SIMD3(3, 3, 3))
    let line = (0..<5).map { SIMD3<Double>(Double($0), 0, 0) }
    let upright = (0..<5).map { SIMD3<Double>(0, Double($0), 0) }
    let lines = RigidFit(line, onto: upright)
    #expect(lines.isAmbiguous && lines.rmsd < 1e-12 && abs(determinant(lines.motion) - 1) < 1e-12)
    let plane = [SIMD3<Double>(0, 0, 0), SIMD3(3, 0, 0), SIMD3(0, 1, 0), SIMD3(3, 1, 0)]
    let turned = RigidFit(plane, onto: plane.map { SIMD3($0.y, $0.z, $0.x) })
    #expect(!turned.isAmbiguous && turned.rmsd < 1e-12 && abs(determinant(turned.motion) - 1) < 1e-12)
    let same = RigidFit(Array(repeating: SIMD3(1, 1, 1), count: 4), onto: Array(repeating: SIMD3(2, 2, 2), count: 4))
    #expect(same.isAmbiguous && same.rmsd == 0)
  }

  @Test func `no rotation near the result fits better`() {
    let (points, others) = (random(30, seed: 3), random(30, seed: 4))
    let fit = RigidFit(points, onto: others)
    let center = points.reduce(.zero, +) / 30
    let target = others.reduce(.zero, +) / 30
    func rmsd(_ turn: Transform) -> Double {
      let squares = zip(points, others).map { a, b -> Double in
        let step = turn.apply(fit.motion.apply(a) - target) + target - b
        return (step * step).sum()
      }
      return (squares.reduce(0, +) / 30).squareRoot()
    }
    #expect((fit.motion.apply(center) - target).length < 1e-12)
    for axis in 0..<3 {
      for angle in [-0.01, 0.01] {
        var quaternion = SIMD4<Double>(1, 0, 0, 0)
        quaternion[axis + 1] = angle
        #expect(rmsd(Transform(quaternion: quaternion / (quaternion * quaternion).sum().squareRoot())) > fit.rmsd)
      }
    }
  }

  @Test func `sequences are aligned with gaps at the right positions`() {
    func codes(_ text: String) -> [UInt8] {
      let names = [
        "A": "ALA", "C": "CYS", "D": "ASP", "E": "GLU", "G": "GLY", "K": "LYS", "L": "LEU", "W": "TRP", "Y": "TYR",
      ]
      return text.map { SubstitutionScores.code(ofResidue: names[String($0)] ?? "") }
    }
    let whole = SequenceAlignment(codes("ACDEGKLWY"), codes("ACDEGKLWY"))
    #expect(whole.pairs == (0..<9).map { SIMD2(Int32($0), Int32($0)) })
    // 4 + 9 + 6 + 5 + 6 + 5 + 4 + 11 + 7
    #expect(whole.score == 57)
    let gap = SequenceAlignment(codes("WYWYCCWYWY"), codes("WYWYWYWY"))
    #expect(gap.pairs.map { $0.x } == [0, 1, 2, 3, 6, 7, 8, 9])
    #expect(gap.pairs.map { $0.y } == Array(0..<8))
    // Two positions of a gap: 12 for opening with the first, 1 for the second.
    #expect(gap.score == 4 * 18 - 13)
    let end = SequenceAlignment(codes("WYWY"), codes("ACDWYWYGG"))
    #expect(end.pairs.map { $0.y } == [3, 4, 5, 6] && end.score == 36)
    #expect(SequenceAlignment([], codes("ACD")).pairs.isEmpty)
    #expect(SequenceAlignment([], []).score == 0)
    #expect(!SequenceAlignment.isPossible(100_000, 100_000))
  }

  private func structure(_ file: String) throws -> Structure {
    let url = try #require(SharedData.molecules).appendingPathComponent(file)
    return try StructureFile.read(bytes: Array(Data(contentsOf: url)), name: file)
  }

  private func part(_ structure: Structure, _ chain: String) -> SuperpositionPart {
    SuperpositionPart(structure: structure, name: chain, chain: chain)
  }

  /// The figures are from gemmi 0.7.5's calculate_superposition with CA atoms.
  @Test(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
  func `superpositions of chains of 1AKE and 4HHB match gemmi's`() throws {
    let kinase = try structure("cif/1ake.cif.gz")
    let options = Superposition.Options()
    let result = try Superposition(part(kinase, "A"), onto: part(kinase, "B"), options)
    #expect(result.keptCount == 214 && abs(result.fit.rmsd - 0.3519874358232194) < 1e-9)
    let rows: [SIMD3<Double>] = [
      SIMD3(-0.9986720920601713, 0.028991022423907886, -0.04258606766275441),
      SIMD3(0.04158308505748355, 0.9416052045081423, -0.3341414159907166),
      SIMD3(0.030412161667042262, -0.3354685670252811, -0.9415603756322489),
    ]
    let motion = result.fit.motion
    #expect(zip([motion.row0, motion.row1, motion.row2], rows).allSatisfy { ($0 - $1).length < 1e-9 })
    let translation = SIMD3<Double>(39.824893770849826, -31.914048051973708, 53.79002848966468)
    #expect((motion.translation - translation).length < 1e-7)
    var trimming = options
    trimming.cycles = 5
    let trimmed = try Superposition(part(kinase, "A"), onto: part(kinase, "B"), trimming)
    #expect(trimmed.keptCount == 198 && abs(trimmed.fit.rmsd - 0.28598829795951924) < 1e-9)
    var backbone = options
    backbone.atoms = .backbone
    let main = try Superposition(part(kinase, "A"), onto: part(kinase, "B"), backbone)
    #expect(main.keptCount == 856 && abs(main.fit.rmsd - 0.38439592701628666) < 1e-9)
    let haemoglobin = try structure("pdb/4hhb.pdb.gz")
    let alpha = try Superposition(part(haemoglobin, "A"), onto: part(haemoglobin, "C"), options)
    #expect(alpha.keptCount == 141 && abs(alpha.fit.rmsd - 0.2970489395008317) < 1e-9)
    let beta = try Superposition(part(haemoglobin, "B"), onto: part(haemoglobin, "D"), options)
    #expect(beta.keptCount == 146 && abs(beta.fit.rmsd - 0.36364874951889903) < 1e-9)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
  func `alpha and beta chains of hemoglobin are paired by sequence, with gaps`() throws {
    let structure = try structure("pdb/4hhb.pdb.gz")
    var options = Superposition.Options()
    options.cycles = 10
    let result = try Superposition(part(structure, "A"), onto: part(structure, "B"), options)
    // The heme-binding histidines: alpha 58 and 87, beta 63 and 92.
    let numbers = result.pairing.chains.flatMap(\.residues).map {
      (structure.residues[Int($0.x)].number, structure.residues[Int($0.y)].number)
    }
    #expect(numbers.contains { $0 == (58, 63) } && numbers.contains { $0 == (87, 92) })
    #expect(numbers.count > 135 && result.fit.rmsd < 1.3)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
  func `whole molecules are paired chain by chain, by sequence and by number`() throws {
    let structure = try structure("pdb/4hhb.pdb.gz")
    let whole = SuperpositionPart(structure: structure, name: "4hhb")
    for rule in ResiduePairing.Rule.allCases {
      var options = Superposition.Options()
      options.rule = rule
      let result = try Superposition(whole, onto: whole, options)
      #expect(result.keptCount == 574 && result.fit.rmsd < 1e-12)
      #expect(result.pairing.chains.allSatisfy { $0.first == $0.second } && result.pairing.chains.count == 4)
      options.atoms = .all
      #expect(try Superposition(whole, onto: whole, options).keptCount > (rule == .number ? 4550 : 4380))
    }
    #expect(throws: SuperpositionError.unknownChain("Q", name: "Q", known: ["A", "B", "C", "D"])) {
      try Superposition(part(structure, "Q"), onto: whole, Superposition.Options())
    }
    let nothing = AtomSelection(atomCount: structure.atoms.count)
    let none = SuperpositionPart(structure: structure, name: "4hhb", selection: nothing)
    #expect(throws: SuperpositionError.nothingToPair(name: "4hhb")) {
      try Superposition(none, onto: whole, Superposition.Options())
    }
  }

  /// RMSD from the first model by gemmi 0.7.5 and biotite 1.6.0, from the mean by NumPy's SVD after 200 rounds.
  @Test(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
  func `the models of 1L2Y are superposed on the first and on their mean`() throws {
    let structure = try structure("pdb/1l2y.pdb.gz")
    let result = try EnsembleAlignment(structure, selection: nil, atoms: .trace)
    #expect(result.rows.count == 38 && result.atomCount == 20)
    let first = [0.0, 0.784264, 1.007577, 0.551803, 0.806635, 1.060668]
    #expect(zip(result.rows, first).allSatisfy { abs($0.rmsdToFirst - $1) < 1e-6 })
    #expect(zip(result.rows, [0.74455981, 0.28186496, 0.40991118]).allSatisfy { abs($0.rmsdToMean - $1) < 1e-6 })
    #expect(abs(result.rmsd - 0.49683445834186496) < 1e-6)
  }
}
