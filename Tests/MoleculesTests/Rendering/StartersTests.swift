import Foundation
import TestSupport
import Testing

@testable import Molecules

/// Checks the bundled starter files by rules that are independent of the program that computes them.
struct StartersTests {
  /// The expected contents of a starter; bonds are found by distance alone.
  struct Expectation: Sendable, CustomTestStringConvertible {
    var name: String
    var atoms: Int
    var bonds: Int
    var chains: Int
    var testDescription: String { name }
  }

  static let expectations = [
    // 12 nucleotides per strand: 566 atoms of a dodecamer in a crystal less 80 waters; 544 bonds as in that dodecamer.
    Expectation(name: "b-dna", atoms: 486, bonds: 544, chains: 2),
    // Per heptad LEU 8, GLU 9, ALA 5, LEU 8, LYS 9, LYS 9, GLU 9 atoms; four heptads and one OXT per chain, a tree of
    // bonds.
    Expectation(name: "coiled-coil", atoms: 2 * (4 * 57 + 1), bonds: 2 * 4 * 57, chains: 2),
    // Per triplet 4 + 7 + 8 atoms and two rings; eight triplets and one OXT per chain.
    Expectation(name: "collagen", atoms: 3 * (8 * 19 + 1), bonds: 3 * (8 * 19 + 16), chains: 3),
    Expectation(name: "beta-sheet", atoms: 345, bonds: 340, chains: 5),
    Expectation(name: "caffeine", atoms: 24, bonds: 25, chains: 1),
    Expectation(name: "buckminsterfullerene", atoms: 60, bonds: 90, chains: 1),
    // 240 carbons with three bonds each, except for 24 at the ends, which have a hydrogen instead.
    Expectation(name: "nanotube", atoms: 264, bonds: (240 * 3 + 24) / 2, chains: 1),
  ]

  private struct Atom {
    var name: String
    var chain: String
    var residue: String
    var element: String
    var place: SIMD3<Double>
  }

  private func text(of name: String) throws -> String {
    let file = Checkout.root.appending(path: "Plugins/Molecules/Resources/Starters/\(name).pdb")
    return try String(contentsOf: file, encoding: .utf8)
  }

  private func cell(_ line: Substring, _ columns: ClosedRange<Int>) -> String {
    line.dropFirst(columns.lowerBound - 1).prefix(columns.count).trimmingCharacters(in: .whitespaces)
  }

  private func atoms(of text: String) -> [Atom] {
    text.split(separator: "\n").filter { $0.hasPrefix("ATOM  ") || $0.hasPrefix("HETATM") }.map { line in
      let point = [31...38, 39...46, 47...54].map { Double(cell(line, $0)) ?? .nan }
      return Atom(
        name: cell(line, 13...16), chain: cell(line, 22...22), residue: cell(line, 18...20) + cell(line, 22...26),
        element: cell(line, 77...78),
        place: SIMD3(point[0], point[1], point[2]))
    }
  }

  private func distance(_ a: Atom, _ b: Atom) -> Double {
    let between = a.place - b.place
    return (between * between).sum().squareRoot()
  }

  /// Returns pairs closer than the sum of their covalent radii and 0.3 Å.
  private func bonds(_ atoms: [Atom]) -> [(Int, Int)] {
    let radii = ["H": 0.31, "C": 0.76, "N": 0.71, "O": 0.66, "P": 1.07]
    var found: [(Int, Int)] = []
    for first in atoms.indices {
      for second in atoms.indices where second > first {
        let limit = (radii[atoms[first].element] ?? 0) + (radii[atoms[second].element] ?? 0) + 0.3
        if distance(atoms[first], atoms[second]) < limit { found.append((first, second)) }
      }
    }
    return found
  }

  @Test(arguments: expectations)
  func `a starter has the expected atoms, chains and bonds`(expected: Expectation) throws {
    let text = try text(of: expected.name)
    let atoms = atoms(of: text)
    #expect(atoms.count == expected.atoms)
    #expect(bonds(atoms).count == expected.bonds)
    #expect(Set(atoms.map(\.chain)).count == expected.chains)
  }

  @Test(arguments: expectations)
  func `a starter states that it is computed, in lines of 80 columns`(expected: Expectation) throws {
    let text = try text(of: expected.name)
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.utf8.count == 80 })
    #expect(lines.contains { $0.hasPrefix("EXPDTA    THEORETICAL MODEL") })
    #expect(text.contains("COMPUTED MODEL. NO EXPERIMENTAL DATA WERE USED."))
    #expect(lines.last?.hasPrefix("END ") == true)
  }

  @Test(arguments: expectations)
  func `atoms without a bond are far apart`(expected: Expectation) throws {
    let atoms = atoms(of: try text(of: expected.name))
    var near = Set<[Int]>()
    var neighbors = [[Int]](repeating: [], count: atoms.count)
    for (first, second) in bonds(atoms) {
      near.insert([first, second])
      neighbors[first].append(second)
      neighbors[second].append(first)
    }
    for center in atoms.indices {
      for first in neighbors[center] {
        for second in neighbors[center] where first < second { near.insert([first, second]) }
      }
    }
    var nearest = Double.infinity
    for first in atoms.indices where atoms[first].element != "H" {
      for second in atoms.indices
      where second > first && atoms[second].element != "H" && !near.contains([first, second]) {
        nearest = min(nearest, distance(atoms[first], atoms[second]))
      }
    }
    #expect(nearest > 2.4)
  }

  @Test(arguments: ["coiled-coil", "collagen", "beta-sheet"])
  func `amino acids are L forms`(name: String) throws {
    let atoms = atoms(of: try text(of: name))
    var centers = 0
    var wrong = 0
    for (_, residue) in Dictionary(grouping: atoms, by: \.residue) {
      let places = Dictionary(residue.map { ($0.name, $0.place) }, uniquingKeysWith: { first, _ in first })
      guard let ca = places["CA"], let n = places["N"], let c = places["C"], let cb = places["CB"] else { continue }
      let (a, b, d) = (n - ca, c - ca, cb - ca)
      let normal = SIMD3(b.y * d.z - b.z * d.y, b.z * d.x - b.x * d.z, b.x * d.y - b.y * d.x)
      centers += 1
      // The volume N, C, CB of an L amino acid is about +2.5 Å³.
      if abs((a * normal).sum() - 2.5) > 0.4 { wrong += 1 }
    }
    #expect(centers > 40 && wrong == 0)
  }

  @Test func `small molecules state every bond as CONECT, in both directions and with its order`() throws {
    // The sum of the bond orders over the atoms is twice the sum over the bonds.
    let sums = ["caffeine": 2 * (25 + 4), "buckminsterfullerene": 2 * (90 + 30), "nanotube": 2 * 372]
    for (name, expected) in sums {
      let lines = try text(of: name).split(separator: "\n").filter { $0.hasPrefix("CONECT") }
      let partners = lines.reduce(0) { $0 + $1.dropFirst(11).split(separator: " ").count }
      #expect(partners == expected, "\(name)")
    }
  }

  @Test(arguments: expectations)
  func `a starter is read without diagnostics, and all its bonds are found`(expected: Expectation) throws {
    let structure = try StructureFile.read(bytes: Array(try text(of: expected.name).utf8), name: expected.name)
    #expect(structure.diagnostics.isEmpty, "\(structure.diagnostics)")
    #expect(structure.chains.count == expected.chains)
    #expect(BondPerception.bonds(of: structure).count == expected.bonds)
  }
}
