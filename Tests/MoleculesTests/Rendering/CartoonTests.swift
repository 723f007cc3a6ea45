import Foundation
import TestSupport
import Testing

@testable import Molecules

/// Tests of traces and meshes of cartoons, on synthetic chains and on the starters.
struct CartoonTests {
  /// Returns the positions of the alpha carbons of an ideal alpha helix: 100° and 1.5 Å per residue, 2.3 Å from the
  /// axis.
  private func helix(_ count: Int) -> [SIMD3<Float>] {
    (0..<count).map { index in
      let column = Rotation(about: SIMD3(0, 0, 1), degrees: Float(index) * 100).matrix.first
      return SIMD3(column.x * 2.3, column.y * 2.3, Float(index) * 1.5)
    }
  }

  private func trace(_ places: [SIMD3<Float>], _ shape: SecondaryShape) -> BackboneTrace {
    BackboneTrace(
      polymer: .protein,
      nodes: places.enumerated().map { .init(position: $0.element, shape: shape, atom: Int32($0.offset)) })
  }

  private func structure(_ starter: String) throws -> Structure {
    try StructureFile.read(
      bytes: Array(
        Data(
          contentsOf: Checkout.root.appending(path: "Plugins/Molecules/Resources/Starters/\(starter).pdb"))),
      name: starter)
  }

  @Test func `a line through a helix keeps its distance from the axis`() {
    let path = RibbonPath(trace(helix(20), .helix))
    let distances = stride(from: Float(3), through: 16, by: 0.1).map { position -> Float in
      let place = path.frame(at: position).position
      return SIMD3(place.x, place.y, 0).length
    }
    #expect(distances.allSatisfy { abs($0 - 2.3) < 0.06 })
  }

  @Test func `frames along a path are orthogonal and change smoothly`() {
    for shape in SecondaryShape.allCases {
      let path = RibbonPath(trace(helix(12), shape))
      let frames = stride(from: Float(0), through: 11, by: 0.05).map { path.frame(at: $0) }
      let isSquare = frames.allSatisfy { frame in
        abs(frame.along.dot(frame.across)) < 1e-4 && (frame.across.cross(frame.normal) - frame.along).length < 1e-3
      }
      #expect(isSquare)
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.across.dot($1.across) > 0.9 })
    }
  }

  @Test func `alternating carbonyl groups do not twist a strand`() {
    var strand = trace((0..<8).map { SIMD3(Float($0) * 3.3, $0 % 2 == 0 ? 0.9 : -0.9, 0) }, .strand)
    for index in strand.nodes.indices { strand.nodes[index].side = SIMD3(0, 0.1, index % 2 == 0 ? 1 : -1).normalized }
    let path = RibbonPath(strand)
    let frames = stride(from: Float(0), through: 7, by: 0.1).map { path.frame(at: $0) }
    #expect(frames.allSatisfy { abs($0.across.z) > 0.95 })
    #expect(Set(frames.map { $0.across.z > 0 }).count == 1)
    // The pleats of 1.8 Å are nearly gone.
    #expect(frames.filter { $0.position.x > 6 && $0.position.x < 17 }.allSatisfy { abs($0.position.y) < 0.3 })
  }

  @Test(arguments: SecondaryShape.allCases)
  func `ribbons are closed solids that face outward`(shape: SecondaryShape) {
    for style in [CartoonStyle(), .suited(toResidues: 1000), .suited(toResidues: 10_000)] {
      let mesh = CartoonBuilder.build([trace(helix(14), shape)], style: style).mesh
      let check = MeshCheck(mesh)
      #expect(mesh.isComplete && !mesh.isEmpty)
      #expect(check.openEdges == 0 && check.faults == 0)
      #expect(Double(check.turnedTriangles) < 0.02 * Double(mesh.triangles.count))
      #expect(check.volume > 5)
    }
  }

  @Test func `an arrow is wider than its strand and ends in a point`() {
    let style = CartoonStyle()
    let line = (0..<8).map { SIMD3(Float($0) * 3.4, 0, 0) }
    let mesh = CartoonBuilder.build([trace(line, .strand)], style: style).mesh
    let span = mesh.positions.map { max(abs($0.y), abs($0.z)) }
    let widest = zip(mesh.positions, span).max { $0.1 < $1.1 }
    #expect(abs((widest?.1 ?? 0) - style.arrowWidth) < 0.05)
    #expect(abs((widest?.0.x ?? 0) - (7 - style.arrowLength) * 3.4) < 0.05)
    let tip = zip(mesh.positions, span).filter { $0.0.x > 23.7 }.map(\.1)
    #expect((tip.max() ?? 9) < 0.4 && !tip.isEmpty)
  }

  @Test func `a single residue is not a strand`() {
    var lone = trace(helix(9), .coil)
    lone.nodes[4].shape = .strand
    #expect(CartoonBuilder.strands(lone).isEmpty)
    lone.nodes[5].shape = .strand
    #expect(CartoonBuilder.strands(lone) == [4...5])
  }

  @Test func `a trace breaks where residues are too far apart`() throws {
    let lines = (0..<6).map { index in
      Fixture.atom(index, "CA", "ALA", index + 1, Double(index) * 3.8 + (index > 2 ? 0.8 : 0), 0, 0, element: " C")
    }
    let structure = try Fixture.pdb(lines)
    let found = BackboneTracer.trace(structure, model: 0, shapes: [])
    #expect(found.traces.map(\.nodes.count) == [3, 3])
    #expect(found.isTraced == Array(repeating: true, count: 6))
  }

  @Test func `calcium and ligands with an atom called CA are not part of the trace`() throws {
    let chain = (0..<3).map { Fixture.atom($0, "CA", "GLY", $0 + 1, Double($0) * 3.8, 0, 0, element: " C") }
    let structure = try Fixture.pdb(
      chain + [
        Fixture.atom(4, "CA", "LIG", 4, 11.4, 0, 0, element: " C", record: "HETATM"),
        Fixture.atom(5, "CA", "CA", 5, 3.8, 3, 0, element: "CA", record: "HETATM"),
        Fixture.atom(6, "CA", "ALA", 6, 11.4, 3, 0, element: "CA"),
      ])
    let found = BackboneTracer.trace(structure, model: 0, shapes: [])
    #expect(found.traces.map(\.nodes.count) == [3])
    #expect(found.isTraced == [true, true, true, false, false, false])
  }

  @Test func `one of two residue types at the same position is traced`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "CA", "GLY", 1, 0, 0, 0, element: " C"),
      Fixture.atom(2, "CA", "SER", 2, 3.8, 0, 0, altloc: "A", element: " C"),
      Fixture.atom(3, "CA", "PRO", 2, 3.9, 0.5, 0, altloc: "B", element: " C"),
      Fixture.atom(4, "CA", "ALA", 3, 7.6, 0, 0, element: " C"),
    ])
    #expect(BackboneTracer.trace(structure, model: 0, shapes: []).traces.map(\.nodes.count) == [3])
  }

  @Test func `a double helix has two traces and a base for every nucleotide`() throws {
    let structure = try structure("b-dna")
    let found = BackboneTracer.trace(structure, model: 0, shapes: [])
    #expect(found.traces.map(\.residueCount) == [12, 12])
    #expect(found.traces.map(\.bases.count) == [12, 12])
    let outlines = Set(found.traces.flatMap(\.bases).map(\.outline.count))
    #expect(outlines == [6, 9])
    let cartoon = CartoonBuilder.build(found.traces, style: CartoonStyle())
    #expect(cartoon.sticks.count == 24)
    #expect(MeshCheck(cartoon.mesh).openEdges == 0)
  }

  @Test func `base slabs are closed and flat`() throws {
    let base = try #require(
      BackboneTracer.trace(try structure("b-dna"), model: 0, shapes: []).traces.first?.bases.first)
    let check = MeshCheck(BaseSlab.mesh(base, height: 0.3, margin: 0.4))
    #expect(check.openEdges == 0 && check.turnedTriangles == 0 && check.faults == 0)
    #expect(check.volume > 4 && check.volume < 25)
  }

  @Test func `molecules without a polymer are drawn as atoms`() throws {
    let structure = try structure("caffeine")
    let geometry = MoleculeGeometry(structure, model: 0, bonds: [], mode: .cartoon, scheme: nil)
    let scene = SceneBuilder(mode: .cartoon).scene(of: geometry)
    #expect(scene.mesh.isEmpty && scene.spheres.count == 24)
  }

  @Test func `waters are hidden in cartoons, and ions are not`() throws {
    let structure = try Fixture.pdb(
      (0..<3).map { Fixture.atom($0, "CA", "GLY", $0 + 1, Double($0) * 3.8, 0, 0, element: " C") } + [
        Fixture.atom(5, "ZN", "ZN", 5, 3.8, 6, 0, element: "ZN", record: "HETATM"),
        Fixture.atom(6, "O", "HOH", 6, 3.8, 3, 0, element: " O", record: "HETATM"),
      ])
    for mode in [RenderMode.cartoon, .backbone] {
      let geometry = MoleculeGeometry(structure, model: 0, bonds: [], mode: mode, scheme: .chain)
      let atoms = SceneBuilder(mode: mode, scheme: .chain).scene(of: geometry).spheres.map(\.atom)
      #expect(atoms.contains(3) && !atoms.contains(4))
    }
  }

  @Test func `a trace of coincident residues gives a mesh without faults`() {
    for count in 0..<4 {
      let broken = BackboneTrace(
        polymer: .nucleic, nodes: (0..<count).map { _ in .init(position: .zero, shape: .helix, atom: 0) })
      #expect(MeshCheck(CartoonBuilder.build([broken], style: CartoonStyle()).mesh).faults == 0)
    }
  }
}
