import TestSupport
import Testing

@testable import Molecules

/// Tests of drawing cyclic chains, gaps, modified bases and virtual sites.
struct ChainDrawingTests {
  /// Returns residues of N, CA and C, evenly on a circle; the last C is bonded to the first N if the circle is closed.
  private func ring(_ count: Int, closed: Bool) throws -> Structure {
    let length = 3.8 * Double(count)
    let radius = length / (2 * Double.pi)
    let total = closed ? count * 3 : count * 3 + 6
    let atoms = (0..<count * 3).map { index -> String in
      let angle = SineAndCosine.of(2 * .pi * Double(index) / Double(total))
      let name = ["N", "CA", "C"][index % 3]
      return Fixture.atom(
        index + 1, name, "GLY", index / 3 + 1, radius * angle.cosine, radius * angle.sine, 0,
        element: name == "N" ? " N" : " C")
    }
    return try Fixture.pdb(atoms)
  }

  private func geometry(_ structure: Structure, _ mode: RenderMode = .cartoon) -> MoleculeGeometry {
    MoleculeGeometry(structure, model: 0, bonds: [], mode: mode, scheme: nil)
  }

  @Test func `a cyclic chain is closed with a smooth joint`() throws {
    let trace = try #require(geometry(try ring(10, closed: true)).traces.first)
    #expect(trace.isClosed && trace.residueCount == 10)
    #expect(trace.nodes.first == trace.nodes.last)
    let path = RibbonPath(trace)
    let (start, end) = (path.frame(at: 0), path.frame(at: 10))
    #expect((start.position - end.position).length < 1e-4 && start.along.dot(end.along) > 0.999)
    #expect(geometry(try ring(10, closed: false)).traces.first?.isClosed == false)
  }

  /// Residues 4 and 5 are missing; after 8 the numbers continue, so there is no gap.
  @Test func `missing residues are dashed`() throws {
    let atoms = [1, 2, 3, 6, 7, 8, 9, 10].enumerated().map { index, number in
      Fixture.atom(
        index, "CA", "ALA", number, Double(number) * 3.8 + (number > 8 ? 3 : 0), 0, 0, element: " C")
    }
    let molecule = geometry(try Fixture.pdb(atoms))
    #expect(molecule.traces.map(\.residueCount) == [3, 3, 2])
    #expect(molecule.gaps.map(\.startAtom) == [2] && molecule.gaps.map(\.endAtom) == [3])
    for mode in [RenderMode.cartoon, .backbone] {
      let sticks = SceneBuilder(mode: mode).scene(of: geometry(try Fixture.pdb(atoms), mode)).cylinders
      let dashes = sticks.filter { $0.radius < 0.2 }
      // 11.4 Å fit seven dashes of 0.8 Å; the middle one has two colors, so two sticks.
      #expect(dashes.count == 8, "\(mode)")
      #expect(dashes.allSatisfy { $0.start.x > 3 * 3.8 && $0.end.x < 6 * 3.8 })
    }
  }

  @Test func `a large gap in a chain is not dashed`() throws {
    let atoms = [1, 2, 4, 5].enumerated().map { index, number in
      Fixture.atom(index, "CA", "ALA", number, Double(number) * 3.8 + (number > 2 ? 50 : 0), 0, 0, element: " C")
    }
    #expect(geometry(try Fixture.pdb(atoms)).gaps.isEmpty)
  }

  /// Returns the code of a nucleotide with the named atoms, all at one position.
  private func code(_ name: String, _ atoms: [String]) throws -> UInt8 {
    let lines = atoms.enumerated().map { Fixture.atom($0 + 1, $1, name, 1, Double($0) * 1.4, 0, 0) }
    let structure = try Fixture.pdb(lines)
    var row = structure.residues[0]
    row.kind = .polymer
    return ResidueCode.code(of: row, in: structure, byName: ResidueCode.code(ofResidue: name))
  }

  @Test func `a modified base has the color of its parent base`() throws {
    let purine = ["C1'", "N9", "C8", "N7", "C5", "C6", "N1", "C2", "N3", "C4"]
    let pyrimidine = ["C1'", "N1", "C2", "N3", "C4", "C5", "C6"]
    #expect(try code("I", purine + ["O2'", "O6"]) == 7)
    #expect(try code("DI", purine + ["O6"]) == 3)
    #expect(try code("1MA", purine + ["O2'", "N6", "CM1"]) == 5)
    #expect(try code("M2G", purine + ["O2'", "O6", "N2"]) == 7)
    #expect(try code("6OG", purine + ["O6", "N2"]) == 3)
    #expect(try code("5MC", pyrimidine + ["O2'", "N4"]) == 6)
    #expect(try code("PSU", ["C1'", "N1", "C2", "N3", "C4", "C5", "C6", "O2'", "O4"]) == 8)
    #expect(try code("BRU", pyrimidine + ["O4", "BR"]) == 4)
    #expect(try code("LIG", ["C1", "C2"]) == 0)
  }

  @Test func `a virtual site of water is drawn as a point`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(4, "OW", "SOL", 4, 9, 5, 5, element: " O"), Fixture.atom(5, "MW", "SOL", 4, 9, 5, 5.15),
    ])
    let balls = SceneBuilder(mode: .spacefilling).scene(of: MoleculeGeometry(structure)).spheres
    #expect(balls[1].radius == 0.1 && balls[1].color == RGBColor(0xFF1493) && balls[0].radius > 1)
    let sticks = SceneBuilder(mode: .sticks).scene(of: MoleculeGeometry(structure)).spheres
    #expect(sticks[1].radius == 0.1 && sticks[0].radius > 0.3)
  }
}
