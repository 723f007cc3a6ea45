/// Small files written for this program, with all that the readers know.
enum StructureSeeds {
  /// The seeds by the name of their reader.
  static let all: [String: [[UInt8]]] = [
    "pdb": [Array(pdb.utf8)], "cif": [Array(cif.utf8)], "bcif": [BinaryCIFSeed.bytes],
    "sdf": [Array(fixedTable.utf8), Array(extendedTable.utf8), Array((fixedTable + extendedTable).utf8)],
    "xyz": [Array(frames.utf8), Array(extendedFrames.utf8)],
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

  private static let fixedTable = """
    HYDROGEN CYANIDE
      seed              3D

      3  2  0  0  0  0  0  0  0  0999 V2000
        0.0000    0.0000    0.0000 H   0  0
        1.0600    0.0000    0.0000 C   0  3
        2.2200    0.0000    0.0000 N   0  0
      1  2  1  0
      2  3  3  0
    M  CHG  2   3  -1   2   1
    M  ISO  1   1   2
    M  END
    > <PUBCHEM_COMPOUND_CID>
    768

    $$$$

    """

  private static let extendedTable = """
    A RING
      seed              2D

      0  0  0     0  0            999 V3000
    M  V30 BEGIN CTAB
    M  V30 COUNTS 3 2 0 0 0
    M  V30 BEGIN ATOM
    M  V30 10 N 0 0 0 0 CHG=1
    M  V30 20 C 1.5 0 0 0 -
    M  V30 CHG=-1
    M  V30 30 H 0 1 0 0 MASS=2
    M  V30 END ATOM
    M  V30 BEGIN BOND
    M  V30 1 2 10 20
    M  V30 2 1 10 30
    M  V30 END BOND
    M  V30 END CTAB
    M  END
    >  <NAME>
    a name

    $$$$

    """

  private static let frames = """
    3
    a title
    C 0.000 1.000 -2.5
    8 1.0 2.0 3.0e-1
    Fe2+ 4 5 6
    3

    C 0.100 1.000 -2.5
    8 1.1 2.0 3.0e-1
    OW 4 5 6

    """

  private static let extendedFrames = """
    2
    Lattice="8.4 0 0 0.1 14.5 0 1.1 4.4 14.9" Properties=species:S:1:pos:R:3:CS:R:2 energy=-1.5 title='x y'
    O 2.3 4.5 11.5 24.1 31.3
    H 7.4 14.4 3.3 24.1 31.3

    """
}
