import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Molecules

/// Tests of thin parts and outlines in small pictures.
struct SmallPictureTests {
  /// A camera that shows ten ångström on either side of the origin.
  private var camera: Camera { Camera(showing: SceneBounds(center: .zero, radius: 10 / 1.05)) }

  /// Returns a straight chain of 3.8 Å per residue along x.
  private func chain(_ shape: SecondaryShape) -> Scene {
    var trace = BackboneTrace(polymer: .protein)
    for index in -4...4 {
      trace.nodes.append(.init(position: SIMD3(Float(index) * 3.8, 0, 0), shape: shape, atom: Int32(index + 4)))
      trace.nodes[index + 4].side = SIMD3(0, 0, 1)
    }
    var scene = Scene()
    scene.mesh = CartoonBuilder.build([trace], style: CartoonStyle()).mesh
    return scene
  }

  private func pixels(_ scene: Scene, side: Int, samples: Int = 3, outline: Float = 0) throws -> [UInt8] {
    var style = RenderStyle()
    (style.samples, style.outline, style.fog, style.occlusion) = (samples, outline, 0, 0)
    var raster = Rasterizer()
    let drawn = raster.draw(scene, from: camera, onto: Viewport(width: side, height: side), style: style)
    return try #require(drawn)
  }

  /// Returns the covered height of each column, in pixels.
  private func heights(_ pixels: [UInt8], side: Int) -> [Double] {
    (0..<side).map { x in (0..<side).reduce(0.0) { $0 + Double(pixels[4 * ($1 * side + x) + 3]) / 255 } }
  }

  @Test(arguments: SecondaryShape.allCases)
  func `a ribbon is never thinner than 0.7 pixel`(shape: SecondaryShape) throws {
    // A pixel is one ångström wide: tubes have 0.6 Å, bands seen edge-on 0.54 Å.
    for samples in [1, 3] {
      let covered = heights(try pixels(chain(shape), side: 20, samples: samples), side: 20)
      #expect(covered[2..<18].allSatisfy { $0 >= 0.7 })
    }
  }

  @Test func `balls, sticks and bases are never thinner than 0.7 pixel`() throws {
    let stick = Cylinder(
      start: SIMD3(-9, 0, 0), end: SIMD3(9, 0, 0), radius: 0.01, startColor: .white, endColor: .white)
    let ball = Sphere(center: SIMD3(0.1, 0.2, 0), radius: 0.01, color: .white)
    let base = BackboneTrace.Base(
      node: 0, outline: [SIMD3(-9, 0, -2), SIMD3(9, 0, -2), SIMD3(9, 0, 2), SIMD3(-9, 0, 2)], atom: 0)
    var slab = Scene()
    slab.mesh = BaseSlab.mesh(base, height: 0.01, margin: 0.1)
    slab.mesh.colors = slab.mesh.atoms.map { _ in .white }
    for scene in [Scene(cylinders: [stick]), slab] {
      let covered = heights(try pixels(scene, side: 20), side: 20)
      #expect(covered[2..<18].allSatisfy { $0 >= 0.7 })
    }
    let covered = heights(try pixels(Scene(spheres: [ball]), side: 20), side: 20).reduce(0, +)
    // The disk has 0.38 pixel, which nine samples resolve to a ninth.
    #expect(covered >= 0.27)
  }

  @Test(arguments: [1, 0.01] as [Float])
  func `a ball has the same width alone and beside thousands of others`(distance: Float) throws {
    let ball = Sphere(center: SIMD3(0.1, 0.2, 0), radius: 0.01, color: .white, atom: 7)
    // This many balls have coarser levels, which are drawn if they are close together; they lie outside of the picture.
    let others = (0..<3000).map { index in
      Sphere(center: SIMD3(1000 + Float(index) * distance, 0, 0), radius: 1, color: .white)
    }
    for samples in [1, 3] {
      let alone = try pixels(Scene(spheres: [ball]), side: 20, samples: samples)
      #expect(try pixels(Scene(spheres: [ball] + others), side: 20, samples: samples) == alone)
    }
  }

  @Test func `ions are never smaller than two pixels, beside any number of balls`() throws {
    let ion = Sphere(center: SIMD3(0.1, 0.2, 0), radius: 0.01, color: .white, atom: 7, isIon: true)
    // This many balls have coarser levels; all of them lie outside of the picture.
    let others = (0..<3000).map { Sphere(center: SIMD3(1000 + Float($0), 0, 0), radius: 1, color: .white) }
    for samples in [1, 3] {
      for spheres in [[ion], [ion] + others] {
        let covered = heights(try pixels(Scene(spheres: spheres), side: 20, samples: samples), side: 20)
        // A disk of 2 pixels has 3.14 of them.
        #expect(covered.reduce(0, +) >= 2.8)
      }
    }
    var raster = Rasterizer()
    _ = raster.draw(Scene(spheres: [ion] + others), from: camera, onto: Viewport(width: 20, height: 20))
    #expect(raster.atom(x: 10, y: 9) == 7)
  }

  @Test(arguments: RenderMode.allCases)
  func `every mode marks an ion so that it covers two pixels`(mode: RenderMode) throws {
    let structure = try Fixture.pdb([
      "HETATM    1 ZN    ZN A   1       0.000   0.000   0.000  1.00 10.00          ZN"
    ])
    let geometry = MoleculeGeometry(structure, model: 0, bonds: [], mode: mode, scheme: nil)
    let scene = try #require(SceneBuilder(mode: mode).scene(of: geometry) { _ in true })
    #expect(mode == .surface ? !scene.mesh.isEmpty : scene.spheres.map(\.isIon) == [true])
  }

  @Test func `thickened ribbons are closed`() throws {
    let mesh = MeshColumn(chain(.strand).mesh)
    #expect(mesh.isClosed)
    // A hole would show the back of a face, which is not drawn.
    let covered = heights(try pixels(chain(.strand), side: 20, samples: 4), side: 20)
    let middle = covered[3..<17]
    #expect((middle.max() ?? 0) - (middle.min() ?? 0) < 2.5)
  }

  @Test(arguments: [SecondaryShape.coil, .strand])
  func `features up to 4 pixels wide have no outline, and wider ones do`(shape: SecondaryShape) throws {
    // 0.6 Å of a tube and 0.64 Å of a strand seen edge-on are 3.6 and 3.8 pixels, then 14 and 15.
    let scene = chain(shape)
    #expect(try pixels(scene, side: 120, outline: 1) == pixels(scene, side: 120))
    #expect(try pixels(scene, side: 480, outline: 1) != pixels(scene, side: 480))
  }

  @Test func `a thin tube in front of a wall has no outline`() throws {
    var scene = chain(.coil)
    let wall = (-40...40).flatMap { x in
      (-40...40).map { y in
        Sphere(center: SIMD3(Float(x) / 2, Float(y) / 2, -9), radius: 0.6, color: .white)
      }
    }
    scene.spheres = wall
    let with = try pixels(scene, side: 120, samples: 1, outline: 1)
    let without = try pixels(scene, side: 120, samples: 1)
    let rows = 58 * 120..<62 * 120
    #expect(rows.allSatisfy { !(40..<80).contains($0 % 120) || with[4 * $0] == without[4 * $0] })
  }

  @Test(.enabled(if: SharedData.found != nil, "the shared data is absent"))
  func `outlines do not darken a large cartoon`() throws {
    let path = try #require(SharedData.found).appendingPathComponent("molecules/3j6r.pdb.gz").path
    let molecule = try MoleculeReading.molecule(
      file: path, bonds: .firstModel, limits: ReadingLimits(), QuietProgress()
    ).molecule
    func brightness(outlines: Bool) throws -> Double {
      var picture = StillPicture(size: Size(width: 640, height: 480))
      picture.mode = .cartoon
      picture.background = .black
      picture.effects.hasOutlines = outlines
      let drawn = try #require(picture.draw(molecule)).pixels
      return stride(from: 0, to: drawn.count, by: 4).reduce(0.0) { $0 + Double(drawn[$1 + 1]) }
    }
    #expect(try brightness(outlines: true) > 0.85 * brightness(outlines: false))
  }
}
