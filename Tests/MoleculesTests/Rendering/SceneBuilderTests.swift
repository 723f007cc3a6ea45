import Testing

@testable import Molecules

struct SceneBuilderTests {
  /// Carbon, oxygen and a sodium ion that nothing is bonded to; the bonds include ones that name no atom.
  private let molecule = MoleculeGeometry(
    positions: [SIMD3(0, 0, 0), SIMD3(1.2, 0, 0), SIMD3(5, 0, 0)], elements: [6, 8, 11],
    bonds: [SIMD2(0, 1), SIMD2(1, 1), SIMD2(2, 3), SIMD2(-1, 0)], residueCodes: [9, 9, 0], chains: [0, 0, 1])

  @Test func `spacefilling has one ball of the van der Waals radius for every atom and no sticks`() {
    let scene = SceneBuilder(mode: .spacefilling).scene(of: molecule)
    #expect(scene.spheres.map(\.radius) == [1.7, 1.52, 2.27])
    #expect(scene.spheres.map(\.atom) == [0, 1, 2])
    #expect(scene.cylinders.isEmpty)
  }

  @Test func `ball-and-stick has balls and the bonds that name two atoms`() {
    let scene = SceneBuilder(mode: .ballAndStick).scene(of: molecule)
    #expect(scene.spheres.count == 3)
    #expect(scene.cylinders.count == 1)
    #expect(scene.cylinders.first?.startColor == RGBColor(0x909090))
    #expect(scene.cylinders.first?.endColor == RGBColor(0xFF0D0D))
  }

  @Test func `cylinders show lone atoms as small balls and are coloured by residue`() {
    let scene = SceneBuilder(mode: .cylinders).scene(of: molecule)
    #expect(scene.spheres.map(\.radius) == [0.22, 0.22, 0.4])
    #expect(scene.cylinders.map(\.startColor) == [RGBColor(0xEBEBEB)])
  }

  @Test func `columns left out stand for the unknown`() {
    let bare = MoleculeGeometry(positions: [.zero])
    for mode in RenderMode.allCases {
      for scheme in ColorScheme.allCases {
        let scene = SceneBuilder(mode: mode, scheme: scheme).scene(of: bare)
        #expect(mode == .surface ? !scene.mesh.isEmpty : scene.spheres.count == 1)
      }
    }
  }

  @Test func `small molecules with bonds start as ball-and-stick`() {
    #expect(RenderMode.standard(atomCount: 599, bondCount: 1) == .ballAndStick)
    #expect(RenderMode.standard(atomCount: 600, bondCount: 700) == .spacefilling)
    #expect(RenderMode.standard(atomCount: 20, bondCount: 0) == .spacefilling)
  }

  @Test func `modes keep the numbers of the original and are found by name`() {
    #expect(RenderMode.allCases.prefix(3).map(\.rawValue) == [0, 1, 2])
    #expect(RenderMode.allCases.allSatisfy { RenderMode(name: $0.name) == $0 })
    #expect(RenderMode(name: "ribbons") == nil)
  }

  @Test func `colours and radii are those of the published tables`() {
    #expect(ElementStyle.color(of: 26) == RGBColor(0xE06633))
    #expect(ElementStyle.color(of: 48) == RGBColor(0xFFD98F))
    #expect(ElementStyle.color(of: 53) == RGBColor(0x940094))
    #expect(ElementStyle.color(of: 79) == RGBColor(0xFFD123))
    #expect(ElementStyle.color(of: 92) == RGBColor(0x008FFF))
    #expect(ElementStyle.color(of: 200) == RGBColor(0x00FF00))
    let expected: [UInt8: Float] = [1: 1.2, 14: 2.1, 20: 2.31, 26: 1.26, 30: 1.39, 35: 1.85, 48: 1.58, 53: 1.98]
    #expect(expected.allSatisfy { ElementStyle.vanDerWaalsRadius(of: $0.key) == $0.value })
    #expect(ColorTable.residueColor(23) == RGBColor(0x145AFF))
    #expect(ColorTable.residueColor(28) == RGBColor(0x00DCDC))
    #expect(ColorTable.residueColor(255) == RGBColor(0x969696))
    #expect(ColorTable.chainColor(12) == ColorTable.chainColor(0))
  }
}
