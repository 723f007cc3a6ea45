import TestSupport
import Testing

@testable import Molecules

/// Tests that problems in files are reported with their line and column, or their byte offset.
struct FaultPlaceTests {
  /// A line of a file, the code of its problem and the column at which it begins.
  private typealias Fault = (line: String, code: String, column: Int)

  private static let good = Fixture.atom(1, "CA", "ALA", 1, 1, 2, 3, element: " C")

  private static let coordinates: [Fault] = [
    ("ATOM      2  CB  ALA A   1     *******   2.000   3.000  1.00 10.00           C", "coordinate-unreadable", 31),
    ("ATOM      2  CB  ALA A   1       1.000   2.x00   3.000  1.00 10.00           C", "coordinate-unreadable", 39),
    ("ATOM      2  CB  ALA A   1       1.000   2.000      na  1.00 10.00           C", "coordinate-unreadable", 47),
    ("ATOM      2  CB  ALA A   1       1.0", "atom-line-short", 31),
    ("ATOM      2  CB  ALA A   1       1.000   2.000", "atom-line-short", 47),
  ]

  private static let fields: [Fault] = [
    ("ATOM  *****  CB  ALA A   1       1.000   2.000   3.000  1.00 10.00           C", "serial-unreadable", 7),
    ("ATOM  123456  CB  ALA A   1       1.000   2.000   3.000  1.00 10.00           C", "serial-too-wide", 7),
    ("atom      2  CB  ALA A   1       1.000   2.000   3.000  1.00 10.00           C", "record-lower-case", 1),
    ("ATOM      2  CB  ALA A  ?1       1.000   2.000   3.000  1.00 10.00           C", "residue-number-unreadable", 23),
    ("ATOM      2  CB  ALA A  127      1.000   2.000   3.000  1.00 10.00           C", "insertion-code-digit", 27),
    ("ATOM      2  CB  ALA A   1       1.000   2.000   3.000  1.x0 10.00           C", "factor-unreadable", 55),
    ("ATOM      2  CB  ALA A   1       1.000   2.000   3.000  1.00 1x.00           C", "factor-unreadable", 61),
    ("ATOM      2  CB  ALA A   1       1.000   2.000   3.000  1.00 10.00          QQ", "element-unreadable", 77),
    ("ATOM      2  Q   ALA A   1       1.000   2.000   3.000  1.00 10.00            ", "element-unknown", 13),
    ("ATOM      2  CB  ALA A   1       1.000   2.000   3.000  1.00 10.00           C++", "charge-unreadable", 79),
    ("ANISOU    1  CA  ALA A   1       10     xx     30     40     50     60", "anisotropy-unreadable", 36),
    ("ANISOU    7  CA  ALA A   1       10     20     30     40     50     60", "anisotropy-misplaced", 7),
    ("CRYST1   10.000   yy.000   30.000  90.00  90.00  90.00 P 1           1", "cell-unreadable", 16),
    ("HELIX    1   1 ALA A    1  ALA A    x  1", "range-unreadable", 34),
    ("SHEET    1   A 1 ALA A   x  ALA A   2  0", "range-unreadable", 23),
    ("CONECT    1    x", "conect-unreadable", 12), ("CONECT    1    1   98", "conect-unresolved", 17),
    ("CONECT    1    1", "conect-to-itself", 12), ("MODEL", "model-not-ended", 1),
    ("MODEL      one", "model-number-missing", 12),
  ]

  @Test func `an error in a PDB file is reported at the first column of its field`() throws {
    var wrong: [String] = []
    for (line, code, column) in Self.coordinates + Self.fields {
      let structure = try Fixture.pdb([Self.good, line])
      let found = structure.diagnostics.first { $0.code == code }
      if found?.place != .text(line: 2, column: column) { wrong.append("\(code): \(String(describing: found))") }
    }
    #expect(wrong == [])
  }

  @Test func `an error after tabs is reported at its column in the file`() throws {
    let structure = try Fixture.pdb([Self.good, "ATOM\t  2\tCB  ALA\tA\t 1\t x.000\t2.000   3.000"])
    let places = structure.diagnostics.map { ($0.code, $0.place) }
    #expect(places.contains { $0 == ("tabs-expanded", .text(line: 2, column: 5)) })
    let fault = try #require(places.first { $0.0 == "coordinate-unreadable" || $0.0 == "residue-number-unreadable" })
    #expect(fault.1.column <= 40)
  }

  @Test func `content after END is reported at its position`() throws {
    let structure = try Fixture.read(Self.good + "\nEND\n\n\n  TER\n")
    #expect(structure.diagnostics.map(\.place) == [.text(line: 5, column: 3)])
  }

  @Test func `a PDB file of unreadable atoms is refused with the first error`() {
    let bytes = Array("HEADER\nATOM      2  CB  ALA A   1       1.000   2.x00   3.000\nEND\n".utf8)
    let message = "coordinates '1.000   2.x00   3.000' are not three numbers in columns 31-54; the atom was left out"
    #expect(throws: StructureReadingError.malformed(line: 2, column: 39, message)) {
      try StructureFile.read(bytes: bytes, name: "x.pdb")
    }
  }

  private static let row = "ATOM 1 C CA . ALA A 1 ? 1.5 2.5 3.5 1.00 10.0 7 X 1"

  @Test func `an error in an mmCIF file is reported at the first column of its token`() throws {
    let bad = "ATOM 2 C CB . ALA A 1 ? 1.5 'a b' 3.5 1.00 10.0 7 X 1"
    let before = "_entry.id\n  _struct.title 'open\n stray\n"
    let structure = try Fixture.read(Fixture.cif([Self.row, bad, "ATOM 3"], before: before))
    let found = structure.diagnostics.map { "\($0.code) \($0.line):\($0.column)" }
    #expect(
      found.sorted() == [
        "cif-coordinate-unreadable 24:29", "cif-loop-incomplete 5:1", "cif-quote-unclosed 3:17",
        "cif-tag-without-value 2:1", "cif-value-without-tag 4:2",
      ])
    #expect(structure.diagnostics.contains { $0.message.hasPrefix("'a b' is not a coordinate in Å for Cartn_y") })
  }

  @Test func `an error in a category's meaning is reported at its value`() throws {
    let after =
      "_refine.ls_d_res_high 1.8\n_pdbx_struct_assembly_gen.assembly_id 1\n"
      + "_pdbx_struct_assembly_gen.oper_expression 9\n_pdbx_struct_assembly_gen.asym_id_list A\n"
    let structure = try Fixture.read(Fixture.cif([Self.row], after: after))
    #expect(
      structure.diagnostics.map(\.place) == [.text(line: 21, column: 23), .text(line: 23, column: 43)])
  }

  @Test func `a byte order mark does not count as a column`() throws {
    let structure = try Fixture.read("\u{FEFF} _entry.id\n" + Fixture.cif([Self.row]))
    #expect(structure.diagnostics.map(\.place) == [.text(line: 1, column: 2)])
  }

  @Test func `an mmCIF file of unreadable atoms is refused with the first error`() {
    let text = Fixture.cif(["ATOM 2 C CB . ALA A 1 ? 1.5 2.5 ? 1.00 10.0 7 X 1"])
    let message = "'?' is not a coordinate in Å for Cartn_z of _atom_site; the row was left out"
    #expect(throws: StructureReadingError.malformed(line: 20, column: 33, message)) { try Fixture.read(text) }
  }

  @Test func `an error in a binary file is reported at its byte offset`() throws {
    let whole = BinaryCIFFixture.file([BinaryCIFFixture.atoms()])
    var places: [FilePlace] = []
    for count in stride(from: 60, to: whole.count, by: 7) {
      do throws(StructureReadingError) {
        places += try StructureFile.read(bytes: Array(whole.prefix(count)), name: "x.bcif").diagnostics.map(\.place)
      } catch {
        places.append(error.place)
      }
    }
    #expect(places.count > 10 && places.allSatisfy { (0...whole.count).contains($0.byte ?? -1) })
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `every diagnostic of real files has a position, or is about the whole file`() throws {
    var odd: [String] = []
    var count = 0
    for (name, _) in try Truth.load() {
      guard let structure = try? Truth.structure(name) else { continue }
      for diagnostic in structure.diagnostics where diagnostic.place != .whole {
        count += 1
        let isBinary = name.contains(".bcif")
        if isBinary ? diagnostic.place.byte == nil : diagnostic.line < 1 || diagnostic.column < 1 {
          odd.append("\(name): \(diagnostic)")
        }
      }
      for diagnostic in structure.diagnostics where diagnostic.place == .whole {
        if !diagnostic.message.contains("are not listed") { odd.append("\(name): \(diagnostic)") }
      }
    }
    #expect(count > 50 && odd == [])
  }
}
