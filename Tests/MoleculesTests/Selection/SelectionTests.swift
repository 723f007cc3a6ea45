import Testing

@testable import Molecules

/// Tests of the atoms of selections, on a small structure.
struct SelectionTests {
  /// A structure with two chains, an insertion code, a negative number, alternate locations, a ligand, a metal and
  /// waters.
  private static let structure = try? Fixture.pdb([
    "HELIX    1   1 GLY A   -1  ALA A    2  1                                   3",
    Fixture.atom(1, "N", "GLY", -1, 0, 0, 0, element: " N"),
    Fixture.atom(2, "CA", "GLY", -1, 1, 0, 0, element: " C"),
    Fixture.atom(3, "C", "GLY", -1, 2, 0, 0, element: " C"),
    Fixture.atom(4, "N", "ALA", 2, 3, 0, 0, element: " N"),
    Fixture.atom(5, "CA", "ALA", 2, 4, 0, 0, element: " C"),
    Fixture.atom(6, "CB", "ALA", 2, 4, 1, 0, altloc: "A", element: " C"),
    Fixture.atom(7, "CB", "ALA", 2, 4, 2, 0, altloc: "B", element: " C"),
    Fixture.atom(8, "CA", "SER", 2, 6, 0, 0, code: "A", element: " C"),
    Fixture.atom(9, "OG", "SER", 2, 6, 1, 0, code: "A", element: " O"),
    Fixture.atom(10, "CA", "LEU", 3, 8, 0, 0, element: " C"),
    "TER",
    Fixture.atom(11, "P", "DA", 1, 20, 0, 0, chain: "B", element: " P"),
    Fixture.atom(12, "O5'", "DA", 1, 21, 0, 0, chain: "B", element: " O"),
    Fixture.atom(13, "C1'", "DA", 1, 22, 0, 0, chain: "B", element: " C"),
    Fixture.atom(14, "C3'", "DA", 1, 22, 1, 0, chain: "B", element: " C"),
    Fixture.atom(15, "N9", "DA", 1, 23, 0, 0, chain: "B", element: " N"),
    "TER",
    Fixture.atom(16, "C1", "LIG", 101, 30, 0, 0, element: " C", record: "HETATM"),
    Fixture.atom(17, "ZN", " ZN", 102, 33, 0, 0, element: "ZN", record: "HETATM"),
    Fixture.atom(18, "O", "HOH", 201, 40, 0, 0, element: " O", record: "HETATM"),
    Fixture.atom(19, "O", "HOH", 202, 50, 0, 0, chain: "B", element: " O", record: "HETATM"),
  ])

  private func serials(_ text: String, sets: [String] = []) throws -> [Int] {
    let structure = try #require(Self.structure)
    let selection = try Selection(text, sets: SelectionSets(sets))
    return selection.atoms(of: structure, model: 0).atoms.map { Int(structure.atoms.serial[$0]) }
  }

  @Test(
    arguments: [
      ("all", Array(1...19)), ("none", []), ("*", Array(1...19)), ("chain B", [11, 12, 13, 14, 15, 19]),
      ("chain b", []), ("chain A+B and metal", [17]), ("resi -1", [1, 2, 3]), ("resi 2", [4, 5, 6, 7]),
      ("resi 2A", [8, 9]), ("resi 2*", Array(4...9)), ("resi 2-3", Array(4...10)),
      ("resi -1-2 and chain A", Array(1...9)),
      ("resi 2A-3", [8, 9, 10]), ("resi 3-2A", [8, 9, 10]), ("resi 2:2A", Array(4...9)),
      ("resi > 100", [16, 17, 18, 19]),
      ("resn ala", [4, 5, 6, 7]), ("resn ALA+GLY", Array(1...7)), ("resn D*", Array(11...15)),
      ("name CA", [2, 5, 8, 10]),
      ("name C?'", [13, 14]), ("name C*", [2, 3, 5, 6, 7, 8, 10, 13, 14, 16]), ("name 'C*'", []), ("name o5'", [12]),
      ("element ZN", [17]), ("e. n", [1, 4, 15]), ("altloc A", [6]), ("altloc A+B", [6, 7]),
      ("name CB and not altloc B", [6]), ("resn ALA and altloc ''", [4, 5]), ("serial 3-5,9", [3, 4, 5, 9]),
      ("index 1", [1]), ("index 18", [18]), ("id > 17", [18, 19]), ("model 1 and name P", [11]), ("model 2", []),
      ("b = 10 and x > 35", [18, 19]), ("occ < 1", []), ("occ = 1 and metal", [17]), ("hetero", [16, 17, 18, 19]),
    ] as [(String, [Int])])
  func `properties select the expected atoms`(text: String, expected: [Int]) throws {
    #expect(try serials(text) == expected)
  }

  @Test(
    arguments: [
      ("polymer", Array(1...15)), ("protein", Array(1...10)), ("nucleic", Array(11...15)), ("dna", Array(11...15)),
      ("rna", []), ("ligand", [16, 17]), ("organic", [16]), ("water", [18, 19]), ("solvent and chain A", [18]),
      ("metal", [17]), ("protein and backbone", [1, 2, 3, 4, 5, 8, 10]), ("sidechain", [6, 7, 9, 15]),
      ("bb. and nucleic", [11, 12, 13, 14]), ("helix", Array(1...7)), ("ss H", Array(1...7)), ("sheet", []),
      ("loop", [8, 9, 10]), ("ss l and name OG", [9]), ("ss ''", Array(8...19)), ("ss L+''", Array(8...19)),
      ("ss H+''", Array(1...19)),
      ("inorganic", [17]), ("ino. or organic", [16, 17]), ("guide", [2, 5, 8, 10]), ("donors", [1, 4, 9, 18, 19]),
      ("acceptors", [9, 12, 18, 19]), ("segi ''", Array(1...19)), ("segi A", []),
    ] as [(String, [Int])])
  func `classes select the expected atoms`(text: String, expected: [Int]) throws {
    #expect(try serials(text) == expected)
  }

  @Test(
    arguments: [
      ("within 3 of metal", [16, 17]), ("within 2.999 of metal", [17]), ("within 0 of metal", [17]),
      ("metal around 3", [16]), ("metal expand 3", [16, 17]), ("water beyond 11 of metal", [19]),
      ("all near_to 3 of metal", [16]), ("protein within 1 of name OG", [8, 9]),
      ("byres within 1 of name OG", [8, 9]), ("byres name CB and altloc A", [4, 5, 6, 7]),
      ("bychain name OG", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 17, 18]), ("same residue as serial 15", Array(11...15)),
      ("bymodel metal", Array(1...19)), ("(byres name OG) and name CA", [8]), ("within 5 of none", []),
      ("within 1e9 of metal", Array(1...19)), ("not within 1e9 of metal", []),
    ] as [(String, [Int])])
  func `distances and whole parts select the expected atoms`(text: String, expected: [Int]) throws {
    #expect(try serials(text) == expected)
  }

  @Test(
    arguments: [
      ("A/2/CA", [5]), ("A/ALA2/CA", [5]), ("A/SER2A/", [8, 9]), ("A/ser/OG", [9]), ("2A/OG", [9]), ("B//P", [11]),
      ("B/1/*'", [12, 13, 14]), ("A/-1+3/CA", [2, 10]), ("A/ALA2/CB or A/LIG101/C1", [6, 7, 16]),
      ("/m//A/2/CA", [5]), ("/any//A/ALA`2/CA", [5]), ("/m//B", [11, 12, 13, 14, 15, 19]), ("/m/S/A/2/CA", []),
      ("A/2/CB@B", [7]), ("A/2/@A", [4, 5, 6]), ("A/2/CA@B", [5]), ("A/3/CA@B", []), ("/m//A/2/CB`A", [6]),
      (
        "A//",
        [
          1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 17, 18,
        ]
      ),
    ] as [(String, [Int])])
  func `paths as printed in lists select the expected atoms`(text: String, expected: [Int]) throws {
    #expect(try serials(text) == expected)
  }

  @Test(
    arguments: [
      ("first chain A", [1]), ("last chain A", [18]), ("first (metal or water)", [17]), ("first none", []),
      ("name CA in chain A", [2, 5, 8, 10]), ("altloc A in altloc B", [6]), ("chain A in chain B", []),
      ("name P+CA like resi -1", [2]), ("chain A like serial 19", []), ("metal or ligand in resn LIG", [16]),
      ("pepseq ga", Array(1...7)), ("pepseq L", [10]), ("ps. ASL", Array(4...10)), ("pepseq G+L", [1, 2, 3, 10]),
      ("pepseq W", []), ("pepseq GAA", []),
    ] as [(String, [Int])])
  func `ends, identities and sequences select the expected atoms`(text: String, expected: [Int]) throws {
    #expect(try serials(text) == expected)
  }

  /// The atoms of glycine and alanine: N 1, CA 2, C 3, O 4, N 5, CA 6, C 7, O 8.
  @Test(
    arguments: [
      ("neighbor name CA", [1, 3, 5, 7]), ("neighbor resi 1", [5]), ("bound_to resi 1", [1, 2, 3, 4, 5]),
      ("nbr. resi 1 and name C", [2, 4, 5]), ("bound_to serial 1 or serial 8", [2, 8]), ("serial 1 extend 0", [1]),
      ("serial 1 extend 1", [1, 2]), ("serial 1 xt. 3", [1, 2, 3, 4, 5]), ("serial 1 extend 1000000000", Array(1...8)),
      ("bymolecule serial 1", Array(1...8)), ("bm. none", []), ("bymol (first resi 2)", Array(1...8)),
    ] as [(String, [Int])])
  func `bonds select the expected atoms`(text: String, expected: [Int]) throws {
    let structure = try Fixture.dipeptide()
    #expect(try Selection(text).atoms(of: structure, model: 0).atoms.map { $0 + 1 } == expected)
  }

  @Test func `a metal does not join its ligands into one molecule`() throws {
    let structure = try Fixture.pdb([
      "LINK        ZN    ZN A   1                 O   HOH A   2     1555   1555  2.10",
      Fixture.atom(1, "ZN", " ZN", 1, 0, 0, 0, element: "ZN", record: "HETATM"),
      Fixture.atom(2, "O", "HOH", 2, 2.1, 0, 0, element: " O", record: "HETATM"),
    ])
    #expect(try Selection("bymolecule water").atoms(of: structure).atoms == [1])
    #expect(try Selection("neighbor water").atoms(of: structure).atoms == [0])
  }

  @Test func `segments are the label names of an mmCIF file`() throws {
    let structure = try Fixture.read(
      Fixture.cif([
        "ATOM 1 C CA . GLY A 1 ? 0 0 0 1 1 1 X 1", "HETATM 2 O O . HOH B . ? 9 0 0 1 1 101 X 1",
      ]))
    #expect(try Selection("segi A").atoms(of: structure).atoms == [0])
    #expect(try Selection("segi B and chain X").atoms(of: structure).atoms == [1])
    #expect(try Selection("/m/B/X/101/O").atoms(of: structure).atoms == [1])
    #expect(try Selection("segi ''").atoms(of: structure).isEmpty)
  }

  @Test func `named sets are evaluated once, at their use`() throws {
    #expect(try serials("first bymolecule zinc", sets: ["zinc=metal"]) == [17])
    #expect(try serials("all in zinc", sets: ["zinc=metal"]) == [17])
    #expect(try serials("near and ligand", sets: ["zinc=metal", "near=within 3 of zinc"]) == [16, 17])
    let doubling = (1...60).map { "s\($0)=s\($0 - 1) or s\($0 - 1)" }
    #expect(try serials("s60", sets: ["s0=metal"] + doubling) == [17])
  }

  @Test func `a selection within a model does not reach into another model`() throws {
    let lines = [Fixture.atom(1, "CA", "GLY", 1, 0, 0, 0), Fixture.atom(2, "CA", "GLY", 2, 50, 0, 0)]
    let structure = try Fixture.pdb(["MODEL        1"] + lines + ["ENDMDL", "MODEL        2"] + lines + ["ENDMDL"])
    #expect(try Selection("resi 1").atoms(of: structure).atoms == [0, 2])
    #expect(try Selection("model 2").atoms(of: structure).atoms == [2, 3])
    #expect(try Selection("not resi 1").atoms(of: structure, model: 1).atoms == [3])
    #expect(try Selection("within 1 of (model 2 and resi 1)").atoms(of: structure).atoms == [2])
    #expect(try Selection("index 2").atoms(of: structure).atoms == [1, 3])
    #expect(try Selection("all").atoms(of: structure, model: 7).isEmpty)
  }

  @Test func `descending insertion codes are ordered as in the chain`() throws {
    let codes = ["C", "B", "A", " "]
    let lines = codes.enumerated().map { Fixture.atom($0.offset + 1, "CA", "GLY", 1, 0, 0, 0, code: $0.element) }
    let structure = try Fixture.pdb(lines + [Fixture.atom(5, "CA", "GLY", 2, 0, 0, 0)])
    #expect(try Selection("resi 1B-2").atoms(of: structure).atoms == [1, 2, 3, 4])
    #expect(try Selection("resi 1-1A").atoms(of: structure).atoms == [2, 3])
  }

  @Test func `a selection of a structure without atoms is empty`() throws {
    let structure = Structure()
    #expect(try Selection("byres within 5 of protein or helix").atoms(of: structure).isEmpty)
    #expect(try Selection("all").atoms(of: structure, model: 0).isEmpty)
  }
}
