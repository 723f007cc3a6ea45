import TestSupport
import Testing

@testable import Molecules

struct SymmetryTests {
  private static let cube = UnitCell(a: 5, b: 5, c: 5, alpha: 90, beta: 90, gamma: 90)

  /// Returns one carbon at the origin of a cell.
  private func atom(_ cell: UnitCell, _ group: String) throws -> Structure {
    var structure = try Fixture.pdb([Fixture.atom(1, "C1", "LIG", 1, 0.5, 0.25, 0.125, element: " C")])
    structure.metadata.cell = cell
    structure.metadata.spaceGroup = group
    return structure
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `the operators of the table match those stated in files`() throws {
    var groups: Set<String> = []
    var differences: [String] = []
    for name in try Truth.load().keys.sorted() where name.hasPrefix("pdb/") || name.hasPrefix("starter/") {
      let metadata = try Truth.structure(name).metadata
      let stated = Set(metadata.symmetryOperators.compactMap { SymmetryOperator($0)?.inCell })
      guard !stated.isEmpty, let made = SpaceGroupTable.operators(metadata.spaceGroup) else { continue }
      groups.insert(metadata.spaceGroup)
      if Set(made) != stated { differences.append("\(name) \(metadata.spaceGroup)") }
    }
    #expect(differences == [])
    #expect(groups.count == 9)
  }

  /// The orders of the groups: those of the point group times the lattice points of a cell.
  @Test(arguments: [
    ("P 1", 1), ("P 1 21 1", 2), ("C 1 2 1", 4), ("I 21 21 21", 8), ("F 2 2 2", 16), ("C 2 2 21", 8), ("P 43 21 2", 8),
    ("I 41 2 2", 16), ("H 3", 9), ("H 3 2", 18), ("P 32 2 1", 6), ("P 31 1 2", 6), ("P 65", 6), ("P 61 2 2", 12),
    ("P 64 2 2", 12), ("P 2 3", 12), ("F 2 3", 48), ("I 21 3", 24), ("P 42 3 2", 24), ("F 41 3 2", 96),
    ("I 41 3 2", 48), ("P 43 3 2", 24), ("P 1 21/c 1", 4), ("C 2/c", 8), ("P b c a", 8), ("P -1", 2),
  ])
  func `the number of operators of a group is its order`(name: String, order: Int) {
    #expect(SpaceGroupTable.operators(name)?.count == order)
  }

  @Test func `every group of the table is closed, and all 65 chiral ones are present`() {
    var wrong: [String] = []
    for name in SpaceGroupTable.names {
      let operators = SpaceGroupTable.operators(name, isRhombohedral: name.hasPrefix("R")) ?? []
      let known = Set(operators)
      let isClosed = operators.allSatisfy { left in operators.allSatisfy { known.contains(left.after($0)) } }
      if !isClosed || 192 % max(operators.count, 1) != 0 && operators.count % 9 != 0 { wrong.append(name) }
    }
    #expect(wrong == [])
    // Two of the 65 on two axes each, five other settings of monoclinic ones, six that contain inversions.
    #expect(SpaceGroupTable.names.count == 65 + 2 + 5 + 6)
    #expect(SpaceGroupTable.operators("P 7") == nil)
    #expect(SpaceGroupTable.operators("R 3", isRhombohedral: true)?.count == 3)
    #expect(SpaceGroupTable.operators("R 3")?.count == 9)
  }

  @Test(arguments: [
    ("X,Y,Z", "x,y,z"), ("-X+1/2, -Y, Z+1/2", "-x+1/2,-y,z+1/2"), ("1/2+x,1/2-y,-z", "x+1/2,-y+1/2,-z"),
    ("y,x-y,z+0.3333", "y,x-y,z+1/3"), ("-y, x, z-1/4", "-y,x,z-1/4"),
  ])
  func `an operator is parsed in every notation of files`(text: String, canonical: String) throws {
    #expect(try #require(SymmetryOperator(text)).text == canonical)
  }

  @Test(arguments: ["", "x,y", "x,y,z,x", "x,y,q", "x,y,1/2", "x,y,z+", "x,y,z+1/0", "x,y,z+0.3", "x,y,99999999z"])
  func `text that is not an operator is refused`(text: String) {
    #expect(SymmetryOperator(text) == nil)
  }

  @Test func `a frame converts fractional coordinates to ångström and back`() throws {
    let cell = UnitCell(a: 10, b: 20, c: 30, alpha: 80, beta: 95, gamma: 110)
    let frame = try #require(CrystalFrame(cell))
    let edges = [SIMD3(1.0, 0, 0), SIMD3(0, 1.0, 0), SIMD3(0, 0, 1.0)].map(frame.toCartesian.apply)
    func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }
    #expect(zip(edges, [10, 20, 30]).allSatisfy { abs(length($0) - $1) < 1e-9 })
    // cos 80° = 0.173648177667, between b and c.
    #expect(abs((edges[1] * edges[2]).sum() / 600 - 0.173_648_177_667) < 1e-9)
    let there = frame.toFractional.apply(frame.toCartesian.apply(SIMD3(0.1, -0.7, 2.3)))
    #expect(length(there - SIMD3(0.1, -0.7, 2.3)) < 1e-12)
    #expect(CrystalFrame.cosine(90) == 0)
    #expect(abs(CrystalFrame.cosine(120) + 0.5) < 1e-15)
    #expect(CrystalFrame(UnitCell(a: 10, b: 10, c: 10, alpha: 10, beta: 10, gamma: 120)) == nil)
    #expect(CrystalFrame(UnitCell(a: .infinity, b: 10, c: 10, alpha: 90, beta: 90, gamma: 90)) == nil)
  }

  /// REMARK 290 of 2BTV: operator 3 is -X+1/2,Y+1/2,-Z; its SMTRY rows shift by half of 795.6 and 821.8 Å.
  @Test func `an operator moves atoms as the SMTRY rows state`() throws {
    let frame = try #require(CrystalFrame(UnitCell(a: 795.6, b: 821.8, c: 753.9, alpha: 90, beta: 90, gamma: 90)))
    let transform = try #require(SymmetryOperator("-X+1/2,Y+1/2,-Z")).transform(in: frame)
    let image = transform.apply(SIMD3(1, 2, 3))
    let step = image - SIMD3(396.8, 412.9, -3)
    #expect((step * step).sum() < 1e-18)
  }

  @Test func `an atom in a cubic cell has six neighbors at edges and twelve at diagonals`() throws {
    let structure = try atom(Self.cube, "P 1")
    let crystal = try #require(Crystal(structure))
    #expect(!crystal.isStated)
    #expect(crystal.neighbors(structure, within: 5.1).instanceCount == 6)
    #expect(crystal.neighbors(structure, within: 7.2).instanceCount == 18)
    #expect(crystal.neighbors(structure, within: 4.9).instanceCount == 0)
  }

  @Test func `the unit cell has a copy per operator, with its center inside`() throws {
    let structure = try atom(UnitCell(a: 7, b: 9, c: 11, alpha: 90, beta: 90, gamma: 90), "P 21 21 21")
    let crystal = try #require(Crystal(structure))
    let cell = crystal.unitCell(structure)
    #expect(cell.instanceCount == 4)
    let places = try #require(cell.groups.first).transforms.map {
      crystal.frame.toFractional.apply($0.apply(structure.atoms.position(0)))
    }
    #expect(places.allSatisfy { $0.min() >= 0 && $0.max() < 1 })
  }

  @Test func `copies are chosen by name`() throws {
    let structure = try atom(Self.cube, "P 1 21 1")
    #expect(AssemblyInstances.names(for: structure) == ["deposited", "unit-cell", "neighbors"])
    #expect(AssemblyInstances.named("unit-cell", of: structure)?.instanceCount == 2)
    #expect(AssemblyInstances.named("deposited", of: structure)?.instanceCount == 1)
    #expect(AssemblyInstances.named("ncs", of: structure)?.instanceCount == 1)
    #expect((AssemblyInstances.named("neighbors", of: structure)?.instanceCount ?? 0) >= 5)
    #expect(AssemblyInstances.named("7", of: structure) == nil)
    #expect(AssemblyInstances.named("unit-cell", of: try Fixture.dipeptide()) == nil)
  }

  @Test func `stated operators take precedence over the table`() throws {
    let lines = [
      "REMARK 290       1555   X,Y,Z", "REMARK 290       2555   -X,-Y,Z",
      "CRYST1   10.000   10.000   10.000  90.00  90.00  90.00 P 1 21 1      2",
      Fixture.atom(1, "C1", "LIG", 1, 1, 2, 3, element: " C"),
    ]
    let crystal = try #require(Crystal(try Fixture.pdb(lines)))
    #expect(crystal.isStated)
    #expect(crystal.operators.map(\.text) == ["x,y,z", "-x,-y,z"])
  }

  @Test func `mmCIF operators are read from both categories`() throws {
    let row = "ATOM 1 C C1 . LIG A 1 ? 0 0 0 1 1 1 A 1"
    let cell = "_cell.length_a 10\n_cell.length_b 10\n_cell.length_c 10\n"
    let old = "loop_\n_symmetry_equiv.id\n_symmetry_equiv.pos_as_xyz\n1 x,y,z\n2 -x,y+1/2,-z\n"
    let new = "loop_\n_space_group_symop.id\n_space_group_symop.operation_xyz\n1 x,y,z\n2 '-x, y, -z'\n"
    let first = try #require(Crystal(try Fixture.read(Fixture.cif([row], before: cell + old))))
    #expect(first.operators.map(\.text) == ["x,y,z", "-x,y+1/2,-z"])
    let second = try #require(Crystal(try Fixture.read(Fixture.cif([row], before: cell + old + new))))
    #expect(second.operators.map(\.text) == ["x,y,z", "-x,y,-z"])
  }
}
