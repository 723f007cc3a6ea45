import PluginAPI
import Testing

@testable import Molecules

/// Tests of the texts, positions and drawing of labels.
struct LabelTests {
  private func structure() throws -> Structure {
    try Fixture.pdb([
      Fixture.atom(1, "N", "GLY", 1, -1, 0, 0, element: " N"), Fixture.atom(2, "CA", "GLY", 1, 0, 0, 0, element: " C"),
      Fixture.atom(3, "CA", "ALA", 2, 3.8, 0, 0, element: " C"),
      Fixture.atom(4, "CA", "SER", 3, 7.6, 0, 0, code: "A", element: " C"),
      Fixture.atom(5, "ZN", "ZN", 9, 5, 3, 3, chain: "B", element: "ZN", record: "HETATM"),
      Fixture.atom(6, "O", "HOH", 10, 9, 5, 5, chain: "B", element: " O", record: "HETATM"),
    ])
  }

  /// Returns the labels of a model whose atoms are all drawn.
  private func labels(_ kind: LabelKind, model: Int = 0) throws -> [SceneLabel] {
    let structure = try structure()
    let drawn = DrawnAtoms(structure, model: model, mode: .sticks)
    return SceneLabel.labels(kind, of: structure, drawn: drawn)
  }

  private func texts(_ kind: LabelKind) throws -> [String] {
    try labels(kind).map(\.text)
  }

  @Test func `every kind of label has its texts`() throws {
    #expect(try texts(.none) == [])
    #expect(try texts(.chains) == ["A GLY 1", "A SER 3A"])
    #expect(try texts(.residues) == ["GLY 1", "ALA 2", "SER 3A", "ZN 9"])
    #expect(try texts(.atoms) == ["N", "CA", "CA", "CA", "ZN"])
    #expect(try labels(.atoms, model: 7).isEmpty)
  }

  @Test func `a note says that cartoons do not draw the atoms to label`() throws {
    func note(_ kind: LabelKind, _ mode: RenderMode, of structure: Structure) -> String? {
      let drawn = DrawnAtoms(structure, model: 0, mode: mode)
      return kind.note(on: drawn, labels: SceneLabel.labels(kind, of: structure, drawn: drawn))?.message
    }
    let peptide = try Fixture.dipeptide()
    let missing = "no atoms are drawn individually, so none are labeled"
    #expect(note(.atoms, .cartoon, of: peptide) == missing && note(.atoms, .surface, of: peptide) == missing)
    #expect(note(.atoms, .sticks, of: peptide) == nil && note(.residues, .cartoon, of: peptide) == nil)
    // The ion is near the polymer, so it is drawn on its own.
    #expect(note(.atoms, .cartoon, of: try structure()) == nil)
  }

  @Test func `a residue is labeled at its guide atom`() throws {
    #expect(try labels(.residues).first?.place == .zero)
  }

  @Test func `an atom is described by chain, residue, name, element and position`() throws {
    let text = AtomDescription.text(3, of: try structure())
    #expect(text == "chain A  SER 3A  CA  carbon  7.60 0.00 0.00 Å  B 10.0")
    #expect(AtomDescription.text(99, of: try structure()) == nil)
  }

  @Test(arguments: [
    (0.0, 2, "0.00"), (-1.005, 1, "-1.0"), (2.5, 0, "3"), (-0.04, 1, "0.0"), (1234.5678, 3, "1234.568"),
  ])
  func `numbers are rounded to their decimals`(value: Double, decimals: Int, text: String) {
    #expect(FixedText.text(value, decimals: decimals) == text)
  }

  @Test func `the nearer of two overlapping labels is shown, and labels outside are not`() {
    let labels = [
      SceneLabel(text: "far", place: SIMD3(0, 0, -5)), SceneLabel(text: "near", place: SIMD3(0, 0, 5)),
      SceneLabel(text: "out", place: SIMD3(99, 0, 0)), SceneLabel(text: "nan", place: SIMD3(.nan, 0, 0)),
    ]
    let viewport = Viewport(width: 80, height: 48)
    let placed = LabelLayout(width: 80, height: 24).place(labels, from: Camera(), onto: viewport)
    #expect(placed == [.init(text: "near", x: 38, y: 12)])
  }

  @Test func `labels at the edges are moved into the picture, unless they are too large`() {
    let labels = [
      SceneLabel(text: "left", place: SIMD3(-1, 0.5, 0)), SceneLabel(text: "right", place: SIMD3(1, -0.5, 0)),
      SceneLabel(text: "top", place: SIMD3(0, 1, 0)), SceneLabel(text: "bottom", place: SIMD3(0, -1, 0)),
      SceneLabel(text: "outside", place: SIMD3(-1.1, 0, 0)),
      SceneLabel(text: "as long as the picture and more", place: .zero),
    ]
    // A view of 2.1 Å.
    let placed = LabelLayout(width: 40, height: 40, letter: (2, 3)).place(
      labels, from: Camera(showing: SceneBounds(radius: 1)), onto: Viewport(width: 40, height: 40))
    #expect(
      placed == [
        .init(text: "left", x: 0, y: 9), .init(text: "right", x: 30, y: 28), .init(text: "top", x: 17, y: 0),
        .init(text: "bottom", x: 14, y: 37),
      ])
  }

  @Test func `labels are placed where their atoms are drawn`() {
    let place = SIMD3<Float>(4, 3, 0)
    let scene = Scene(spheres: [Sphere(center: place, radius: 0.3, color: .white)])
    var camera = Camera(showing: SceneBounds(radius: 10))
    camera.turn(right: 20, down: 10)
    let viewport = Viewport(width: 100, height: 60)
    var rasterizer = Rasterizer()
    let pixels = rasterizer.draw(scene, from: camera, onto: viewport) ?? []
    let lit = (0..<6000).filter { pixels[4 * $0 + 3] > 0 }
    let middle = (lit.reduce(0) { $0 + $1 % 100 } / lit.count, lit.reduce(0) { $0 + $1 / 100 } / lit.count)
    let placed = LabelLayout(width: 100, height: 60).place(
      [SceneLabel(text: "x", place: place)], from: camera, onto: viewport)
    #expect(abs((placed.first?.x ?? -9) - middle.0) <= 1 && abs((placed.first?.y ?? -9) - middle.1) <= 1)
  }

  @Test func `letters are drawn in the bitmap font with a dark outline`() {
    var picture = Picture(width: 40, height: 24)
    LabelPainter(for: picture.size).paint([SceneLabel(text: "T", place: .zero)], from: Camera(), into: &picture)
    let white = (0..<40 * 24).filter { picture.pixels[4 * $0] == 255 && picture.pixels[4 * $0 + 3] == 255 }
    let rows = Dictionary(grouping: white) { $0 / 40 }.sorted { $0.key < $1.key }.map(\.value.count)
    #expect(rows == [5, 1, 1, 1, 1, 1, 1])
    #expect((0..<40 * 24).contains { picture.pixels[4 * $0] == 16 })
  }

  @Test func `the font has every letter used in names of atoms, residues and chains`() {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'*-+.:/(), "
    let rows = letters.map { BitmapFont.rows(of: $0) }
    #expect(rows.allSatisfy { $0.count == BitmapFont.height && $0.allSatisfy { $0 < 32 } })
    #expect(Set(rows).count == letters.count)
    #expect(BitmapFont.rows(of: "β") == [0x1F, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1F])
  }

  @Test func `legends name the colors in use`() throws {
    let structure = try structure()
    let drawn = DrawnAtoms(structure, model: 0, mode: .sticks)
    func legend(_ scheme: ColorScheme) -> String? {
      ColorLegend.of(structure, scheme: scheme, drawn: drawn)?.text
    }
    #expect(legend(.chain) == "chain: A, B")
    #expect(legend(.element) == "element: N, C, Zn, O")
    #expect(legend(.bFactor) == "B factor from 10.0 Å² to 10.0 Å²")
    #expect(legend(.entity) == "entity: A, ZN, HOH")
    #expect(legend(.plddt)?.contains("very high") == true)
    #expect(ColorLegend.of(structure, scheme: .chain, drawn: DrawnAtoms(noneOf: structure, model: 0)) == nil)
  }

  @Test func `a legend has a text for a chain without a name`() throws {
    let structure = try Fixture.pdb([Fixture.atom(1, "CA", "ALA", 1, 0, 0, 0, chain: " ")])
    #expect(structure.chains.map(\.name) == [""])
    let drawn = DrawnAtoms(structure, model: 0, mode: .sticks)
    #expect(ColorLegend.of(structure, scheme: .chain, drawn: drawn)?.text == "chain: no name")
  }
}
