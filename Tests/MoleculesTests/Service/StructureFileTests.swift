import PluginAPI
import PluginCompression
import PluginText
import TestSupport
import Testing

@testable import Molecules

struct StructureFileTests {
  private static let atom = Fixture.atom(1, "CA", "ALA", 1, 1, 2, 3)

  @Test func `formats are recognized by content, whatever the name`() throws {
    let cif = Array(Fixture.cif(["ATOM 1 C CA . ALA A 1 ? 1.5 2.5 3.5 1.00 10.0 7 X 1"]).utf8)
    #expect(try StructureFile.read(bytes: cif, name: "x.pdb").atoms.x == [1.5])
    #expect(try StructureFile.read(bytes: Array(Self.atom.utf8), name: "x.cif").atoms.x == [1])
  }

  @Test func `gzipped content is read like plain content`() throws {
    let plain = Array((Self.atom + "\n").utf8)
    let packed = try Gzip.compress(plain)
    #expect(try StructureFile.read(bytes: packed, name: "x") == StructureFile.read(bytes: plain, name: "x"))
  }

  @Test func `bytes after gzipped data are ignored with a warning, as gzip does`() throws {
    let plain = Array((Self.atom + "\n").utf8)
    let packed = try Gzip.compress(plain)
    for members in [packed, packed + (try Gzip.compress(plain))] {
      let read = try StructureFile.read(bytes: members + Array("trailing".utf8), name: "x")
      #expect(read.atoms.count == members.count / packed.count)
      #expect(read.diagnostics.map(\.code) == ["gzip-trailing-bytes"])
      #expect(read.diagnostics.map(\.severity) == [.warning])
    }
    #expect(try StructureFile.read(bytes: packed + [0, 0, 0], name: "x").diagnostics.isEmpty)
    var damaged = packed
    damaged[packed.count - 8] ^= 1
    for bytes in [damaged, damaged + [65], packed + packed.dropLast(9), packed + [0x1F, 0x8B, 65, 65]] {
      #expect(throws: StructureReadingError.self) { try StructureFile.read(bytes: bytes, name: "x") }
    }
  }

  @Test func `carriage returns alone end lines`() throws {
    let cif = Fixture.cif(["ATOM 1 C CA . ALA A 1 ? 1.5 2.5 3.5 1.00 10.0 7 X 1"])
    for text in [Self.atom + "\n" + Fixture.atom(2, "CB", "ALA", 1, 4, 5, 6) + "\n", cif, "1\n\nC 1 2 3\n"] {
      let read = try Fixture.read(text.replacing("\n", with: "\r"))
      var expected = try Fixture.read(text)
      #expect(read.diagnostics.map(\.code) == ["carriage-returns"])
      expected.diagnostics = read.diagnostics
      #expect(read == expected)
    }
  }

  @Test func `content above the limit is refused with the name of the setting`() throws {
    let packed = try Gzip.compress(Array(repeating: 65, count: 3 << 20))
    #expect(throws: StructureReadingError.contentTooLarge(limitInBytes: 2 << 20)) {
      try StructureFile.read(bytes: packed, name: "x", limits: ReadingLimits(contentInBytes: 2 << 20))
    }
    let report = MoleculeError.contentTooLarge(path: "x.gz", limitInBytes: 2 << 20).report
    #expect(report.message == "'x.gz' has more than 2 MiB of uncompressed content")
    #expect(report.advice?.contains("config set molecules.content-limit") == true)
    #expect(MoleculesPlugin().contributions.settings.contains { $0.name == "content-limit" })
  }

  @Test func `help names every format, and the host knows its extensions`() {
    let names = Set(Molecule.formats.split(whereSeparator: { !$0.isLetter }).map(String.init))
    #expect(StructureFile.formats.map(\.name).filter { !names.contains($0) } == [])
    let extensions = StructureFile.formats.flatMap(\.extensions).flatMap { [$0, $0 + ".gz"] }
    #expect(extensions.filter { !MoleculeFileTypes.extensions.contains($0) } == [])
  }

  @Test func `content that is not a structure gives an error with advice`() {
    func message(_ bytes: [UInt8]) -> String? {
      do throws(StructureReadingError) {
        _ = try StructureFile.read(bytes: bytes, name: "x.dat")
        return nil
      } catch {
        return error.description
      }
    }
    #expect(message([]) == "the file is empty; give a PDB, mmCIF, BinaryCIF, SDF or XYZ file")
    #expect(
      message(Array("hello world\n".utf8))
        == "the format of 'x.dat' is unknown; supported are BinaryCIF, mmCIF, SDF, XYZ, PDB")
    #expect(
      message(Array("HEADER\nEND\n".utf8))
        == "the file has no atom coordinates: no ATOM or HETATM record could be read")
    #expect(
      message([0x1F, 0x8B, 8, 0]) == "the compressed data is truncated; fetch the file again")
  }

  @Test func `mutated files do not trap or hang`() throws {
    var random = SplitMix64(seed: 20_261_120)
    var seeds = [
      Array((Self.mutationLines.joined(separator: "\n") + "\n").utf8),
      Array(Fixture.cif((1...20).map { "ATOM \($0) C CA . ALA A \($0) ? 1.5 2.5 3.\($0) 1.00 10.0 7 'X' 1" }).utf8),
    ]
    seeds += [Array(Self.tables.utf8), Array(Self.frames.utf8), BinaryCIFFixture.file([BinaryCIFFixture.atoms()])]
    if SharedData.molecules != nil {
      for name in ["sdf/TYR.v3000.sdf", "sdf/aspirin_charged.sdf", "xyz/trajectory.xyz", "starter/SampleMolecule.xyz"] {
        seeds.append(try Truth.bytes(name))
      }
      for name in ["quirks/1ssu_mod.cif", "quirks/misc.cif", "quirks/disordered.pdb", "quirks/end-endmdl.pdb"] {
        seeds.append(try Truth.bytes(name))
      }
      seeds.append(Array(try Truth.bytes("cif/1crn.cif").prefix(40_000)))
    }
    var read = 0
    for round in 0..<6000 {
      let mutated = Self.mutate(seeds[round % seeds.count], &random)
      if let structure = try? StructureFile.read(bytes: mutated, name: "mutated") {
        read += 1
        _ = BondPerception.bonds(of: structure)
        _ = StructureCounts(structure)
      }
    }
    #expect(read > 1000)
  }

  @Test(arguments: [("", 1), ("ATOM      1  CA  ALA A   1       1.000   2.000   3.000\n", 100_000)])
  func `many models are read in linear time`(content: String, models: Int) throws {
    let text = String(repeating: "MODEL        1\n" + content, count: 100_000) + Self.atom
    #expect(try Fixture.read(text).models.count == models)
  }

  @Test func `many broken loops are read in linear time`() throws {
    let text =
      "data_x\n" + String(repeating: "loop_\n_a.b\n_a.c\n1\n", count: 100_000)
      + Fixture.cif(["ATOM 1 C CA . ALA A 1 ? 1.5 2.5 3.5 1.00 10.0 7 X 1"])
    let structure = try Fixture.read(text)
    #expect(structure.diagnostics.count == DiagnosticLog.keptPerCode + 1)
  }

  private static let tables = """
    HCN
      test              3D

      3  2  0  0  0  0  0  0  0  0999 V2000
        0.0000    0.0000    0.0000 H   0  0
        1.0600    0.0000    0.0000 C   0  3
        2.2200    0.0000    0.0000 N   0  0
      1  2  1  0
      2  3  3  0
    M  CHG  1   3  -1
    M  END
    > <ENERGY>
    -93.4

    $$$$

    """

  private static let frames = """
    2
    Lattice="8 0 0 0 14 0 1 4 14" Properties=species:S:1:pos:R:3 energy=-1.5 title='x y'
    O 2.3 4.5 11.5
    H 7.4 14.4 3.3
    2

    8 2.4 4.5 11.5
    1 7.4 14.4 3.3

    """

  private static let mutationLines = [
    "HEADER    TEST                                    28-MAR-07   9XYZ", "TITLE     TEST", "MODEL        1",
    "CRYST1   34.770   39.170   48.310  90.00  91.00  90.00 P 1 21 1      4",
    "HELIX    1   1 LEU A    7  PHE A   14  1                                   8",
    "SHEET    1   A 3 LYS A  39  ILE A  44  0",
    "SSBOND   1 CYS A    1    CYS A    5                          1555   1555  2.05",
    "LINK         NE2 HIS A  87                FE   HEM A 142     1555   1555  1.94", atom,
    "ANISOU    1  CA  ALA A   1      640   1000   1160    345   -225   -118       C",
    Fixture.atom(2, "CB", "ALA", 1, 1, 2, 4.5, altloc: "B"), "TER", "CONECT    1    2", "ENDMDL",
  ]

  /// Returns bytes with flipped bits, and cut, repeated or swapped pieces.
  private static func mutate(_ seed: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = seed
    for _ in 0..<Int(random.next() % 6 + 1) where !bytes.isEmpty {
      let place = Int(random.next() % UInt64(bytes.count))
      let length = min(Int(random.next() % 60), bytes.count - place)
      switch random.next() % 6 {
      case 0: bytes[place] ^= 1 << UInt8(random.next() % 8)
      case 1: bytes.removeLast(bytes.count - place)
      case 2: bytes.removeSubrange(place..<place + length)
      case 3:
        bytes.insert(contentsOf: Array(bytes[place..<place + length]), at: Int(random.next() % UInt64(bytes.count)))
      case 4: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      default: bytes[place] = [10, 59, 39, 45, 42, 0, 255, 57][Int(random.next() % 8)]
      }
    }
    return bytes
  }
}
