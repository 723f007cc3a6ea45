import Testing

@testable import Molecules

/// Tests of selected atoms in modes that draw polymers as a whole.
struct HighlightTests {
  /// Returns a peptide of three residues with side chains, a ligand and a water.
  private func structure() throws -> Structure {
    var lines: [String] = []
    for number in 1...3 {
      let x = Double(number) * 3.8
      lines += [
        Fixture.atom(lines.count + 1, "N", "SER", number, x - 1.2, 0.6, 0, element: " N"),
        Fixture.atom(lines.count + 2, "CA", "SER", number, x, 0, 0, element: " C"),
        Fixture.atom(lines.count + 3, "C", "SER", number, x + 1.3, 0.6, 0, element: " C"),
        Fixture.atom(lines.count + 4, "O", "SER", number, x + 1.4, 1.8, 0, element: " O"),
        Fixture.atom(lines.count + 5, "CB", "SER", number, x, -1, 1.1, element: " C"),
        Fixture.atom(lines.count + 6, "OG", "SER", number, x, -2.3, 0.8, element: " O"),
      ]
    }
    lines.append(Fixture.atom(19, "C1", "LIG", 9, 0, 9, 0, element: " C", record: "HETATM"))
    lines.append(Fixture.atom(20, "O", "HOH", 10, 9, 9, 0, element: " O", record: "HETATM"))
    return try Fixture.pdb(lines)
  }

  private func scene(_ mode: RenderMode, _ text: String?, _ scheme: ColorScheme? = nil) throws -> Scene {
    let structure = try structure()
    let chosen = try text.map { try Selection($0).atoms(of: structure, model: 0) }
    let geometry = MoleculeGeometry(
      structure, model: 0, bonds: BondPerception.bonds(of: structure), mode: mode, scheme: scheme)
    return SceneBuilder(mode: mode, scheme: scheme, highlighted: chosen).scene(of: geometry)
  }

  @Test(arguments: [RenderMode.cartoon, .backbone, .surface])
  func `selected atoms are drawn as sticks`(mode: RenderMode) throws {
    let plain = try scene(mode, nil)
    let selected = try scene(mode, "resi 2 or water")
    let added = Set(selected.spheres.map(\.atom)).subtracting(mode == .backbone ? [] : plain.spheres.map(\.atom))
    #expect(added.isSuperset(of: [6, 7, 8, 9, 10, 11, 19]))
    #expect(selected.cylinders.count - plain.cylinders.count == 6)
    #expect(try scene(mode, "none").primitiveCount == plain.primitiveCount)
  }

  @Test func `a surface opens around selected atoms, and a cartoon does not change`() throws {
    let surface = try scene(.surface, "resi 2")
    #expect(Set(surface.mesh.atoms).isDisjoint(with: 6...11) && !surface.mesh.isEmpty)
    #expect(try scene(.surface, "polymer").mesh.isEmpty)
    #expect(try scene(.cartoon, "resi 2").mesh == scene(.cartoon, nil).mesh)
  }

  @Test func `carbons of sticks have the cartoon's color, and other atoms their element's`() throws {
    func color(_ atom: Int32, _ scheme: ColorScheme?) throws -> RGBColor? {
      try scene(.cartoon, "resi 2", scheme).spheres.first { $0.atom == atom }?.color
    }
    #expect(try color(11, nil) == ElementStyle.color(of: Element.oxygen.rawValue))
    #expect(try color(10, nil) != ElementStyle.color(of: Element.carbon.rawValue))
    #expect(try color(11, .chain) == ElementStyle.color(of: Element.oxygen.rawValue))
    #expect(try color(11, .bFactor) == color(10, .bFactor))
  }

  @Test func `unselected atoms are dimmed, and their colors remain distinguishable`() {
    for background in [RGBColor.black, RGBColor(0xFFFFFF)] {
      let faded = RGBColor(0xC03030).faded(on: background)
      #expect(Int(faded.red) - Int(faded.green) >= 40 && faded.green == faded.blue)
      let light = RGBColor(0x808080).faded(on: background)
      #expect(background == .black ? light.red >= 0x40 && light.red < 0x80 : light.red <= 0xE0 && light.red > 0x80)
    }
  }

  @Test func `modes that show atoms ignore the highlight`() throws {
    for mode in [RenderMode.ballAndStick, .spacefilling, .cylinders, .sticks] {
      #expect(try scene(mode, "resi 2") == scene(mode, nil))
    }
  }
}
