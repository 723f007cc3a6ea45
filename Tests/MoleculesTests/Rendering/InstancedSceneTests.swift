import Testing

@testable import Molecules

/// Tests of copies, coarser levels and skipping hidden runs.
struct InstancedSceneTests {
  /// Returns placements on a shell, each with a different rotation.
  private func shell(_ count: Int, radius: Float) -> [Placement] {
    (0..<count).map { index in
      let turn = Rotation(about: SIMD3(0.3, 1, 0), degrees: Float(index) * 137.5)
      let tilt = Rotation(about: SIMD3(1, 0, 0.2), degrees: Float(index) / Float(count) * 360)
      let matrix = (turn * tilt).matrix
      return Placement(matrix: matrix, offset: matrix * SIMD3(0, 0, radius))
    }
  }

  private func flattened(_ scene: Scene, at placements: [Placement]) -> Scene {
    Scene(
      spheres: placements.flatMap { placement in
        scene.spheres.map { sphere in
          var moved = sphere
          moved.center = placement(sphere.center)
          return moved
        }
      })
  }

  @Test func `instanced copies look like explicit ones`() throws {
    let scene = SceneFixture.blob(radius: 14)
    let placements = shell(12, radius: 40)
    var style = RenderStyle()
    style.detail = 0
    let instanced = InstancedScene([InstancedScene.Part(SceneGeometry(scene), at: placements)])
    let camera = Camera(framing: instanced)
    var one = Rasterizer()
    var other = Rasterizer()
    let viewport = Viewport(width: 160, height: 120)
    let copies = one.draw(instanced, from: camera, onto: viewport, style: style)
    let written = other.draw(flattened(scene, at: placements), from: camera, onto: viewport, style: style)
    // Rounding differs, so single pixels may show another atom of nearly the same depth.
    #expect(SceneFixture.likeness(try #require(copies), try #require(written)) > 35)
  }

  /// Returns the number of samples whose depth differs from that of all balls drawn one after the other.
  private func differences(_ raster: borrowing Rasterizer, _ spheres: [Sphere], _ camera: Camera) -> Int {
    let canvas = Viewport(width: raster.width, height: raster.height)
    let projection = PlacedProjection(Projection(camera, onto: canvas), .identity)
    let depth = RawColumn(filling: DepthCanvas.emptyDepth)
    let owner = RawColumn(filling: Owner.none)
    depth.reserve(raster.stride * raster.height)
    owner.reserve(raster.stride * raster.height)
    let whole = DepthCanvas(
      width: raster.width, rows: 0..<raster.height, stride: raster.stride, aspect: 1, depth: depth.base,
      owner: owner.base)
    whole.clear()
    for sphere in spheres { whole.drawSphere(projection.ball(SIMD4(sphere.center, sphere.radius)), name: 1) }
    return (0..<raster.height).reduce(0) { sum, y in
      sum
        + (0..<raster.width).count { x in
          depth[y * raster.stride + x] != raster.depth[y * raster.stride + x]
        }
    }
  }

  @Test func `occlusion culling changes no pixel`() {
    // Compares drawing in rounds, which skips runs behind the coarse depth, with drawing one ball after the other
    // without tests.
    let scene = SceneFixture.blob(radius: 30)
    var raster = Rasterizer()
    var style = RenderStyle()
    style.detail = 0
    let camera = Camera(framing: InstancedScene(scene))
    _ = raster.draw(scene, from: camera, onto: Viewport(width: 300, height: 300), style: style)
    // Some runs are really skipped, so that the comparison is meaningful.
    #expect(raster.placed.ballCount - 1 < scene.spheres.count)
    #expect(differences(raster, scene.spheres, camera) == 0)
  }

  @Test func `balls behind a closed wall are not drawn`() {
    func ball(_ x: Int, _ y: Int, _ z: Int, radius: Float) -> Sphere {
      Sphere(center: SIMD3(Float(x), Float(y), Float(z)), radius: radius, color: .white)
    }
    let places = stride(from: -30, through: 30, by: 2)
    let wall = places.flatMap { y in places.map { x in ball(x, y, 40, radius: 2) } }
    let hidden = (-40 ..< -20).flatMap { z in
      (-10...10).flatMap { y in (-10...10).map { x in ball(2 * x, 2 * y, z, radius: 1.5) } }
    }
    let all = wall + hidden
    // The wall is nearest and drawn with the first tenth: a drawn ball behind it came with that tenth, which ends with
    // a whole run of at most 64.
    #expect(wall.count <= all.count / 10)
    let parts = [wall, hidden].map { InstancedScene.Part(SceneGeometry(Scene(spheres: $0)), at: [.identity]) }
    let scene = InstancedScene(parts)
    var raster = Rasterizer()
    var style = RenderStyle()
    style.detail = 0
    // Seen along z, as by a camera without rotation.
    let camera = Camera(showing: SceneBounds(center: .zero, radius: 60))
    _ = raster.draw(scene, from: camera, onto: Viewport(width: 300, height: 300), style: style)
    let drawn = raster.placed.ballCount - 1
    #expect(drawn >= wall.count && drawn <= all.count / 10 + 64)
    #expect(differences(raster, all, camera) == 0)
  }

  /// Returns the scene in two colors that alternate in cubes of 12 Å, so that balls with a wrong mean color are
  /// visible.
  private func chequered(_ scene: Scene) -> Scene {
    var scene = scene
    for index in scene.spheres.indices {
      let cell = (scene.spheres[index].center / 12).rounded(.down)
      scene.spheres[index].color = Int(cell.sum()) & 1 == 1 ? RGBColor(0x2040D0) : RGBColor(0xF0C020)
    }
    return scene
  }

  @Test func `coarser levels of detail look like all atoms from a distance`() throws {
    let scene = chequered(SceneFixture.blob(radius: 30))
    let instanced = InstancedScene([InstancedScene.Part(SceneGeometry(scene), at: shell(20, radius: 90))])
    let camera = Camera(framing: instanced)
    func picture(detail: Float) throws -> (pixels: [UInt8], balls: Int) {
      var style = RenderStyle.still
      style.background = .black
      style.detail = detail
      var raster = Rasterizer()
      // From so far away that a group of four neighboring atoms, 2.6 Å, is a third of a pixel.
      let pixels = raster.draw(instanced, from: camera, onto: Viewport(width: 40, height: 30), style: style)
      return (try #require(pixels), raster.placed.ballCount)
    }
    let all = try picture(detail: 0)
    let chosen = try picture(detail: RenderStyle.still.detail)
    #expect(chosen.balls * 4 < all.balls)
    // Each coarser level is less similar; the chosen one is above the bound, the next but one already below it.
    let bound = 29.0
    #expect(SceneFixture.likeness(all.pixels, chosen.pixels) > bound)
    let tooCoarse = try picture(detail: 2 * RenderStyle.still.detail)
    #expect(tooCoarse.balls < chosen.balls)
    #expect(SceneFixture.likeness(all.pixels, tooCoarse.pixels) < bound)
  }

  @Test func `the atom under a pixel is found in every copy`() {
    let ball = Sphere(center: .zero, radius: 2, color: .white, atom: 7)
    let placements = [-5, 5].map { x in
      Placement(matrix: Placement.identity.matrix, offset: SIMD3(Float(x), 0, 0))
    }
    let scene = InstancedScene([InstancedScene.Part(SceneGeometry(Scene(spheres: [ball])), at: placements)])
    var raster = Rasterizer()
    let camera = Camera(showing: SceneBounds(center: .zero, radius: 10 / 1.05))
    _ = raster.draw(scene, from: camera, onto: Viewport(width: 100, height: 100))
    #expect(raster.atom(x: 25, y: 50) == 7)
    #expect(raster.atom(x: 75, y: 50) == 7)
    #expect(raster.atom(x: 50, y: 50) == nil)
  }

  @Test func `a scene is restricted to ranges of atoms`() {
    let sphere = Sphere(center: .zero, radius: 1, color: .white)
    var scene = Scene()
    for atom in [0, 1, 2, 5, -1] as [Int32] {
      var next = sphere
      next.atom = atom
      scene.spheres.append(next)
    }
    let stick = Cylinder(start: .zero, end: SIMD3(1, 0, 0), radius: 1, startColor: .white, endColor: .white)
    for (start, end) in [(0, 1), (1, 2)] as [(Int32, Int32)] {
      var next = stick
      (next.startAtom, next.endAtom) = (start, end)
      scene.cylinders.append(next)
    }
    let part = scene.restricted(to: [0..<2, 5..<6])
    #expect(part.spheres.map(\.atom) == [0, 1, 5, -1])
    #expect(part.cylinders.map(\.endAtom) == [1])
  }

  @Test func `faulty placements and empty parts are left out`() throws {
    let fault = Placement(matrix: Placement.identity.matrix, offset: SIMD3(.nan, 0, 0))
    let geometry = SceneGeometry(Scene(spheres: [Sphere(center: .zero, radius: 1, color: .white)]))
    let scene = InstancedScene([
      InstancedScene.Part(geometry, at: [fault]), InstancedScene.Part(SceneGeometry(Scene()), at: [.identity]),
    ])
    #expect(scene.parts.isEmpty && scene.bounds == SceneBounds())
    var raster = Rasterizer()
    let pixels = raster.draw(
      scene, from: Camera(framing: scene), onto: Viewport(width: 20, height: 20))
    #expect(try #require(pixels).allSatisfy { $0 == 0 })
  }
}
