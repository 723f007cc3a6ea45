import Foundation
import TestSupport
import Testing

@testable import Molecules

/// Tests of the colors of each scheme.
struct AtomColoringTests {
  private func structure() throws -> Structure {
    try Fixture.pdb([
      "HELIX    1   1 GLY A    1  ALA A    2  1                                   2",
      Fixture.atom(1, "CA", "GLY", 1, 0, 0, 0, element: " C"), Fixture.atom(2, "O", "GLY", 1, 1, 0, 0, element: " O"),
      Fixture.atom(3, "CA", "ALA", 2, 3.8, 0, 0, element: " C"),
      Fixture.atom(4, "CA", "SER", 3, 7.6, 0, 0, element: " C"),
      Fixture.atom(5, "CA", "GLY", 1, 0, 9, 0, chain: "B", element: " C"),
      Fixture.atom(6, "CA", "ALA", 2, 3.8, 9, 0, chain: "B", element: " C"),
      Fixture.atom(7, "CA", "SER", 3, 7.6, 9, 0, chain: "B", element: " C"),
      Fixture.atom(8, "ZN", "ZN", 9, 5, 5, 3, element: "ZN", record: "HETATM"),
    ])
  }

  private func colors(_ scheme: ColorScheme, _ change: (inout Structure) -> Void = { _ in }) throws -> [RGBColor] {
    var structure = try structure()
    change(&structure)
    return AtomColoring(
      structure, model: 0, scheme: scheme, kinds: SecondaryStructureKind.kinds(of: structure, model: 0)
    ).colors()
  }

  @Test func `every scheme colors every atom`() throws {
    for scheme in ColorScheme.allCases { #expect(try colors(scheme).count == 8) }
  }

  @Test func `every scheme is documented on the page about pictures`() throws {
    let page = try String(
      contentsOf: Checkout.root.appendingPathComponent("Documentation/Pictures.md"), encoding: .utf8)
    #expect(ColorScheme.allCases.map(\.rawValue).filter { !page.contains("| `\($0)` |") } == [])
  }

  @Test func `elements, residues and chains are colored by their tables`() throws {
    #expect(try colors(.element)[1] == RGBColor(0xFF0D0D))
    #expect(try colors(.residue)[2] == RGBColor(0xC8C8C8))
    let chains = try colors(.chain)
    #expect(chains[0] == ColorTable.chainColor(0) && chains[4] == ColorTable.chainColor(1))
  }

  @Test func `chains of one sequence are one entity, and ligands are another`() throws {
    let entities = try colors(.entity)
    #expect(entities[0] == entities[4] && entities[7] != entities[0])
  }

  @Test func `the legend names an entity by its drawn chains`() throws {
    let structure = try structure()
    func legend(_ selection: String) throws -> String? {
      let atoms = try Selection(selection).atoms(of: structure, model: 0)
      let drawn = DrawnAtoms(structure, model: 0, selection: atoms, mode: .sticks)
      return ColorLegend.of(structure, scheme: .entity, drawn: drawn)?.text
    }
    #expect(try legend("all") == "entity: A+B, ZN")
    #expect(try legend("chain B") == "entity: B")
  }

  @Test func `helices, coils and ions have different colors`() throws {
    let colors = try colors(.secondaryStructure)
    #expect(colors[0] == ColorTable.secondaryColor(.alphaHelix) && colors[2] == colors[0])
    #expect(colors[3] == ColorTable.secondaryColor(.coil))
    #expect(colors[7] == ElementStyle.color(of: 30))
  }

  @Test func `displacements are colored from blue to red over their range`() throws {
    let colors = try colors(.bFactor) { $0.atoms.bFactor = [0, 10, 20, 30, 40, 50, 60, 100] }
    #expect(colors[0] == RGBColor(0x3B6FE0) && colors[7] == RGBColor(0xC4232F))
    #expect(try Set(self.colors(.bFactor)).count == 1)
  }

  @Test func `confidence is colored in four classes with inclusive lower bounds`() throws {
    let colors = try colors(.plddt) { $0.atoms.bFactor = [100, 90, 89.9, 70, 69.9, 50, 49.9, 0] }
    let expected: [UInt32] = [0x0053D6, 0x0053D6, 0x65CBF3, 0x65CBF3, 0xFFDB13, 0xFFDB13, 0xFF7D45, 0xFF7D45]
    #expect(colors == expected.map { RGBColor($0) })
  }

  @Test func `occupancies are clamped to 0 to 1`() throws {
    let colors = try colors(.occupancy) { $0.atoms.occupancy = [0, 1, 0.5, -1, 2, .nan, 1, 1] }
    #expect(colors[0] == colors[3] && colors[1] == colors[4] && colors[0] != colors[1] && colors[5] == colors[0])
  }

  @Test func `a rainbow runs along each chain`() throws {
    let colors = try colors(.rainbow)
    #expect(colors[0] == ColorTable.rainbow.color(at: 0) && colors[3] == ColorTable.rainbow.color(at: 1))
    #expect(colors[0] == colors[4] && colors[2] == colors[5])
  }

  @Test func `a cartoon colors polymers by chain and ions by element`() throws {
    let structure = try structure()
    let geometry = MoleculeGeometry(structure, model: 0, bonds: [], mode: .cartoon, scheme: nil)
    #expect(geometry.colors.first == ColorTable.chainColor(0))
    #expect(geometry.colors.last == ElementStyle.color(of: 30))
    #expect(geometry.roles.first == .traced && geometry.roles.last == .ion)
  }

  /// Returns colors as seen without the cones for long or middle waves: dichromat simulation in linear RGB.
  ///
  /// - Source: F. Viénot, H. Brettel and J. D. Mollon, Color Res. Appl. 24 (1999) 243, matrices for RGB.
  private func seen(_ color: RGBColor, _ rows: [SIMD3<Double>]) -> SIMD3<Double> {
    func linear(_ value: UInt8) -> Double {
      let share = Double(value) / 255
      return share * share
    }
    let rgb = SIMD3(linear(color.red), linear(color.green), linear(color.blue))
    return SIMD3((rows[0] * rgb).sum(), (rows[1] * rgb).sum(), (rows[2] * rgb).sum())
  }

  @Test func `the first chain colors are distinguishable with every kind of color vision`() {
    let visions: [[SIMD3<Double>]] = [
      [SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)],
      [SIMD3(0.11238, 0.88762, 0), SIMD3(0.11238, 0.88762, 0), SIMD3(0.00401, -0.00401, 1)],
      [SIMD3(0.29275, 0.70725, 0), SIMD3(0.29275, 0.70725, 0), SIMD3(-0.02234, 0.02234, 1)],
    ]
    for vision in visions {
      let colors = (0..<ColorTable.safeChainCount).map { seen(ColorTable.chainColor($0), vision) }
      for first in colors.indices {
        for second in colors.indices where second > first {
          let way = colors[first] - colors[second]
          #expect((way * way).sum().squareRoot() > 0.08, "\(first) and \(second)")
        }
      }
    }
  }
}
