import Foundation
import TestSupport
import Testing

@testable import Molecules

struct StructureCodingTests {
  private func pieces(_ structure: Structure) -> StructureCoding.Pieces {
    StructureCoding.Pieces(
      hierarchy: StructureCoding.hierarchy(of: structure), annotations: StructureCoding.annotations(of: structure),
      atoms: structure.models.indices.map { StructureCoding.atoms(of: structure, model: $0) })
  }

  @Test func `decoding an encoded structure restores it`() throws {
    let structure = try Fixture.dipeptide()
    #expect(try StructureCoding.structure(from: pieces(structure)) == structure)
  }

  @Test(
    .enabled(if: SharedData.molecules != nil, "the shared data is absent"),
    arguments: [
      "pdb/1crn.pdb", "pdb/1a4w.pdb.gz", "pdb/1lcd.pdb.gz", "pdb/5pti.pdb", "pdb/3nig.pdb.gz", "cif/1pfe.cif.gz",
      "cif/2ofg.cif.gz", "cif/4hhb.cif.gz", "cif/small_altloc.cif", "cif/1m4x.cif.gz",
    ])
  func `decoding a real structure restores it, with its bonds`(name: String) throws {
    let folder = try #require(SharedData.molecules)
    let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    let structure = try StructureFile.read(bytes: bytes, name: name)
    #expect(try StructureCoding.structure(from: pieces(structure)) == structure)
    let bonds = BondPerception.bonds(of: structure)
    let encoded = StructureCoding.bonds(bonds)
    #expect(try StructureCoding.bonds(from: encoded, atomCount: structure.atoms.count) == bonds)
  }

  @Test func `names with bytes that are not text are restored`() throws {
    let lines = [
      Fixture.atom(1, "N", "GLY", 1, 0, 0, 0), Fixture.atom(2, "Q", "GLY", 1, 1, 0, 0),
      Fixture.atom(3, "Z", "GLY", 1, 2, 0, 0), Fixture.atom(4, "C", "GLY", 1, 3, 0, 0),
    ]
    let others: [UInt8: UInt8] = [UInt8(ascii: "Q"): 0xFE, UInt8(ascii: "Z"): 0xFF]
    let bytes = (lines.joined(separator: "\n") + "\n").utf8.map { others[$0] ?? $0 }
    let structure = try StructureFile.read(bytes: bytes, name: "fixture")
    #expect(try StructureCoding.structure(from: pieces(structure)) == structure)
  }

  @Test func `numbers without an exact decimal step are restored exactly`() throws {
    var structure = try Fixture.dipeptide()
    structure.atoms.x[0] = 0.1 + 0.2
    structure.atoms.y[1] = -0.0
    structure.atoms.z[2] = 1e300
    structure.atoms.bFactor[3] = 0.123456
    structure.atoms.occupancy[4] = -0.0
    let back = try StructureCoding.structure(from: pieces(structure))
    #expect(back == structure)
    #expect(back.atoms.y[1].sign == .minus)
    #expect(back.atoms.occupancy[4].sign == .minus)
  }

  @Test func `coordinates with three decimals take two bytes or less`() throws {
    var encoder = ColumnEncoder()
    encoder.decimals((0..<1000).map { Double($0 * 37 % 4001) / 1000 })
    #expect(encoder.bytes.count <= 2001)
  }

  @Test func `a piece truncated anywhere is refused without a trap`() throws {
    let whole = pieces(try Fixture.dipeptide())
    var accepted: [String] = []
    for cut in 0..<whole.hierarchy.count {
      var damaged = whole
      damaged.hierarchy = Array(whole.hierarchy.prefix(cut))
      if (try? StructureCoding.structure(from: damaged)) != nil { accepted.append("hierarchy \(cut)") }
    }
    for cut in 0..<whole.atoms[0].count {
      var damaged = whole
      damaged.atoms[0] = Array(whole.atoms[0].prefix(cut))
      if (try? StructureCoding.structure(from: damaged)) != nil { accepted.append("atoms \(cut)") }
    }
    for cut in 0..<whole.annotations.count {
      var damaged = whole
      damaged.annotations = Array(whole.annotations.prefix(cut))
      if (try? StructureCoding.structure(from: damaged)) != nil { accepted.append("annotations \(cut)") }
    }
    #expect(accepted.isEmpty)
  }

  @Test func `a piece with a changed byte is read or refused without a trap`() throws {
    let structure = try Fixture.dipeptide()
    let whole = pieces(structure)
    var refused = 0
    for index in whole.hierarchy.indices {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var damaged = whole
        damaged.hierarchy[index] = value
        if let read = try? StructureCoding.structure(from: damaged) {
          // The result must be complete enough to be traversed.
          _ = StructureCounts(read)
          _ = ChainSummary.all(of: read, model: 0)
        } else {
          refused += 1
        }
      }
    }
    for index in whole.atoms[0].indices {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var damaged = whole
        damaged.atoms[0][index] = value
        if let read = try? StructureCoding.structure(from: damaged) {
          _ = PartTables.atoms(of: Molecule(format: "", file: "", structure: read, bonds: [[]]), model: 0)
        } else {
          refused += 1
        }
      }
    }
    #expect(refused > 0)
  }

  @Test func `a bond to a missing atom is refused`() {
    let bytes = StructureCoding.bonds([Bond(first: 0, second: 9, order: .single, origin: .template)])
    #expect(throws: ColumnError.self) { try StructureCoding.bonds(from: bytes, atomCount: 9) }
    #expect((try? StructureCoding.bonds(from: bytes, atomCount: 10)) != nil)
    var huge = ColumnEncoder()
    huge.byte(StructureCoding.version)
    huge.count(1)
    huge.differences([Int.max])
    huge.differences([1])
    huge.runs([1])
    huge.runs([1])
    #expect(throws: ColumnError.self) { try StructureCoding.bonds(from: huge.bytes, atomCount: 9) }
  }

  @Test func `a piece of another version is refused`() throws {
    var whole = pieces(try Fixture.dipeptide())
    whole.annotations[0] = StructureCoding.version + 1
    #expect(throws: ColumnError.unexpected(offset: 0)) { try StructureCoding.structure(from: whole) }
  }
}
