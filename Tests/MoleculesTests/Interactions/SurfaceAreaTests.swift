import PluginAPI
import TestSupport
import Testing

@testable import Molecules

struct SurfaceAreaTests {
  private func area(_ lines: [String], probe: SurfaceArea.Probe = .init()) throws -> SurfaceArea {
    try #require(SurfaceArea(try Fixture.pdb(lines), probe: probe))
  }

  /// A carbon of 1.7 Å and a probe of 1.4 Å: a sphere of 3.1 Å, 120.763 Å².
  @Test func `a lone atom has the area of its sphere`() throws {
    let lone = try area([Fixture.atom(1, "C1", "LIG", 1, 0, 0, 0, element: " C")])
    #expect(abs(lone.total - 120.762_8) < 1e-3)
  }

  /// Two spheres of 3.1 Å at 2 Å: each loses a cap of height 2.1 Å, 2π · 3.1 · 2.1 = 40.904 Å².
  @Test func `two atoms each lose a cap of their spheres`() throws {
    let pair = try area([
      Fixture.atom(1, "C1", "LIG", 1, 0, 0, 0, element: " C"), Fixture.atom(2, "C2", "LIG", 1, 2, 0, 0, element: " C"),
    ])
    // 960 points determine an area to about a thousandth of the sphere.
    #expect(pair.areas.allSatisfy { abs($0 - (120.762_8 - 40.903_5)) < 0.3 })
  }

  @Test func `water, hydrogens and other alternate locations have no surface`() throws {
    let some = try area([
      Fixture.atom(1, "C1", "LIG", 1, 0, 0, 0, altloc: "A", element: " C"),
      Fixture.atom(2, "C1", "LIG", 1, 0.5, 0, 0, altloc: "B", element: " C"),
      Fixture.atom(3, "H1", "LIG", 1, 1, 0, 0, element: " H"), Fixture.atom(4, "O", "HOH", 2, 2, 0, 0, element: " O"),
    ])
    #expect(some.atoms == [0])
    #expect(abs(some.total - 120.762_8) < 1e-3)
  }

  /// biotite 1.6.0 with 5000 points and the same radii: 2970.93 Å²; residues 1 to 5: 72.13, 25.15, 0, 0 and 56.16 Å².
  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `the area of crambin matches another program's`() throws {
    let structure = try Truth.structure("pdb/1crn.pdb")
    let area = try #require(SurfaceArea(structure))
    #expect(abs(area.total - 2970.93) < 6)
    let table = StructureRow.table(of: ResidueArea.all(area, of: structure), in: structure)
    #expect(table.rowCount == 46)
    let found = (0..<5).compactMap { table.row($0)["area"]?.number }
    #expect(zip(found, [72.13, 25.15, 0, 0, 56.16]).allSatisfy { abs($0 - $1) < 0.8 })
    // 72.1 of 172 Å².
    #expect(abs((table.row(0)["relative"]?.number ?? 0) - 0.419) < 0.006)
  }

  @Test func `the points of a sphere are evenly distributed on it`() {
    let points = SurfaceArea.sphere(960)
    #expect(points.allSatisfy { abs(($0 * $0).sum() - 1) < 1e-5 })
    let sum = points.reduce(SIMD3<Float>.zero, +)
    #expect((sum * sum).sum() < 1e-2)
    // An even share of the sphere is 0.114 wide; no two points are closer than three quarters of that.
    var nearest = Float.infinity
    for (place, point) in points.enumerated() {
      for other in points[..<place] { nearest = min(nearest, ((point - other) * (point - other)).sum()) }
    }
    #expect(nearest.squareRoot() > 0.075)
  }

  @Test func `the computation can be stopped`() throws {
    let lines = (0..<2000).map {
      Fixture.atom($0, "C1", "LIG", $0, Double($0 % 100), Double($0 / 100), 0, element: " C")
    }
    #expect(SurfaceArea(try Fixture.pdb(lines), probe: .init(pointCount: 10), progress: { _ in false }) == nil)
  }
}
