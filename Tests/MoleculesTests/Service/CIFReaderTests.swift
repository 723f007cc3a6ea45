import Testing

@testable import Molecules

/// Tests of corner cases of the mmCIF format, each in a few lines written for it.
struct CIFReaderTests {
  private static let row = "ATOM 1 C CA . ALA A 1 ? 1.5 2.5 3.5 1.00 10.0 7 X 1"

  @Test func `author names are used, and label names stored`() throws {
    let structure = try Fixture.read(Fixture.cif([Self.row]))
    #expect(structure.address(ofResidue: 0) == ResidueAddress(chain: "X", number: 7, name: "ALA"))
    #expect(structure.chains[0].labels == ["A"])
    #expect(structure.residues[0].kind == .polymer)
  }

  @Test func `quotes end only before whitespace`() throws {
    let structure = try Fixture.read(
      Fixture.cif([
        #"ATOM 1 O 'O5'' . DT A 1 ? 1 2 3 1 1 1 A 1"#, #"ATOM 2 O "O3'" . DT A 1 ? 1 2 3 1 1 1 A 1"#,
        #"ATOM 3 H H2" . DT A 1 ? 1 2 3 1 1 1 A 1"#, #"ATOM 4 O O4' . DT A 1 ? 1 2 3 1 1 1 A 1"#,
      ]))
    #expect((0..<4).map(structure.atomName) == ["O5'", "O3'", "H2\"", "O4'"])
  }

  @Test func `text fields, comments and values on the next line are read`() throws {
    let before =
      "_struct.title\n;A title\nof 'two' lines\n;\n_entry.id # comment\nTE#ST\n_Cell.Length_A 10.5(2)\n"
      + "_cell.length_b\n20\n_cell.length_c 30 _cell.angle_alpha 90 _cell.angle_beta 91. _cell.angle_gamma 9e1\n"
    let structure = try Fixture.read(Fixture.cif([Self.row, "# a comment", Self.row], before: before))
    #expect(structure.metadata.title == "A title of 'two' lines")
    #expect(structure.metadata.entryID == "TE#ST")
    #expect(structure.metadata.cell == UnitCell(a: 10.5, b: 20, c: 30, alpha: 90, beta: 91, gamma: 90))
    #expect(structure.atoms.count == 2)
  }

  @Test func `the method of a ModelCIF file is a theoretical model, unless it states another`() throws {
    let model = "_ma_model_list.ordinal_id 1\n"
    func method(_ before: String) throws -> String {
      try Fixture.read(Fixture.cif([Self.row], before: before)).metadata.method
    }
    #expect(try method("") == "")
    #expect(try method(model) == "THEORETICAL MODEL")
    #expect(try method(model + "_exptl.method 'SOLUTION NMR'\n") == "SOLUTION NMR")
  }

  @Test func `numbers can have an uncertainty`() throws {
    let structure = try Fixture.read(Fixture.cif(["ATOM 1 C CA . ALA A 1 ? 1.234(5) -2.5(10) 3 1.00 10.0(1) 7 X 1"]))
    #expect(structure.atoms.position(0) == SIMD3(1.234, -2.5, 3))
    #expect(structure.atoms.bFactor == [10])
  }

  @Test func `a category of one atom can be written as pairs`() throws {
    let text =
      "data_X\n_atom_site.Cartn_x 1\n_atom_site.Cartn_y 2\n_atom_site.Cartn_z 3\n_atom_site.type_symbol FE\n"
      + "_atom_site.auth_asym_id LONGNAME1\n_atom_site.auth_seq_id -4\n_atom_site.auth_comp_id 7ZTVU\n"
    let structure = try Fixture.read(text)
    #expect(structure.address(ofResidue: 0) == ResidueAddress(chain: "LONGNAME1", number: -4, name: "7ZTVU"))
    #expect(structure.atoms.element.map(\.symbol) == ["Fe"])
  }

  @Test func `an incomplete last row is reported at its loop, and the rest is read`() throws {
    let structure = try Fixture.read(Fixture.cif([Self.row, "ATOM 2 C CB . ALA"], after: "_struct.title x\n"))
    #expect(structure.atoms.count == 1)
    #expect(structure.metadata.title == "x")
    #expect(structure.diagnostics.map(\.code) == ["cif-loop-incomplete"])
    #expect(structure.diagnostics.map(\.line) == [2])
  }

  @Test func `tags without values, values without tags and open quotes are reported`() throws {
    let before = "_entry.id\n_struct.title 'open\nstray\n"
    let structure = try Fixture.read(Fixture.cif([Self.row], before: before))
    #expect(
      Set(structure.diagnostics.map(\.code)) == [
        "cif-tag-without-value", "cif-value-without-tag", "cif-quote-unclosed",
      ])
    #expect(structure.atoms.count == 1)
  }

  @Test func `an unclosed text field costs only one line`() throws {
    let structure = try Fixture.read(Fixture.cif([Self.row], before: "_struct.title\n;open\n"))
    #expect(structure.atoms.count == 1)
    #expect(structure.diagnostics.map(\.code) == ["cif-field-unclosed"])
  }

  @Test func `a row without a coordinate is skipped`() throws {
    let structure = try Fixture.read(Fixture.cif([Self.row, "ATOM 2 C CB . ALA A 1 ? ? 2.5 3.5 1.00 10.0 7 X 1"]))
    #expect(structure.atoms.count == 1)
    #expect(structure.diagnostics.map(\.code) == ["cif-coordinate-unreadable"])
  }

  @Test func `a change of model number begins a model`() throws {
    let rows = ["3", "3", "7"].map { "ATOM 1 C CA . ALA A 1 ? 1.5 2.5 3.5 1.00 10.0 7 X \($0)" }
    let structure = try Fixture.read(Fixture.cif(rows))
    #expect(structure.models.map(\.number) == [3, 7])
    #expect(structure.models.map(\.atoms) == [0..<2, 2..<3])
  }

  @Test func `only the first data block with atoms is read`() throws {
    let structure = try Fixture.read("data_empty\n_a.b 1\n" + Fixture.cif([Self.row], after: Fixture.cif([Self.row])))
    #expect(structure.atoms.count == 1)
    #expect(structure.diagnostics.map(\.code) == ["cif-further-block"])
  }

  @Test func `operator expressions are multiplied, with the right factor first`() throws {
    let shift = { (x: Double) in Transform(translation: SIMD3(x, 0, 0)) }
    let turn = Transform(row0: SIMD3(-1, 0, 0), row1: SIMD3(0, -1, 0))
    let operators = ["1": shift(1), "2": shift(2), "3": shift(3), "P": turn]
    #expect(CIFAssemblies.expand("1", operators) == [shift(1)])
    #expect(CIFAssemblies.expand("1,3", operators) == [shift(1), shift(3)])
    #expect(CIFAssemblies.expand("(1-3)", operators)?.count == 3)
    #expect(CIFAssemblies.expand("(1-3)(1,2)", operators)?.count == 6)
    let product = try #require(CIFAssemblies.expand("P(1-2)", operators))
    #expect(product.map { $0.apply(SIMD3(0, 0, 0)).x } == [-1, -2])
    #expect(CIFAssemblies.expand("9", operators) == nil)
  }

  @Test func `an expression with too many operators is refused with a diagnostic`() throws {
    let list = "loop_\n_pdbx_struct_oper_list.id\n" + (1...500).map { "\($0)\n" }.joined()
    let generator =
      "_pdbx_struct_assembly_gen.assembly_id 1\n"
      + "_pdbx_struct_assembly_gen.oper_expression (1-500)(1-500)(1-500)\n_pdbx_struct_assembly_gen.asym_id_list A\n"
    let structure = try Fixture.read(Fixture.cif([Self.row], after: list + generator))
    #expect(structure.assemblies.isEmpty)
    #expect(structure.diagnostics.map(\.code) == ["cif-operators-unreadable"])
  }

  @Test func `secondary structure, links and displacement tensors are read`() throws {
    let after = """
      loop_
      _struct_conn.id _struct_conn.conn_type_id _struct_conn.ptnr1_auth_asym_id _struct_conn.ptnr1_auth_seq_id
      _struct_conn.ptnr1_label_atom_id _struct_conn.ptnr2_auth_asym_id _struct_conn.ptnr2_auth_seq_id
      _struct_conn.ptnr2_label_atom_id _struct_conn.ptnr1_symmetry _struct_conn.ptnr2_symmetry
      1 disulf X 7 SG X 9 SG 1_555 1_555
      2 hydrog X 7 N X 9 O 1_555 2_665
      _struct_conf.conf_type_id HELX_P
      _struct_conf.id H1
      _struct_conf.beg_auth_asym_id X
      _struct_conf.beg_auth_seq_id 7
      _struct_conf.end_auth_asym_id X
      _struct_conf.end_auth_seq_id 9
      _struct_conf.pdbx_PDB_helix_class 5
      loop_
      _atom_site_anisotrop.id _atom_site_anisotrop.U[1][1] _atom_site_anisotrop.U[2][2] _atom_site_anisotrop.U[3][3]
      _atom_site_anisotrop.U[1][2] _atom_site_anisotrop.U[1][3] _atom_site_anisotrop.U[2][3]
      1 0.1 0.2 0.3 0 0 0

      """
    let structure = try Fixture.read(Fixture.cif([Self.row], after: after))
    #expect(structure.connections.map(\.kind) == [.disulfide, .hydrogenBond])
    #expect(structure.connections.map(\.isWithinUnit) == [true, false])
    #expect(structure.helices.map(\.helixClass) == [5])
    #expect(structure.atoms.anisotropy.map(\.u22) == [0.2])
  }

  @Test func `a helix type that names a class sets it if no class is stated`() throws {
    let helix = """
      _struct_conf.conf_type_id HELX_LH_PP_P
      _struct_conf.id H1
      _struct_conf.beg_auth_asym_id X
      _struct_conf.beg_auth_seq_id 7
      _struct_conf.end_auth_asym_id X
      _struct_conf.end_auth_seq_id 9

      """
    #expect(try Fixture.read(Fixture.cif([Self.row], after: helix)).helices.map(\.helixClass) == [10])
  }

  @Test func `a second loop of atoms can have fewer items in another order`() throws {
    let after = """
      loop_
      _atom_site.Cartn_z _atom_site.Cartn_y _atom_site.Cartn_x _atom_site.type_symbol
      3 2 1 O

      """
    let structure = try Fixture.read(Fixture.cif([Self.row], after: after))
    #expect(structure.atoms.count == 2)
    #expect([structure.atoms.x[1], structure.atoms.y[1], structure.atoms.z[1]] == [1, 2, 3])
  }
}
