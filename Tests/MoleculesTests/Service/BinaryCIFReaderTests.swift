import PluginCompression
import TestSupport
import Testing

@testable import Molecules

struct BinaryCIFReaderTests {
  private typealias Make = BinaryCIFFixture

  private func read(_ bytes: [UInt8]) throws -> Structure { try StructureFile.read(bytes: bytes, name: "fixture") }

  /// Returns the decoded values of one encoded column.
  private func decoded(_ column: Packed, rows: Int) throws -> BinaryCIFColumn {
    let bytes = column.bytes
    return try bytes.withUnsafeBufferPointer {
      try BinaryCIFColumn($0, .init(data: 0), rows: rows, limit: 1000)
    }
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"), arguments: ["1gbt", "6wg6"])
  func `rows and sums of real files match the known ones`(entry: String) throws {
    let name = "bcif/\(entry).bcif.gz"
    let truth = try #require(try Truth.load()[name])
    let structure = try Truth.structure(name)
    #expect(structure.atoms.count == truth["atom_site_rows"] as? Int)
    let sum = try #require(truth["sum_x"] as? Double)
    #expect(abs(structure.atoms.x.reduce(0, +) - sum) <= 0.00105)
    #expect(structure.diagnostics == [])
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `the binary and text forms of an entry give the same structure`() throws {
    var binary = try Truth.structure("bcif/1gbt.bcif.gz")
    var text = try Truth.structure("cif/1gbt.cif.gz")
    #expect(binary.atoms == text.atoms)
    #expect(binary.residues == text.residues)
    #expect(binary.chains == text.chains)
    #expect(binary.metadata == text.metadata)
    #expect(binary.connections == text.connections)
    (binary.diagnostics, text.diagnostics) = ([], [])
    #expect(binary == text)
  }

  @Test func `atoms have the values of their columns, and masked values are missing`() throws {
    let structure = try read(Make.file([Make.atoms()]))
    #expect(structure.atoms.x == [1.5, 2.25, -100.125])
    #expect(structure.atoms.y == [0, 0.001, 4])
    #expect(structure.atoms.altloc == [0, UInt8(ascii: "B"), 0])
    #expect(structure.atoms.serial == [1, 2, 70000])
    #expect(structure.residues.map(\.number) == [-5, 301])
    #expect(structure.residues.map(\.kind) == [.polymer, .water])
    #expect(structure.chains.map(\.name) == ["Xä", "Y"])
    #expect(structure.chains.map(\.labels) == [["A"], ["B"]])
    #expect(structure.atoms.isHetero == [false, false, true])
  }

  @Test func `categories other than atoms are read as from text`() throws {
    let title = Make.category("_struct", 1, [Make.column("title", Make.texts(["a 'title'"]))])
    let cell = Make.category(
      "_cell", 1,
      [
        Make.column("length_a", Make.coordinates([12.5])), Make.column("length_b", Make.coordinates([13])),
        Make.column("length_c", Make.coordinates([14])), Make.column("Z_PDB", Make.integers([4])),
      ])
    let structure = try read(Make.file([title, cell, Make.atoms()]))
    #expect(structure.metadata.title == "a 'title'")
    #expect(structure.metadata.cell == UnitCell(a: 12.5, b: 13, c: 14, alpha: 90, beta: 90, gamma: 90))
    #expect(structure.metadata.chainsPerCell == 4)
  }

  @Test func `every encoding is decoded`() throws {
    let bytes = Make.step("ByteArray", ("type", .integer(1)))
    let runs = try decoded(
      Make.data(.data([7, 3, 0xFF, 2]), [Make.step("RunLength", ("srcSize", .integer(5))), bytes]), rows: 5)
    #expect(runs.integers() == [7, 7, 7, -1, -1])
    let deltas = try decoded(
      Make.data(.data([0, 1, 0xFE]), [Make.step("Delta", ("origin", .integer(1000))), bytes]), rows: 3)
    #expect(deltas.integers() == [1000, 1001, 999])
    let packing = Make.step("IntegerPacking", ("byteCount", .integer(1)), ("isUnsigned", .integer(0)))
    let packed = try decoded(Make.data(.data([127, 3, 0x80, 0xFF, 5]), [packing, bytes]), rows: 3)
    #expect(packed.integers() == [130, -129, 5])
    let unsigned = try decoded(
      Make.data(
        .data([255, 255, 1, 0]),
        [
          Make.step("IntegerPacking", ("byteCount", .integer(1)), ("isUnsigned", .integer(1))),
          Make.step("ByteArray", ("type", .integer(4))),
        ]), rows: 2)
    #expect(unsigned.integers() == [511, 0])
    let steps = try decoded(
      Make.data(
        .data([0, 5, 10]),
        [
          Make.step(
            "IntervalQuantization", ("min", .number(-1)), ("max", .number(1)), ("numSteps", .integer(11))), bytes,
        ]), rows: 3)
    #expect(steps.numbers() == [-1, 0, 1])
    let float = try decoded(
      Make.data(.data([0, 0, 0xC0, 0x3F]), [Make.step("ByteArray", ("type", .integer(32)))]), rows: 1)
    #expect(float.numbers() == [1.5])
    let double = try decoded(
      Make.data(.data([0, 0, 0, 0, 0, 0, 0xF8, 0x3F]), [Make.step("ByteArray", ("type", .integer(33)))]), rows: 1)
    #expect(double.numbers() == [1.5])
    let words = try decoded(
      Make.data(.data([1, 0, 2, 0, 0xFF, 0xFF]), [Make.step("ByteArray", ("type", .integer(5)))]), rows: 3)
    #expect(words.integers() == [1, 2, 65535])
  }

  @Test func `a column that is too large or inconsistent is skipped with a diagnostic`() throws {
    let long = Make.data(
      .data([7, 0xFF, 0xFF, 0x7F]),
      [Make.step("RunLength", ("srcSize", .integer(3))), Make.step("ByteArray", ("type", .integer(2)))])
    let unknown = Make.data(.data([1, 2, 3]), [Make.step("ByteArray", ("type", .integer(99)))])
    let short = Make.integers([1])
    for (bad, reason) in [(long, "more values"), (unknown, "'99' is not a type"), (short, "1 values for 3 rows")] {
      guard case .map(var fields) = Make.atoms(), case .array(let columns) = fields[2].1 else { return }
      fields[2].1 = .array(columns + [Make.column("pdbx_PDB_model_num", bad)])
      let structure = try read(Make.file([.map(fields)]))
      #expect(structure.atoms.count == 3)
      #expect(structure.diagnostics.map(\.code) == ["bcif-column-unreadable"])
      #expect(structure.diagnostics.first?.message.contains(reason) == true)
      let byte = try #require(structure.diagnostics.first?.place.byte)
      #expect(structure.diagnostics.first?.message.contains("at byte \(byte) ") == true)
    }
  }

  @Test func `a claim of many rows does not allocate memory for them`() throws {
    let constant = Make.data(
      .data([0, 0xFF, 0xFF, 0x7F]),
      [Make.step("RunLength", ("srcSize", .integer(1 << 30))), Make.step("ByteArray", ("type", .integer(2)))])
    let atoms = Make.category(
      "_atom_site", 1 << 30, ["Cartn_x", "Cartn_y", "Cartn_z"].map { Make.column($0, constant) })
    #expect(throws: StructureReadingError.self) { try read(Make.file([atoms])) }
    let large = Make.category("_struct_conf", 1 << 30, [Make.column("id", constant)])
    let structure = try read(Make.file([large, Make.atoms()]))
    #expect(structure.diagnostics.map(\.code) == ["bcif-category-too-large"])
  }

  @Test func `a truncated file is read up to its end`() throws {
    let title = Make.category("_struct", 1, [Make.column("title", Make.texts(["late"]))])
    let whole = Make.file([Make.atoms(), title])
    let cut = try read(Array(whole.dropLast(8)))
    #expect(cut.atoms.count == 3)
    #expect(cut.diagnostics.map(\.code) == ["bcif-cut-short"])
    var (read, refused) = (0, 0)
    for count in 40..<whole.count {
      do throws(StructureReadingError) {
        _ = try StructureFile.read(bytes: Array(whole.prefix(count)), name: "cut.bcif")
        read += 1
      } catch {
        guard case .damaged(let byte, let reason) = error, reason.contains("byte \(byte)"), byte <= count else {
          continue
        }
        refused += 1
      }
    }
    #expect(read > 100 && read + refused == whole.count - 40)
  }

  @Test func `deep nesting does not use the stack`() throws {
    let deep = [UInt8](repeating: 0x91, count: 200_000) + [0]
    let bytes = [0x82, 0xA7] + Array("encoder".utf8) + deep + [0xA7] + Array("version".utf8) + [1]
    #expect(throws: StructureReadingError.self) { try read(bytes) }
  }
}
