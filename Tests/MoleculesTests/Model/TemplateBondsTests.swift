import PluginText
import TestSupport
import Testing

@testable import Molecules

struct TemplateBondsTests {
  /// Returns atoms with names of the template of `UNK`, and others, scattered in a cube.
  private func strewn(_ count: Int, edge: Double) throws -> Structure {
    var random = SplitMix64(seed: UInt64(count))
    let kinds = [(" C", "C1"), (" N", "N7"), (" O", "O9"), (" S", "S1"), ("ZN", "ZN"), (" K", "K1"), (" C", "CA")]
    return try Fixture.pdb(
      (1...count).map { serial in
        let (element, name) = kinds[Int.random(in: 0..<kinds.count, using: &random)]
        let place = (0..<3).map { _ in Double.random(in: 0...edge, using: &random) }
        let altloc = [" ", "A", "B"][Int.random(in: 0..<3, using: &random)]
        return Fixture.atom(
          serial, name, "UNK", 1, place[0], place[1], place[2], altloc: altloc, element: element, record: "HETATM")
      })
  }

  @Test(arguments: [(10, 4.0), (60, 8), (100, 8), (400, 12), (1500, 18), (1500, 60)])
  func `atoms outside a template have the same bonds in small and large residues`(count: Int, edge: Double) throws {
    let structure = try strewn(count, edge: edge)
    #expect(structure.residues.count == 1)
    let isNamed = structure.atoms.name.map { structure.names[$0] == "CA" }
    var expected: [[Int32]] = []
    for first in 0..<count {
      for second in first + 1..<max(min(first + 501, count), first + 1) where !isNamed[first] || !isNamed[second] {
        if DistanceBonds.isBond(structure.atoms, first, second) { expected.append([Int32(first), Int32(second)]) }
      }
    }
    let bonds = BondPerception.bonds(of: structure).filter { $0.origin == .distance }
    #expect(bonds.map { [$0.first, $0.second] } == expected)
    #expect(!expected.isEmpty)
  }

  @Test(arguments: ["C1", "CA", "H1"])
  func `a residue of many equal atoms is fast and has no bonds`(name: String) throws {
    let line = Fixture.atom(1, name, "UNK", 1, 1, 1, 1, element: " " + name.prefix(1)) + "\n"
    let structure = try Fixture.read(String(repeating: line, count: 200_000))
    #expect(structure.residues.count == 1)
    #expect(BondPerception.bonds(of: structure).isEmpty)
  }
}
