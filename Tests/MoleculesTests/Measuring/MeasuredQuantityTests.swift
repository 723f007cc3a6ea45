import Foundation
import TestSupport
import Testing

@testable import Molecules

struct MeasuredQuantityTests {
  @Test func `the arc tangent agrees with the C library's`() {
    var worst = 0.0
    for step in -1000...1000 {
      let angle = Double(step) * 0.0031415
      for length in [1e-3, 1, 1e5] {
        let (y, x) = (length * sin(angle), length * cos(angle))
        worst = max(worst, abs(ArcTangent.degrees(y, x) - atan2(y, x) * 180 / .pi))
      }
    }
    #expect(worst < 1e-12)
    #expect(ArcTangent.degrees(0, -1) == 180 && ArcTangent.degrees(0, 0) == 0 && ArcTangent.degrees(1, 0) == 90)
  }

  @Test func `distances, angles and dihedrals of simple points are exact`() {
    let (o, x, y) = (SIMD3<Double>(0, 0, 0), SIMD3<Double>(1, 0, 0), SIMD3<Double>(0, 1, 0))
    #expect(MeasuredQuantity.distance.value([x, -x]) == 2)
    #expect(MeasuredQuantity.angle.value([x, o, y]) == 90)
    #expect(MeasuredQuantity.angle.value([x, o, -x]) == 180)
    #expect(MeasuredQuantity.dihedral.value([x, o, SIMD3(0, 0, 1), SIMD3(1, 0, 1)]) == 0)
    // Clockwise seen from the second point to the third is positive.
    #expect(MeasuredQuantity.dihedral.value([x, SIMD3(0, 0, 1), o, y]) == -90)
    #expect(MeasuredQuantity.dihedral.value([x, o, SIMD3(0, 0, 1), y + SIMD3(0, 0, 1)]) == 90)
    #expect(MeasuredQuantity.dihedral.value([x, o, SIMD3(0, 0, 1), SIMD3(-1, 0, 1)]) == 180)
    #expect(MeasuredQuantity.angle.value([o, o, y]) == nil)
    #expect(MeasuredQuantity.dihedral.value([o, x, 2 * x, y]) == nil)
  }

  private func structure(_ file: String) throws -> Structure {
    let url = try #require(SharedData.molecules).appendingPathComponent(file)
    return try StructureFile.read(bytes: Array(Data(contentsOf: url)), name: file)
  }

  /// The distance is from pdb-benchmarks; the other figures are from gemmi 0.7.5.
  @Test(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
  func `distances and angles in 1AKE match gemmi's`() throws {
    let structure = try structure("cif/1ake.cif.gz")
    func atoms(_ text: String) throws -> AtomSelection { try Selection(text).atoms(of: structure, model: 0) }
    let nearest = try #require(try atoms("A/50/").nearestPair(to: atoms("A/60/"), of: structure))
    #expect(abs(nearest.distance - 9.57605) < 5e-6)
    let places = try [50, 60, 70, 80].compactMap { try atoms("A/\($0)/CA").centroid(of: structure) }
    #expect(abs((MeasuredQuantity.distance.value(Array(places[..<2])) ?? 0) - 12.111045949875678) < 1e-9)
    #expect(abs((MeasuredQuantity.angle.value(Array(places[..<3])) ?? 0) - 88.037036666806) < 1e-9)
    #expect(abs((MeasuredQuantity.dihedral.value(places) ?? 0) - 104.91853745667188) < 1e-9)
    let centers = try ["A/50/", "A/60/"].compactMap { try atoms($0).centroid(of: structure) }
    #expect(abs((MeasuredQuantity.distance.value(centers) ?? 0) - 13.60813099431653) < 1e-9)
  }

  /// The figures are from gemmi 0.7.5.
  @Test(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
  func `phi, psi and omega of crambin match gemmi's`() throws {
    let structure = try structure("pdb/1crn.pdb")
    let all = Torsions.all(of: structure, model: 0)
    func angle(_ number: Int, _ name: String) -> Double {
      all.first { structure.residues[$0.residue].number == number && $0.name == name }?.degrees ?? .nan
    }
    let expected = [
      (1, "psi", 147.6600264500666), (1, "omega", 178.87600359070544), (2, "phi", -107.8325731657609),
      (2, "psi", 144.3462411905566), (2, "omega", -179.45315268180397), (10, "phi", -63.19341174490467),
      (10, "psi", -43.303485853157554), (46, "phi", -112.85138268880746),
    ]
    for (number, name, value) in expected { #expect(abs(angle(number, name) - value) < 1e-9, "\(number) \(name)") }
    let backbone = all.filter { $0.name == "phi" || $0.name == "psi" }
    #expect(backbone.count == 90)
    #expect(abs(backbone.reduce(0) { $0 + $1.degrees } - -2244.6876856223694) < 1e-8)
    #expect(angle(1, "phi").isNaN && angle(46, "psi").isNaN)
    #expect(!angle(10, "chi4").isNaN && angle(20, "chi1").isNaN)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
  func `nucleotides have six backbone torsions and chi, and those of B-DNA are in range`() throws {
    let structure = try structure("pdb/1bna.pdb")
    let all = Torsions.all(of: structure, model: 0)
    let inner = all.filter { structure.residues[$0.residue].number == 6 }
    #expect(inner.map(\.name) == ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "chi"])
    let deltas = all.filter { $0.name == "delta" }.map(\.degrees)
    #expect(deltas.count == 24 && deltas.allSatisfy { $0 > 70 && $0 < 170 })
  }
}
