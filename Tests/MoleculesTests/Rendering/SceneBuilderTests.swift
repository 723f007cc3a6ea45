import Testing

@testable import Molecules

struct SceneBuilderTests {
  /// Carbon, oxygen and an unbonded sodium ion; the bonds include some with missing atoms.
  private let molecule = MoleculeGeometry(
    positions: [SIMD3(0, 0, 0), SIMD3(1.2, 0, 0), SIMD3(5, 0, 0)], elements: [6, 8, 11],
    bonds: [SIMD2(0, 1), SIMD2(1, 1), SIMD2(2, 3), SIMD2(-1, 0)], residueCodes: [9, 9, 0], chains: [0, 0, 1])

  @Test func `spacefilling draws one van der Waals ball per atom and no sticks`() {
    let scene = SceneBuilder(mode: .spacefilling).scene(of: molecule)
    #expect(scene.spheres.map(\.radius) == [1.7, 1.52, 2.27])
    #expect(scene.spheres.map(\.atom) == [0, 1, 2])
    #expect(scene.cylinders.isEmpty)
  }

  @Test func `ball-and-stick draws balls and the bonds between two existing atoms`() {
    let scene = SceneBuilder(mode: .ballAndStick).scene(of: molecule)
    #expect(scene.spheres.count == 3)
    #expect(scene.cylinders.count == 1)
    #expect(scene.cylinders.first?.startColor == RGBColor(0x909090))
    #expect(scene.cylinders.first?.endColor == RGBColor(0xFF0D0D))
  }

  /// Returns a ring of six carbons with an oxygen at the first one; the bonds of the ring have the given order.
  private func ring(_ order: BondOrder, oxygen: BondOrder) -> MoleculeGeometry {
    let corners: [SIMD3<Float>] = [
      SIMD3(1.4, 0, 0), SIMD3(0.7, 1.212, 0), SIMD3(-0.7, 1.212, 0), SIMD3(-1.4, 0, 0), SIMD3(-0.7, -1.212, 0),
      SIMD3(0.7, -1.212, 0),
    ]
    let sides = (0..<6).map { SIMD2(Int32($0), Int32(($0 + 1) % 6)) }
    var ring = MoleculeGeometry(
      positions: corners + [SIMD3(2.6, 0, 0)], elements: [6, 6, 6, 6, 6, 6, 8], bonds: sides + [SIMD2(0, 6)])
    ring.bondOrders = Array(repeating: order, count: 6) + [oxygen]
    return ring
  }

  @Test(arguments: [RenderMode.ballAndStick, .sticks])
  func `double and triple bonds are parallel sticks in the plane of their neighbors`(mode: RenderMode) throws {
    for (order, count) in [(BondOrder.double, 2), (.triple, 3)] {
      let sticks = SceneBuilder(mode: mode).scene(of: ring(.single, oxygen: order)).cylinders
      #expect(sticks.count == 6 + count)
      let strokes = sticks.suffix(count)
      let (single, middle) = (try #require(sticks.first), strokes.reduce(SIMD3.zero) { $0 + $1.start } / Float(count))
      #expect((middle - SIMD3(1.4, 0, 0)).length < 1e-5)
      #expect(
        strokes.allSatisfy { $0.radius < single.radius && $0.start.z == 0 && $0.startAtom == 0 && $0.endAtom == 6 })
      #expect(strokes.allSatisfy { abs($0.start.y - $0.end.y) < 1e-6 && abs($0.start.x - 1.4) < 1e-6 })
      let apart = strokes.map(\.start.y).sorted()
      #expect(zip(apart, apart.dropFirst()).allSatisfy { $1 - $0 > 2 * strokes[strokes.startIndex].radius })
    }
  }

  @Test func `the sticks of a double bond in a cage lie in its face`() {
    // Two atoms and their four neighbors, all bent toward the center of a ball below them.
    var cage = MoleculeGeometry(
      positions: [
        SIMD3(-0.7, 0, 0), SIMD3(0.7, 0, 0), SIMD3(-1.4, 1.2, -0.5), SIMD3(-1.4, -1.2, -0.5), SIMD3(1.4, 1.2, -0.5),
        SIMD3(1.4, -1.2, -0.5),
      ], elements: [6, 6, 6, 6, 6, 6],
      bonds: [SIMD2(0, 1), SIMD2(0, 2), SIMD2(0, 3), SIMD2(1, 4), SIMD2(1, 5)])
    cage.bondOrders = [.double, .single, .single, .single, .single]
    let strokes = SceneBuilder(mode: .sticks).scene(of: cage).cylinders.prefix(2)
    #expect(strokes.allSatisfy { abs($0.start.z) < 1e-5 && abs($0.start.y) > 0.1 })
  }

  @Test func `an aromatic bond has dashes inside its ring, in the color of each half`() {
    let scene = SceneBuilder(mode: .ballAndStick).scene(of: ring(.aromatic, oxygen: .single))
    let dashes = scene.cylinders.filter { $0.radius < SceneBuilder.stickRadius * 0.9 }
    #expect(scene.cylinders.count == 7 + dashes.count && dashes.count == 6 * 4)
    #expect(dashes.allSatisfy { ($0.start + $0.end).length / 2 < 1.1 && $0.startAtom == $0.endAtom })
  }

  @Test func `cylinders and bonds of unknown order are single sticks`() {
    #expect(SceneBuilder(mode: .cylinders).scene(of: ring(.double, oxygen: .triple)).cylinders.count == 7)
    #expect(SceneBuilder(mode: .sticks).scene(of: ring(.unknown, oxygen: .unknown)).cylinders.count == 7)
    let kept = ring(.double, oxygen: .triple).filtered { $0 != 3 }
    #expect(kept.bonds.count == 5 && kept.bondOrders == [.double, .double, .double, .double, .triple])
  }

  @Test func `a double bond without neighbors has two sticks too`() {
    for end in [SIMD3<Float>(1.2, 0, 0), SIMD3(0, 1.2, 0), SIMD3(0, 0, 1.2), .zero] {
      var oxygen = MoleculeGeometry(positions: [.zero, end], elements: [8, 8], bonds: [SIMD2(0, 1)])
      oxygen.bondOrders = [.double]
      let strokes = SceneBuilder(mode: .ballAndStick).scene(of: oxygen).cylinders
      #expect(strokes.count == 2 && strokes.allSatisfy { $0.isDrawable })
    }
  }

  @Test func `cylinders draw lone atoms as small balls and color by residue`() {
    let scene = SceneBuilder(mode: .cylinders).scene(of: molecule)
    #expect(scene.spheres.map(\.radius) == [0.22, 0.22, 0.4])
    #expect(scene.cylinders.map(\.startColor) == [RGBColor(0xEBEBEB)])
  }

  @Test func `missing columns are drawn as unknown values`() {
    let bare = MoleculeGeometry(positions: [.zero])
    for mode in RenderMode.allCases {
      for scheme in ColorScheme.allCases {
        let scene = SceneBuilder(mode: mode, scheme: scheme).scene(of: bare)
        #expect(mode == .surface ? !scene.mesh.isEmpty : scene.spheres.count == 1)
      }
    }
  }

  @Test(arguments: FirstPicture.allCases)
  func `small molecules with bonds are first drawn as ball-and-stick models`(rule: FirstPicture) throws {
    let structure = try Fixture.dipeptide()
    func mode(_ atoms: Int, _ bonds: Int) -> RenderMode {
      rule.mode(of: structure, model: 0, atomCount: atoms, bondCount: bonds)
    }
    #expect(mode(599, 1) == .ballAndStick)
    #expect(mode(600, 700) == .spacefilling)
    #expect(mode(20, 0) == .spacefilling)
  }

  @Test func `modes have the numbers of the original and are looked up by name`() {
    #expect(RenderMode.allCases.prefix(3).map(\.rawValue) == [0, 1, 2])
    #expect(RenderMode.allCases.allSatisfy { RenderMode(name: $0.name) == $0 })
    #expect(RenderMode(name: "ribbons") == nil)
  }

  @Test func `colors and radii match the published tables`() {
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
