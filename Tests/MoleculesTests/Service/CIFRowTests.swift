import PluginText
import TestSupport
import Testing

@testable import Molecules

/// Tests that plain rows are read by the scanner, and other rows by the tokenizer.
struct CIFRowTests {
  /// Rows of every kind that only the tokenizer can read, and plain ones.
  private static let kinds: [@Sendable (Int) -> String] = [
    { "ATOM \($0) C CA . ALA A \($0) ? 1.5 2.5 3.5 1.00 10.0 \($0) X 1" },
    { "ATOM \($0) C \"C1'\" . ALA A \($0) ? 1.5 2.5 3.5 1.00 10.0 \($0) X 1" },
    { "ATOM \($0) C CA . ALA A '\($0)' ? 1.5 2.5 3.5 1.00 10.0 \"\($0)\" \"X\" '1'" },
    { "ATOM \($0) C LOOP . D_ATA A \($0) ? 1.5 2.5 3.5 1.00 10.0 \($0) loop_x 1" },
    { "ATOM \($0) C C'\" . ALA A \($0) ? 1.5 2.5 3.5 1.00 10.0 \($0) X_1 1" },
    { "ATOM \($0) C 'C 1' . ALA A \($0) ? 1.5 2.5 3.5 1.00 10.0 \($0) X 1" },
    { "ATOM \($0) C CA . ALA A \($0) ? 1.5 2.5 3.5 1.00 10.0 \($0) X 1 # a comment" },
    { "ATOM\n\($0)\nC CA . ALA A \($0) ?\n1.5 2.5 3.5 1.00 10.0 \($0)\nX 1" },
    { "ATOM \($0) C\n;CA\n;\n. ALA A \($0) ? 1.5 2.5 3.5 1.00 10.0 \($0) X 1" },
    { "ATOM \($0) C CA . ALA A \($0) ? 1.5(2) 2.50E+0 +3.5 1.00 10.0 \($0) X 1" },
    { "ATOM \($0)     C CA . ALA A \($0) ? 1.5" + String(repeating: " ", count: 5000) + "2.5 3.5 1.00 10.0 \($0) X 1" },
  ]

  @Test func `rows of all kinds give the same atoms in any order and at any window boundary`() throws {
    var random = SplitMix64(seed: 11)
    for size in [1, 2, 30, 500] {
      let rows = (1...size).map { Self.kinds[Int(random.next() % UInt64(Self.kinds.count))]($0) }
      let structure = try Fixture.read(Fixture.cif(rows))
      #expect(structure.atoms.serial == (1...size).map { Int32($0) })
      #expect(structure.residues.map(\.number) == (1...size).map { Int32($0) })
      #expect(structure.atoms.x.allSatisfy { $0 == 1.5 } && structure.atoms.y.allSatisfy { $0 == 2.5 })
      #expect(structure.atoms.z.allSatisfy { $0 == 3.5 })
      #expect(structure.diagnostics.isEmpty)
    }
  }

  @Test func `quoted values are read in loops of any width`() throws {
    for width in [3, 63, 64, 65, 100] {
      let others = (0..<width).map { "_atom_site.item\($0)\n" }.joined()
      let text =
        "data_TEST\nloop_\n" + others + "_atom_site.label_atom_id\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n"
        + "_atom_site.Cartn_z\n"
        + (1...50).map { String(repeating: "'.' ", count: width) + "\"C\($0)'\" 1.5 2.5 \"3.5\"\n" }.joined()
      let structure = try Fixture.read(text)
      #expect(structure.atoms.name.map { structure.names[$0] } == (1...50).map { "C\($0)'" })
      #expect(structure.atoms.z.allSatisfy { $0 == 3.5 })
    }
  }

  @Test func `a loop ends at a keyword and at the end of the file`() throws {
    let row = "ATOM 1 C CA . ALA A 1 ? 1.5 2.5 3.5 1.00 10.0 7 X 1"
    for end in ["", "\n", " ", "\n#\n", "\nloop_\n_a.b\n1\n", "\n_a.b 1\n", "\nsave_\n", "\ndata_next\n"] {
      #expect(try Fixture.read(Fixture.cif([row]).dropLast() + end).atoms.count == 1)
    }
  }

  @Test func `values that begin like keywords are values`() throws {
    let structure = try Fixture.read(
      Fixture.cif([
        "ATOM 1 S LOOP . DATA S 1 ? 1.5 2.5 3.5 1.00 10.0 7 STOP 1",
        "ATOM 2 D GLOBAL . SAVE G 2 ? 1.5 2.5 3.5 1.00 10.0 7 DATAS 1",
      ]))
    #expect(structure.names.texts.contains("LOOP") && structure.names.texts.contains("GLOBAL"))
    #expect(structure.atoms.count == 2)
  }

  @Test func `an incomplete last row is skipped and reported`() throws {
    let row = "ATOM 1 C CA . ALA A 1 ? 1.5 2.5 3.5 1.00 10.0 7 X 1"
    let structure = try Fixture.read(Fixture.cif([row, "ATOM 2 C"]))
    #expect(structure.atoms.count == 1)
    #expect(structure.diagnostics.map(\.code) == ["cif-loop-incomplete"])
  }
}
