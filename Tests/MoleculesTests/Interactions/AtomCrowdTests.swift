import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

/// Tests of structures with an implausible number of atoms at one position.
struct AtomCrowdTests {
  private static func residues(_ count: Int) -> [String] {
    (1...count).map { Fixture.atom($0, "CA", "ALA", $0, 1, 1, 1, element: " C") }
  }

  @Test func `the surface area of thousands of atoms at one position is refused at once`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/crowd.pdb"
    try (Self.residues(9000).joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let report = await plugin.report("surface-area", ["molecule": .text(path)])
    #expect(report?.code == "molecules.crowded-atoms" && report?.exitStatus == 5)
    #expect(report?.message.hasPrefix("9000 atoms are within 2 angstrom of atom 'A/ALA1/CA'") == true)
  }

  @Test func `contacts of thousands of atoms at one position are refused at once`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/crowd.pdb"
    try (Self.residues(2000).joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    for reach in [4.0, 50] {
      let report = await plugin.report("contacts", ["molecule": .text(path), "within": .number(reach)])
      #expect(report?.code == "molecules.crowded-atoms" && report?.exitStatus == 5)
      #expect(report?.message.hasPrefix("2000 atoms are within 2 angstrom of atom 'A/ALA1/CA'") == true)
    }
  }

  @Test func `a hundred atoms at one position are not a crowd`() throws {
    func crowd(_ count: Int) throws -> AtomCrowd? {
      AtomCrowd(try Fixture.pdb(Self.residues(count)), model: 0, includesWater: false)
    }
    #expect(try crowd(100) == nil)
    #expect(try crowd(101) == AtomCrowd(atom: 0, count: 101))
  }

  @Test func `water at one position is refused only if it is measured`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/water.pdb"
    let water = (2...1000).map {
      Fixture.atom($0, "O", "HOH", $0, 9, 9, 9, element: " O", record: "HETATM")
    }
    try ((Self.residues(1) + water).joined(separator: "\n") + "\n")
      .write(toFile: path, atomically: true, encoding: .utf8)
    #expect(await plugin.report("surface-area", ["molecule": .text(path)]) == nil)
    #expect(await plugin.report("contacts", ["molecule": .text(path)]) == nil)
    let report = await plugin.report("contacts", ["molecule": .text(path), "water": true])
    #expect(report?.code == "molecules.crowded-atoms")
    #expect(report?.message.hasPrefix("999 atoms are within 2 angstrom of atom 'A/HOH2/O'") == true)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `no real file has a crowd`() throws {
    var files = 0
    for (name, truth) in try Truth.load() where truth["models"] != nil {
      files += 1
      #expect(AtomCrowd(try Truth.structure(name), model: 0, includesWater: true) == nil, "\(name)")
    }
    #expect(files > 70)
  }
}
