import Testing

@testable import Molecules

/// Tests that camera, labels and legends concern the atoms that a scene draws, and no others.
struct DrawnAtomsTests {
  private static let header = [
    "REMARK 350 BIOMOLECULE: 1", "REMARK 350 APPLY THE FOLLOWING TO CHAINS: A",
    "REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000",
    "REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000",
    "REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000",
  ]

  /// Returns a peptide of three residues, a ligand, an ion near it, an ion in the solvent and a water.
  private func structure() throws -> Structure {
    var lines: [String] = []
    func add(
      _ name: String, _ residue: String, _ number: Int, _ place: SIMD3<Double>, chain: String = "A", element: String
    ) {
      lines.append(
        Fixture.atom(
          lines.count + 1, name, residue, number, place.x, place.y, place.z, chain: chain, element: element,
          record: chain == "A" ? "ATOM  " : "HETATM"))
    }
    for number in 1...3 {
      let x = Double(number) * 3.8
      add("N", "SER", number, SIMD3(x - 1.2, 0.6, 0), element: " N")
      add("CA", "SER", number, SIMD3(x, 0, 0), element: " C")
      add("C", "SER", number, SIMD3(x + 1.3, 0.6, 0), element: " C")
      add("O", "SER", number, SIMD3(x + 1.4, 1.8, 0), element: " O")
      add("CB", "SER", number, SIMD3(x, -1, 1.1), element: " C")
    }
    add("C1", "LIG", 9, SIMD3(0, 9, 0), chain: "B", element: " C")
    add("O1", "LIG", 9, SIMD3(1.2, 9, 0), chain: "B", element: " O")
    add("ZN", "ZN", 10, SIMD3(0, 5, 0), chain: "C", element: "ZN")
    add("NA", "NA", 11, SIMD3(0, 60, 0), chain: "D", element: "NA")
    add("O", "HOH", 12, SIMD3(9, 12, 0), chain: "W", element: " O")
    return try Fixture.pdb(Self.header + lines)
  }

  @Test(arguments: RenderMode.allCases, [nil, "resi 2 or water"] as [String?])
  func `a scene contains exactly the drawn atoms`(mode: RenderMode, selection: String?) throws {
    let structure = try structure()
    let chosen = try selection.map { try Selection($0).atoms(of: structure, model: 0) }
    let geometry = MoleculeGeometry(
      structure, model: 0, bonds: BondPerception.bonds(of: structure), mode: mode, scheme: nil)
    let scene = SceneBuilder(mode: mode, highlighted: chosen).scene(of: geometry)
    let drawn = DrawnAtoms(geometry, of: structure, model: 0, mode: mode, highlighted: chosen)
    let balls = Set(scene.spheres.map { Int($0.atom) })
    let sticks = scene.cylinders.flatMap { [Int($0.startAtom), Int($0.endAtom)] }
    let named = balls.union(sticks).union(scene.mesh.atoms.map { Int($0) })
    // Buried atoms of a surface have no corner.
    if mode == .surface {
      #expect(named.isSubset(of: drawn.all.atoms) && !scene.mesh.isEmpty)
    } else {
      #expect(named == Set(drawn.all.atoms))
    }
    // The joints of a backbone are balls too.
    if mode == .backbone {
      #expect(balls.isSuperset(of: drawn.single.atoms))
    } else {
      #expect(balls == Set(drawn.single.atoms))
    }
  }

  // MARK: The camera

  /// Returns half the size of a scene of some lines.
  private func halfSize(_ lines: [String], _ mode: RenderMode) throws -> SIMD3<Float> {
    let structure = try Fixture.pdb(lines)
    let geometry = MoleculeGeometry(
      structure, model: 0, bonds: BondPerception.bonds(of: structure), mode: mode, scheme: nil)
    let scene = InstancedScene(SceneBuilder(mode: mode).scene(of: geometry))
    return try #require(scene.box(turnedBy: .identity)).halfSize
  }

  @Test(arguments: [RenderMode.cartoon, .backbone, .surface])
  func `a solute without a polymer fills the view, even in a box of ions and water`(mode: RenderMode) throws {
    let solute = [
      Fixture.atom(1, "C1", "LIG", 1, 0, 0, 0, element: " C", record: "HETATM"),
      Fixture.atom(2, "O1", "LIG", 1, 1.2, 0, 0, element: " O", record: "HETATM"),
    ]
    let ions = [
      Fixture.atom(3, "NA", "NA", 2, -30, 0, 0, element: "NA", record: "HETATM"),
      Fixture.atom(4, "CL", "CL", 3, 30, 0, 0, element: "CL", record: "HETATM"),
    ]
    let water = [Fixture.atom(5, "O", "HOH", 4, 0, 40, 0, element: " O", record: "HETATM")]
    #expect(try halfSize(solute + ions + water, mode).max() < 6)
    // Without a solute, or without water, the ions are shown.
    let salt = try halfSize(ions + water, mode)
    #expect(salt.x > 30 && salt.y < 6)
    #expect(try halfSize(solute + ions, mode).x > 30)
  }

  @Test func `the first picture hides a box of water around a small molecule`() throws {
    let solute = [
      Fixture.atom(1, "C1", "LIG", 1, 0, 0, 0, element: " C", record: "HETATM"),
      Fixture.atom(2, "O1", "LIG", 1, 1.2, 0, 0, element: " O", record: "HETATM"),
    ]
    func mode(waters: Int, of solute: [String]) throws -> RenderMode {
      let water = (0..<waters).map { number in
        Fixture.atom(number + 3, "O", "HOH", number + 2, Double(number), 9, 0, element: " O", record: "HETATM")
      }
      let structure = try Fixture.pdb(solute + water)
      return FirstPicture.standard.mode(
        of: structure, model: 0, atomCount: structure.atoms.count, bondCount: solute.count / 2)
    }
    #expect(try mode(waters: 100, of: solute) == .cartoon)
    #expect(try mode(waters: 99, of: solute) == .ballAndStick)
    // Water alone is what the file is about.
    #expect(try mode(waters: 100, of: []) == .spacefilling)
  }

  @Test func `the first picture of a glycoprotein shows its carbohydrates as sticks`() throws {
    var lines: [String] = []
    func add(_ name: String, _ residue: String, _ number: Int, _ place: SIMD3<Double>, _ record: String) {
      lines.append(
        Fixture.atom(
          lines.count + 1, name, residue, number, place.x, place.y, place.z, element: " " + name.prefix(1),
          record: record))
    }
    for number in 1...4 {
      let x = Double(number) * 3.8
      add("N", "ASN", number, SIMD3(x - 1.2, 0.6, 0), "ATOM  ")
      add("CA", "ASN", number, SIMD3(x, 0, 0), "ATOM  ")
      add("C", "ASN", number, SIMD3(x + 1.3, 0.6, 0), "ATOM  ")
      add("O", "ASN", number, SIMD3(x + 1.4, 1.8, 0), "ATOM  ")
    }
    let sugar = Set(lines.count..<lines.count + 4)
    for (name, place) in [("C1", 0), ("C2", 1.5), ("C3", 3), ("O3", 4.4)] {
      add(name, "NAG", 5, SIMD3(place, 9, 0), "HETATM")
    }
    let structure = try Fixture.pdb(lines)
    let bonds = BondPerception.bonds(of: structure)
    let mode = FirstPicture.standard.mode(
      of: structure, model: 0, atomCount: structure.atoms.count, bondCount: structure.atoms.count)
    #expect(mode == .cartoon)
    let geometry = MoleculeGeometry(structure, model: 0, bonds: bonds, mode: mode, scheme: nil)
    let scene = SceneBuilder(mode: mode).scene(of: geometry)
    let sticks = scene.cylinders.map { [Int($0.startAtom), Int($0.endAtom)] }
    #expect(sticks.count == 3 && Set(sticks.joined()) == sugar)
    let balls = scene.spheres.filter { sugar.contains(Int($0.atom)) }
    #expect(Set(balls.map(\.radius)) == Set(scene.cylinders.map(\.radius)), "joints are as thick as sticks")
    #expect(Set(scene.mesh.atoms.map { Int($0) }).isDisjoint(with: sugar) && !scene.mesh.isEmpty)
  }

  @Test(arguments: [RenderMode.cartoon, .backbone])
  func `the note on a molecule without a polymer says that its water is hidden`(mode: RenderMode) throws {
    func note(_ selection: String) throws -> String? {
      let structure = try structure()
      let atoms = try Selection(selection).atoms(of: structure, model: 0)
      return MoleculeGeometry(structure, model: 0, selection: atoms, mode: mode).note(on: mode)
    }
    #expect(try note("chain B") == "no polymer chains: atoms are shown instead")
    #expect(try note("chain B or water") == "no polymer chains: atoms are shown instead, without water")
    #expect(try note("all") == nil)
  }

  // MARK: Labels

  private func labels(_ kind: LabelKind, _ mode: RenderMode, highlighted: String? = nil) throws -> [String] {
    let structure = try structure()
    let chosen = try highlighted.map { try Selection($0).atoms(of: structure, model: 0) }
    let geometry = MoleculeGeometry(structure, model: 0, mode: mode)
    let drawn = DrawnAtoms(geometry, of: structure, model: 0, mode: mode, highlighted: chosen)
    return SceneLabel.labels(kind, of: structure, drawn: drawn).map(\.text)
  }

  @Test(arguments: [RenderMode.cartoon, .backbone, .surface])
  func `ions of the hidden solvent have no labels`(mode: RenderMode) throws {
    #expect(try labels(.atoms, mode) == ["C1", "O1", "ZN"])
    #expect(try labels(.residues, mode) == ["SER 1", "SER 2", "SER 3", "LIG 9", "ZN 10"])
    #expect(try labels(.chains, mode) == ["A SER 1", "A SER 3"])
  }

  @Test func `modes that show atoms label all but water`() throws {
    #expect(try labels(.atoms, .sticks).count == 19)
    #expect(try labels(.residues, .spacefilling).last == "NA 11")
  }

  @Test func `highlighted atoms of a cartoon have labels because they are drawn`() throws {
    #expect(
      try labels(.atoms, .cartoon, highlighted: "resi 2") == ["N", "CA", "C", "O", "CB", "C1", "O1", "ZN"])
  }

  @Test func `chains that an assembly leaves out have no labels`() throws {
    let structure = try structure()
    let copies = try #require(SceneCopies("1", of: structure)?.instances(of: structure, model: 0))
    let drawn = DrawnAtoms(structure, model: 0, mode: .sticks, copies: copies)
    #expect(drawn.all.atoms == Array(0..<15) && drawn.single == drawn.all)
    #expect(SceneLabel.labels(.residues, of: structure, drawn: drawn).count == 3)
    #expect(ColorLegend.of(structure, scheme: .chain, drawn: drawn)?.text == "chain: A")
  }

  @Test func `labels are at the drawn copy if none is as deposited`() throws {
    let structure = try structure()
    func places(_ transforms: [Transform]) -> [SIMD3<Float>] {
      let copies = AssemblyInstances.copies(of: structure, by: transforms)
      return LabelKind.allCases.flatMap { kind in
        let drawn = DrawnAtoms(structure, model: 0, mode: .sticks, copies: copies)
        return SceneLabel.labels(kind, of: structure, drawn: drawn).map(\.place)
      }
    }
    let moved = Transform(translation: SIMD3(0, 0, 100))
    let deposited = places([.identity])
    #expect(deposited.count > 20 && places([moved, .identity]) == deposited)
    #expect(places([moved]).map(\.x) == deposited.map(\.x))
    #expect(zip(places([moved]), deposited).allSatisfy { abs($0.z - $1.z - 100) < 1e-4 })
  }

  @Test func `an atom in several copies is labeled as deposited, or in its first copy`() throws {
    let structure = try structure()
    func moved(_ z: Double) -> Transform { Transform(translation: SIMD3(0, 0, z)) }
    let parts = [
      AssemblyPart(chains: ["A", "B"], usesLabels: false, operators: [moved(10), moved(20)]),
      AssemblyPart(chains: ["B", "C"], usesLabels: false, operators: [moved(30)]),
      AssemblyPart(chains: ["A"], usesLabels: false, operators: [moved(40), .identity]),
    ]
    let copies = AssemblyInstances(Assembly(id: "1", details: "", parts: parts), of: structure)
    let drawn = DrawnAtoms(structure, model: 0, mode: .sticks, copies: copies)
    // Chains A, B and C, and D, which has no copies.
    let heights = [0, 15, 17, 18].map { drawn.position(ofAtom: $0, in: structure).z }
    #expect(heights == [0, 10, 30, 0])
    #expect(drawn.all.atoms == Array(0..<18))
  }

  // MARK: Legends

  private func legend(_ scheme: ColorScheme, _ mode: RenderMode, of selection: String = "all") throws -> String? {
    let structure = try structure()
    let drawn = DrawnAtoms(
      structure, model: 0, selection: try Selection(selection).atoms(of: structure, model: 0), mode: mode)
    return ColorLegend.of(structure, scheme: scheme, drawn: drawn)?.text
  }

  @Test func `legends name only the colors of drawn atoms`() throws {
    #expect(try legend(.element, .cartoon) == "element: C, O, Zn")
    #expect(try legend(.element, .surface) == "element: N, C, O, Zn")
    #expect(try legend(.element, .sticks) == "element: N, C, O, Zn, Na")
    #expect(try legend(.chain, .sticks) == "chain: A, B, C, D, W")
    #expect(try legend(.residue, .sticks, of: "chain B or water") == "residue: LIG, HOH")
  }

  @Test func `legends of cartoons name only polymers for schemes of polymers`() throws {
    #expect(try legend(.chain, .cartoon) == "chain: A")
    #expect(try legend(.residue, .backbone) == "residue: SER")
    #expect(try legend(.entity, .surface) == "entity: A")
    #expect(try legend(.chain, .cartoon, of: "chain B") == nil)
  }
}
