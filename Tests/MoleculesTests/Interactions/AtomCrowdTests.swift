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

  @Test func `the surface area of thousands of atoms at one place is refused at once`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/crowd.pdb"
    try (Self.residues(9000).joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let report = await plugin.report("surface-area", ["molecule": .text(path)])
    #expect(report?.code == "molecules.crowded-atoms" && report?.exitStatus == 5)
    #expect(report?.message.hasPrefix("9000 atoms are within 2 angstrom of atom 'A/ALA1/CA'") == true)
  }

  @Test func `contacts of thousands of atoms at one place are refused at once`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/crowd.pdb"
    try (Self.residues(2000).joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    for reach in [4.0, 50] {
      let report = await plugin.report("contacts", ["molecule": .text(path), "within": .number(reach)])
      #expect(report?.code == "molecules.crowded-atoms" && report?.exitStatus == 5)
      #expect(report?.message.hasPrefix("2000 atoms are within 2 angstrom of atom 'A/ALA1/CA'") == true)
    }
  }

  @Test func `a hundred atoms at one place are no crowd`() throws {
    #expect(AtomCrowd(try Fixture.pdb(Self.residues(100)), model: 0) == nil)
    #expect(AtomCrowd(try Fixture.pdb(Self.residues(101)), model: 0) == AtomCrowd(atom: 0, count: 101))
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `no real file has a crowd`() throws {
    var files = 0
    for (name, truth) in try Truth.load() where truth["models"] != nil {
      files += 1
      #expect(AtomCrowd(try Truth.structure(name), model: 0) == nil, "\(name)")
    }
    #expect(files > 70)
  }
}
