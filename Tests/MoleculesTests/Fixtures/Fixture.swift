import Foundation

@testable import Molecules

/// Small files written for the tests, with synthetic coordinates.
enum Fixture {
  /// Returns an ATOM line of the PDB format with all fields in their columns.
  static func atom(
    _ serial: Int, _ name: String, _ residue: String, _ number: Int, _ x: Double, _ y: Double, _ z: Double,
    altloc: String = " ", chain: String = "A", code: String = " ", element: String = "  ", record: String = "ATOM  ",
    occupancy: Double = 1
  ) -> String {
    let padded = name.count < 4 ? " " + name.padding(toLength: 3, withPad: " ", startingAt: 0) : name
    let position = [x, y, z].map { String(format: "%8.3f", $0) }.joined()
    return record + String(format: "%5d ", serial) + padded + altloc + pad(residue, 3) + " " + chain
      + String(format: "%4d", number) + code + "   " + position + String(format: "%6.2f", occupancy)
      + " 10.00          " + element
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  static func pdb(_ lines: [String]) throws -> Structure { try read(lines.joined(separator: "\n") + "\n") }

  static func read(_ text: String) throws -> Structure {
    try StructureFile.read(bytes: Array(text.utf8), name: "fixture")
  }

  /// Returns bonded glycine and alanine, the latter without its side chain.
  static func dipeptide() throws -> Structure {
    try pdb([
      atom(1, "N", "GLY", 1, 0, 0, 0), atom(2, "CA", "GLY", 1, 1.46, 0, 0), atom(3, "C", "GLY", 1, 2, 1.4, 0),
      atom(4, "O", "GLY", 1, 1.2, 2.3, 0), atom(5, "N", "ALA", 2, 3.3, 1.6, 0), atom(6, "CA", "ALA", 2, 3.9, 2.9, 0),
      atom(7, "C", "ALA", 2, 5.4, 2.8, 0), atom(8, "O", "ALA", 2, 6, 1.7, 0),
    ])
  }

  /// Returns a loop of _atom_site with the usual items in the usual order, and rows of text.
  static func cif(_ rows: [String], before: String = "", after: String = "") -> String {
    let items = [
      "group_PDB", "id", "type_symbol", "label_atom_id", "label_alt_id", "label_comp_id", "label_asym_id",
      "label_seq_id", "pdbx_PDB_ins_code", "Cartn_x", "Cartn_y", "Cartn_z", "occupancy", "B_iso_or_equiv",
      "auth_seq_id", "auth_asym_id", "pdbx_PDB_model_num",
    ]
    return "data_TEST\n" + before + "loop_\n" + items.map { "_atom_site." + $0 + "\n" }.joined()
      + rows.joined(separator: "\n") + "\n" + after
  }
}
