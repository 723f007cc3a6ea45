import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

/// Tests of interactions of residues with alternate locations.
struct ConformerInteractionTests {
  /// Returns a residue that accepts a hydrogen bond, and one that donates it, which follows another.
  ///
  /// - Parameter near: The location of the donor's nitrogen 2.9 Å from the oxygen; the other is 6.6 Å from it.
  private func backbones(near: String) throws -> Structure {
    func nitrogen(_ serial: Int, _ altloc: String) -> String {
      let (x, y, z): (Double, Double, Double) = altloc == near ? (0, 0, 4.13) : (4, 0.5, 6.5)
      return Fixture.atom(serial, "N", "GLY", 21, x, y, z, altloc: altloc, occupancy: 0.5)
    }
    return try Fixture.pdb([
      Fixture.atom(1, "N", "GLY", 1, 2.5, -0.8, -0.3), Fixture.atom(2, "CA", "GLY", 1, 1.3, 0, -0.75),
      Fixture.atom(3, "C", "GLY", 1, 0, 0, 0), Fixture.atom(4, "O", "GLY", 1, 0, 0, 1.23),
      Fixture.atom(5, "N", "GLY", 20, 1.2, -2.9, 4.2), Fixture.atom(6, "CA", "GLY", 20, 0.3, -2.4, 4.3),
      Fixture.atom(7, "C", "GLY", 20, 0, -1.1, 4.8), Fixture.atom(8, "O", "GLY", 20, 0, -1.1, 6.03),
      nitrogen(9, "A"), nitrogen(10, "B"), Fixture.atom(11, "CA", "GLY", 21, 0, 1.3, 4.75),
      Fixture.atom(12, "C", "GLY", 21, 0.8, 2.5, 5.2), Fixture.atom(13, "O", "GLY", 21, 1.9, 2.4, 5.7),
    ])
  }

  private func bonds(_ structure: Structure, _ selection: String? = nil) throws -> [HydrogenBond] {
    let atoms = try selection.map { try Selection($0).atoms(of: structure, model: 0) }
    var finder = HydrogenBondFinder(structure, bonds: BondPerception.bonds(of: structure), selection: atoms)
    return finder.all(includesWater: false)
  }

  @Test func `hydrogen bonds between backbones are found in the measured conformer`() throws {
    let first = try bonds(try backbones(near: "A")).filter { $0.acceptor == 3 }
    #expect(first.map(\.donor) == [8] && first.map(\.evidence) == [.energy])
    #expect(abs((first.first?.distance ?? 0) - 2.9) < 1e-6)
    let last = try backbones(near: "B")
    #expect(try bonds(last).filter { $0.acceptor == 3 }.isEmpty)
    #expect(try bonds(last, "altloc B").filter { $0.acceptor == 3 }.map(\.donor) == [9])
  }

  /// The distances and energies were computed by another program from the coordinates of each conformer.
  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `the flaps of a protease are bonded in the measured conformer`() throws {
    let structure = try Truth.structure("pdb/1k6p.pdb.gz")
    func found(_ selection: String?) throws -> [String] {
      try bonds(structure, selection).filter { $0.evidence == .energy }.map { bond in
        let ends = structure.label(ofAtom: bond.donor) + " " + structure.label(ofAtom: bond.acceptor)
        return ends + " \(ReportedDigits.length.rounded(bond.distance)) \(bond.energy ?? 0)"
      }.filter { $0.contains("/GLY51/N@") && $0.contains("/ILE50/O@") }
    }
    #expect(try found(nil) == ["A/GLY51/N@1 B/ILE50/O@1 3.08 -0.991"])
    #expect(try found("altloc 2") == ["B/GLY51/N@2 A/ILE50/O@2 2.961 -1.451"])
    #expect(try found("chain B and resi 51 and altloc 2") == ["B/GLY51/N@2 A/ILE50/O@2 2.961 -1.451"])
  }

  /// Alternate locations of this isoleucine have occupancies of 0.41 and 0.59.
  @Test(.enabled(if: SharedData.found != nil, "the found files are absent"), arguments: ["A", "B"])
  func `contacts of a real residue are those of its selected conformer`(letter: String) throws {
    let structure = try Truth.structure("../found/molecules/5eil.pdb.gz")
    let atoms = try Selection("chain A and resi 51 and altloc \(letter)").atoms(of: structure, model: 0)
    let contacts = ResidueContact.all(
      of: structure, bonds: BondPerception.bonds(of: structure), within: 4, selection: atoms)
    let own = contacts.flatMap { [$0.firstAtom, $0.secondAtom] }.filter { atom in
      structure.label(ofAtom: atom).hasPrefix("A/ILE51/") && structure.atoms.altloc[atom] != 0
    }
    #expect(!own.isEmpty && own.allSatisfy { atoms[$0] })
  }

  @Test func `interactions and surfaces are those of the selected conformer`() async throws {
    func atom(_ serial: Int, _ name: String, _ residue: String, _ number: Int, _ x: Double) -> [String] {
      [("A", 0.0, 0.4), ("B", 9, 0.6)].enumerated().map { index, location in
        Fixture.atom(
          serial + index, name, residue, number, x, 0, location.1, altloc: location.0,
          element: " " + name.prefix(1), occupancy: location.2)
      }
    }
    let lines =
      atom(1, "NZ", "LYS", 1, 0) + atom(3, "OD1", "ASP", 5, 2.8) + atom(5, "SG", "CYS", 8, 20)
      + atom(7, "SG", "CYS", 12, 22.05)
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/conformers.pdb"
    try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let cases = [
      ("contacts", "first", ["A/LYS1/NZ"]), ("contacts", "second", ["A/ASP5/OD1"]),
      ("hydrogen-bonds", "acceptor", ["A/ASP5/OD1"]), ("salt-bridges", "negative", ["A/ASP5/OD1"]),
      ("disulfides", "second", ["A/CYS12/SG"]), ("surface-area", "residue", ["LYS", "CYS"]),
    ]
    for (command, column, expected) in cases {
      for (selection, letter) in [("resi 1+8", "@B"), ("resi 1+8 and altloc A", "@A")] {
        let table = try await plugin.run(command, ["molecule": .text(path), "select": .text(selection)]).value.table
        let texts = table.map { table in (0..<table.rowCount).compactMap { table.row($0)[column]?.text } }
        let suffix = command == "surface-area" ? "" : letter
        #expect(texts == expected.map { $0 + suffix }, "\(command) \(column) \(selection)")
      }
    }
  }
}
