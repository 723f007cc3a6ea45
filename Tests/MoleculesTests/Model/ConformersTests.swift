import Foundation
import TestSupport
import Testing

@testable import Molecules

/// Tests that the most occupied alternate location represents a residue wherever one has to be chosen.
struct ConformersTests {
  /// Real files with residues whose second location is the most occupied.
  private static let found = SharedData.folder.map { $0.appendingPathComponent("found/molecules") }.flatMap {
    FileManager.default.fileExists(atPath: $0.path) ? $0 : nil
  }

  private static func atom(
    _ serial: Int, _ name: String, _ number: Int, _ x: Double, _ altloc: String, _ occupancy: Double,
    _ residue: String = "SER", element: String = " C"
  ) -> String {
    Fixture.atom(serial, name, residue, number, x, 0, 0, altloc: altloc, element: element, occupancy: occupancy)
  }

  /// Returns three residues: B is chosen in the first, A in the second, and threonine in the third, where serine is
  /// less occupied.
  private func structure() throws -> Structure {
    try Fixture.pdb([
      Self.atom(1, "CA", 1, 0, "A", 0.41), Self.atom(2, "CA", 1, 1, "B", 0.59), Self.atom(3, "C", 1, 2, " ", 1),
      Self.atom(4, "CA", 2, 4, "B", 0.5), Self.atom(5, "CA", 2, 5, "A", 0.5),
      Self.atom(6, "CA", 3, 7, "A", 0.4), Self.atom(7, "CA", 3, 8, "B", 0.6, "THR"),
      Self.atom(8, "CB", 3, 9, "B", 0.6, "THR"),
    ])
  }

  @Test func `the most occupied location is used, and the first letter if they are equal`() throws {
    let structure = try structure()
    let conformers = Conformers(structure, model: 0)
    #expect(structure.residues.indices.map { conformers[$0] } == Array("BABB".utf8))
    #expect(structure.residues.indices.map(conformers.isAlternative) == [false, false, true, false])
    #expect(structure.atoms.x.indices.filter(conformers.contains) == [1, 2, 4, 6, 7])
    #expect(conformers.atom("CA", ofResidue: 0) == 1 && conformers.atom("C", ofResidue: 0) == 2)
    #expect(conformers.atom("CA", ofResidue: 2) == nil)
  }

  @Test func `more atoms do not make a location more occupied`() throws {
    let structure = try Fixture.pdb([
      Self.atom(1, "CA", 1, 0, "A", 0.6), Self.atom(2, "CA", 1, 1, "B", 0.4), Self.atom(3, "CB", 1, 2, "B", 0.4),
    ])
    #expect(Conformers(structure, model: 0)[0] == UInt8(ascii: "A"))
  }

  @Test func `a selection chooses among its locations`() throws {
    let structure = try structure()
    func letters(_ text: String) throws -> [UInt8] {
      let atoms = try Selection(text).atoms(of: structure, model: 0)
      let conformers = Conformers(structure, model: 0, within: atoms)
      return structure.residues.indices.map { conformers[$0] }
    }
    #expect(try letters("altloc A") == Array("AAAA".utf8))
    #expect(try letters("name C or altloc B") == Array("BBBB".utf8))
    #expect(try letters("name C") == Array("BABB".utf8))
  }

  /// Returns four residues, each of conformer A with an occupancy of 0.6 and B with 0.4; the third has C instead of B.
  private func neighbors() throws -> Structure {
    var lines: [String] = []
    for number in 1...4 {
      let x = Double(4 * number)
      lines.append(Self.atom(2 * number, "CA", number, x, "A", 0.6))
      lines.append(Self.atom(2 * number + 1, "CA", number, x + 1, number == 3 ? "C" : "B", 0.4))
    }
    return try Fixture.pdb(lines)
  }

  @Test func `residues outside a selection have the conformer selected nearby`() throws {
    let structure = try neighbors()
    func letters(_ text: String) throws -> String {
      let atoms = try Selection(text).atoms(of: structure, model: 0)
      let conformers = Conformers(structure, model: 0, within: atoms)
      return String(decoding: structure.residues.indices.map { conformers[$0] }, as: UTF8.self)
    }
    #expect(try letters("resi 1 and altloc B") == "BBAB")
    #expect(try letters("resi 1 and altloc B or resi 3 and altloc C") == "BBCA")
    #expect(try letters("resi 1 and altloc B or resi 4 and altloc A") == "BBAA")
    // A selection that leaves the choice changes nothing.
    #expect(try letters("resi 1") == "AAAA")
  }

  @Test func `an atom without a letter is replaced by the conformer's atom of that name`() throws {
    let structure = try Fixture.pdb([
      Self.atom(1, "CB", 27, 0, " ", 1, "ARG"), Self.atom(2, "CZ", 27, 1, " ", 0.5, "ARG"),
      Self.atom(3, "CZ", 27, 2, "B", 0.5, "ARG"), Self.atom(4, "NH1", 27, 3, "A", 0.5, "ARG", element: " N"),
      Self.atom(5, "NH1", 27, 4, "B", 0.5, "ARG", element: " N"),
    ])
    func atoms(_ text: String?) throws -> [Int] {
      let selection = try text.map { try Selection($0).atoms(of: structure, model: 0) }
      let conformers = Conformers(structure, model: 0, within: selection)
      return structure.atoms.x.indices.filter(conformers.contains)
    }
    #expect(try atoms(nil) == [0, 1, 3])
    #expect(try atoms("name CZ") == [0, 1, 3])
    #expect(try atoms("altloc B") == [0, 2, 4])
    #expect(try Selection("A/27/@B").atoms(of: structure, model: 0).atoms == [0, 2, 4])
    #expect(try Selection("A/27/@A").atoms(of: structure, model: 0).atoms == [0, 1, 3])
  }

  @Test func `atoms without letters form a location if every lettered name has one`() throws {
    for (occupancy, expected) in [(0.7, [0, 1]), (0.5, [0, 1]), (0.3, [2, 3])] {
      let structure = try Fixture.pdb([
        Self.atom(1, "CA", 1, 0, " ", occupancy), Self.atom(2, "CB", 1, 1, " ", occupancy),
        Self.atom(3, "CA", 1, 2, "B", 1 - occupancy), Self.atom(4, "CB", 1, 3, "B", 1 - occupancy),
      ])
      let conformers = Conformers(structure, model: 0)
      #expect(structure.atoms.x.indices.filter(conformers.contains) == expected, "\(occupancy)")
    }
  }

  @Test func `many residues at one position are fast`() throws {
    let lines = (0..<3000).map { index in
      let name = String(index + 17_000, radix: 36).uppercased().suffix(3)
      return Fixture.atom(index, "CA", String(name), 1, 0, 0, 0, altloc: index % 2 == 0 ? "A" : "B")
    }
    let structure = try Fixture.pdb(lines)
    let conformers = Conformers(structure, model: 0)
    #expect(structure.residues.indices.filter { !conformers.isAlternative($0) }.count == 1)
  }

  @Test func `pictures, traces and labels use the chosen conformer`() throws {
    let structure = try structure()
    #expect(MoleculeGeometry(structure).identifiers == [1, 2, 4, 6, 7])
    let minor = try Selection("altloc A").atoms(of: structure, model: 0)
    #expect(MoleculeGeometry(structure, selection: minor).identifiers == [0, 4, 5])
    let trace = BackboneTracer.trace(structure, model: 0, shapes: [])
    #expect(trace.traces.flatMap(\.nodes).map(\.atom) == [1, 4, 6])
    let selected = BackboneTracer.trace(structure, model: 0, selection: minor, shapes: [])
    #expect(selected.traces.flatMap(\.nodes).map(\.atom) == [4, 5])
    let drawn = DrawnAtoms(structure, model: 0, mode: .sticks)
    #expect(SceneLabel.labels(.residues, of: structure, drawn: drawn).first?.place.x == 1)
  }

  @Test func `contacts, surfaces and superpositions use the chosen conformer`() throws {
    let structure = try structure()
    let contacts = ResidueContact.all(of: structure, bonds: [], within: 10)
    #expect(Set(contacts.flatMap { [$0.firstAtom, $0.secondAtom] }).isSubset(of: [1, 2, 4, 6, 7]))
    #expect(SurfaceArea(structure)?.atoms == [1, 2, 4, 6, 7])
    let part = SuperpositionPart(structure: structure, name: "some")
    let fit = try Superposition(part, onto: part, Superposition.Options(rule: .number))
    #expect(fit.pairs.map(\.first) == [1, 4, 6])
    let lines = [
      Self.atom(1, "CA", 1, 0, "A", 0.4), Self.atom(2, "CA", 1, 5, "B", 0.6), Self.atom(3, "CA", 2, 9, " ", 1),
    ]
    let other = [Self.atom(1, "CA", 1, 5, " ", 1), Self.atom(2, "CA", 2, 9, " ", 1)]
    let models = try Fixture.pdb(["MODEL        1"] + lines + ["ENDMDL", "MODEL        2"] + other + ["ENDMDL"])
    let ensemble = try EnsembleAlignment(models, selection: nil, atoms: .trace)
    #expect(ensemble.atomCount == 2 && ensemble.rmsd < 1e-9)
  }

  @Test func `torsions and hydrogen bonds use the chosen conformer`() throws {
    let lines = [
      Fixture.atom(1, "N", "GLY", 1, 1, 1, 0, element: " N"), Fixture.atom(2, "CA", "GLY", 1, 0, 0, 0, element: " C"),
      Fixture.atom(3, "C", "GLY", 1, 0, 0, 1.5, altloc: "A", element: " C", occupancy: 0.3),
      Fixture.atom(4, "C", "GLY", 1, 0.1, 0, 1.5, altloc: "B", element: " C", occupancy: 0.7),
      Fixture.atom(5, "N", "GLY", 2, 1, 0, 2.2, element: " N"),
    ]
    let structure = try Fixture.pdb(lines)
    let torsion = try #require(Torsions.all(of: structure, model: 0).first { $0.name == "psi" })
    #expect(torsion.atoms == [0, 1, 3, 4] && torsion.conformer == UInt8(ascii: "B"))
    let minor = try Selection("altloc A").atoms(of: structure, model: 0)
    let other = try #require(Torsions.all(of: structure, model: 0, selection: minor).first { $0.name == "psi" })
    #expect(other.atoms == [0, 1, 2, 4] && other.conformer == UInt8(ascii: "A"))
    let next = [
      Fixture.atom(5, "N", "GLY", 2, 1, 0, 2.2, altloc: "A", element: " N", occupancy: 0.3),
      Fixture.atom(6, "N", "GLY", 2, 1, 0.4, 2.2, altloc: "B", element: " N", occupancy: 0.7),
    ]
    let linked = try Fixture.pdb(lines.dropLast() + next)
    let first = try Selection("resi 1 and altloc A").atoms(of: linked, model: 0)
    let psi = Torsions.all(of: linked, model: 0, selection: first).first { $0.name == "psi" }
    #expect(psi?.atoms == [0, 1, 2, 4])
    let pair = try Fixture.pdb([
      Self.atom(1, "OG", 1, 0, "A", 0.4, element: " O"), Self.atom(2, "OG", 1, 0.5, "B", 0.6, element: " O"),
      Fixture.atom(3, "OG", "SER", 2, 3, 0, 0, element: " O"),
    ])
    var finder = HydrogenBondFinder(pair, bonds: [])
    #expect(finder.all(includesWater: false).flatMap { [$0.donor, $0.acceptor] } == [1, 2])
  }

  /// The angles were computed by another program from the coordinates of conformer 2.
  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `torsions of a selected conformer continue into its neighbors' conformer`() throws {
    let structure = try Truth.structure("pdb/1k6p.pdb.gz")
    let selection = try Selection("resi 50 and altloc 2").atoms(of: structure, model: 0)
    let torsions = Torsions.all(of: structure, model: 0, selection: selection)
    let angles = ["psi", "omega"].flatMap { name in torsions.filter { $0.name == name }.map(\.degrees) }
    #expect(angles.count == 4)
    #expect(zip(angles, [140.10, -56.50, -179.91, -178.02]).allSatisfy { abs($0 - $1) < 0.01 }, "\(angles)")
  }

  /// mkdssp 4.2.2 has these angles if the last of the locations, which it uses, is the most occupied.
  @Test(.enabled(if: found != nil, "the found files are absent"))
  func `phi and psi of the most occupied conformer match mkdssp's`() throws {
    let angles: [(file: String, chain: String, number: Int, phi: Double, psi: Double)] = [
      ("5eil", "A", 51, -62.3, -39.2), ("5eil", "C", 5, -71.4, -34.5), ("5ugo", "A", 40, -69.1, -36.7),
      ("5ugo", "A", 137, -64.1, -42.2), ("5ugo", "A", 160, -63.6, -43.2), ("5ugo", "A", 232, -68.3, -24.0),
    ]
    for expected in angles {
      let structure = try Truth.structure("../found/molecules/\(expected.file).pdb.gz")
      let place = try Selection("\(expected.chain)/\(expected.number)/").atoms(of: structure, model: 0)
      let torsions = Torsions.all(of: structure, model: 0, selection: place)
      func degrees(_ name: String) -> Double { torsions.first { $0.name == name }?.degrees ?? .nan }
      #expect(abs(degrees("phi") - expected.phi) <= 0.051 && abs(degrees("psi") - expected.psi) <= 0.051, "\(expected)")
      #expect(torsions.first?.conformer == UInt8(ascii: "B"))
    }
  }
}
