import BenchmarkSupport
import Glibc
import PluginCompression

@testable import Molecules

/// The readers of structure files, bonds, counts and the byte form of the library.
struct StructureSubject: FuzzSubject {
  let seeds: [[UInt8]]
  let tokens: [[UInt8]]

  /// Longer files are cut at the end of a line: what matters is at their start, and inputs should be many.
  private static let longestSeed = 48_000

  init(folder: String) {
    var seeds = [Array(Self.pdb.utf8), Array(Self.cif.utf8)]
    for part in ["quirks", "pdb", "cif", "starter"] {
      let path = folder + "/molecules/" + part
      for name in Self.names(in: path) {
        guard let bytes = try? FileBytes.read(path + "/" + name), bytes.count < 4 << 20 else { continue }
        // A few stay compressed.
        if name.hasSuffix(".gz"), bytes.count < 40_000 { seeds.append(bytes) }
        let plain = name.hasSuffix(".gz") ? (try? Gzip.uncompress(bytes)) ?? [] : bytes
        if !plain.isEmpty { seeds.append(Self.cut(plain)) }
      }
    }
    self.seeds = seeds
    tokens = Self.words.map { Array($0.utf8) } + [[0], [255, 254], [0xC3], [31, 139, 8]]
  }

  func read(_ bytes: [UInt8]) -> Bool {
    guard let structure = try? StructureFile.read(bytes: bytes, name: "input") else { return false }
    _ = StructureCounts(structure)
    let bonds = structure.models.indices.prefix(3).map { BondPerception.bonds(of: structure, model: $0) }
    var pieces = StructureCoding.Pieces()
    pieces.hierarchy = StructureCoding.hierarchy(of: structure)
    pieces.annotations = StructureCoding.annotations(of: structure)
    pieces.atoms = structure.models.indices.map { StructureCoding.atoms(of: structure, model: $0) }
    do {
      let again = try StructureCoding.structure(from: pieces)
      precondition(again.atoms.count == structure.atoms.count, "the byte form keeps every atom")
      for model in bonds {
        let kept = try StructureCoding.bonds(from: StructureCoding.bonds(model), atomCount: structure.atoms.count)
        precondition(kept.count == model.count, "the byte form keeps every bond")
      }
    } catch {
      fatalError("the byte form of a structure that was read cannot be read: \(error)")
    }
    return true
  }

  private static func cut(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > longestSeed else { return bytes }
    let start = bytes.prefix(longestSeed)
    return Array(start.prefix(through: start.lastIndex(of: 10) ?? longestSeed - 1))
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  private static let words = [
    "ATOM  ", "HETATM", "ANISOU", "TER", "MODEL     ", "ENDMDL", "CONECT", "HELIX ", "SHEET ", "SSBOND", "LINK  ",
    "CRYST1", "SEQRES", "REMARK 350", "BIOMT1", "MODRES", "99999999", "-9999.999", "*****", "1e400", "nan", "inf",
    "data_", "loop_\n", "save_", "\n;\n", "'", "\"", "_atom_site.id", "_atom_site.Cartn_x", "_struct_conf.id", "?", ".",
    "-0", "18446744073709551616", "-9223372036854775809", "(X0)(1-60)", "1,2,3-9999999", "\r\n", "\n\n",
  ]

  /// Written for this program: a record of each kind that is read.
  private static let pdb = """
    HEADER    TEST                                    28-MAR-07   9XYZ
    TITLE     A PEPTIDE AND A HAEM
    COMPND    MOL_ID: 1;
    COMPND   2 MOLECULE: PEPTIDE;
    SEQRES   1 A    2  GLY ALA
    HELIX    1   1 GLY A    1  ALA A    2  1                                   2
    SHEET    1   A 1 GLY A   1  ALA A   2  0
    SSBOND   1 CYS A    1    CYS A    5                          1555   1555  2.05
    LINK         N   GLY A   1                FE   HEM A 142     1555   1555  1.94
    CRYST1   34.770   39.170   48.310  90.00  91.00  90.00 P 1 21 1      4
    REMARK 350 BIOMOLECULE: 1
    REMARK 350 APPLY THE FOLLOWING TO CHAINS: A
    REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000
    REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000
    REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000
    MODEL        1
    ATOM      1  N   GLY A   1       0.000   0.000   0.000  1.00 10.00           N
    ANISOU    1  N   GLY A   1      640   1000   1160    345   -225   -118       N
    ATOM      2  CA AGLY A   1       1.460   0.000   0.000  0.60 10.00           C
    ATOM      3  CA BGLY A   1       1.500   0.100   0.000  0.40 10.00           C
    ATOM      4  C   ALA A   2A      2.000   1.400   0.000  1.00 10.00           C1+
    TER       5      ALA A   2
    HETATM    6 FE   HEM A 142       5.000   1.400   0.000  1.00 10.00          FE
    CONECT    1    2    6
    ENDMDL
    END

    """

  private static let cif = """
    data_9XYZ
    _entry.id 9XYZ
    _struct.title 'a peptide; "quoted"'
    _cell.length_a 34.77
    _struct.pdbx_descriptor
    ;text over
    two lines
    ;
    loop_
    _struct_conf.conf_type_id
    _struct_conf.id
    _struct_conf.beg_auth_asym_id
    _struct_conf.beg_auth_seq_id
    _struct_conf.end_auth_asym_id
    _struct_conf.end_auth_seq_id
    HELX_P H1 A 1 A 2
    loop_
    _pdbx_struct_assembly_gen.assembly_id
    _pdbx_struct_assembly_gen.oper_expression
    _pdbx_struct_assembly_gen.asym_id_list
    1 (1-2)(3) A,B
    loop_
    _atom_site.group_PDB
    _atom_site.id
    _atom_site.type_symbol
    _atom_site.label_atom_id
    _atom_site.label_alt_id
    _atom_site.label_comp_id
    _atom_site.label_asym_id
    _atom_site.label_seq_id
    _atom_site.pdbx_PDB_ins_code
    _atom_site.Cartn_x
    _atom_site.Cartn_y
    _atom_site.Cartn_z
    _atom_site.occupancy
    _atom_site.B_iso_or_equiv
    _atom_site.auth_seq_id
    _atom_site.auth_asym_id
    _atom_site.pdbx_PDB_model_num
    ATOM 1 N N . GLY A 1 ? 0.000 0.000 0.000 1.00 10.0 1 A 1
    ATOM 2 C CA A GLY A 1 ? 1.460 0.000 0.000 0.60 10.0 1 A 1
    ATOM 3 C "C1'" . ALA A 2 B 2.000 1.400 0.000 1.00 10.0 2 A 1
    HETATM 4 FE FE . HEM B . ? 5.000 1.400 0.000 1.00 10.0 142 A 2
    #

    """
}
