import Testing

@testable import Molecules

struct TriangleTests {
  /// A camera that shows ten ångström on either side of the origin.
  private var camera: Camera { Camera(showing: SceneBounds(center: .zero, radius: 10 / 1.05)) }

  /// Returns a square of two triangles, facing the viewer, at a depth.
  private func square(side: Float, z: Float, color: RGBColor = RGBColor(0x80C0FF), atom: Int32 = -1) -> TriangleMesh {
    var mesh = TriangleMesh()
    let half = side / 2
    let corners: [SIMD3<Float>] = [
      SIMD3(-half, -half, z), SIMD3(half, -half, z), SIMD3(half, half, z), SIMD3(-half, half, z),
    ]
    let indices = corners.map { mesh.addCorner($0, normal: SIMD3(0, 0, 1), color: color, atom: atom) }
    mesh.addTriangle(indices[0], indices[1], indices[2])
    mesh.addTriangle(indices[0], indices[3], indices[2])
    return mesh
  }

  private var plain: RenderStyle {
    var style = RenderStyle()
    (style.fog, style.outline, style.occlusion, style.specular) = (0, 0, 0, 0)
    return style
  }

  private func covered(_ pixels: [UInt8]) -> Int {
    stride(from: 3, to: pixels.count, by: 4).count { pixels[$0] == 255 }
  }

  @Test func `two triangles with a common edge fill their square without gaps`() throws {
    var raster = Rasterizer()
    var scene = Scene()
    scene.mesh = square(side: 10, z: 0)
    let drawn = raster.draw(scene, from: camera, onto: Viewport(width: 100, height: 100), style: plain)
    let pixels = try #require(drawn)
    #expect((50 * 50...51 * 51).contains(covered(pixels)))
  }

  @Test func `triangles hide balls behind them and are hidden by balls in front`() throws {
    var raster = Rasterizer()
    var scene = Scene(spheres: [
      Sphere(center: SIMD3(0, 0, -3), radius: 1, color: .white, atom: 1),
      Sphere(center: SIMD3(3, 0, 3), radius: 1, color: .white, atom: 2),
    ])
    scene.mesh = square(side: 10, z: 0, atom: 3)
    _ = raster.draw(scene, from: camera, onto: Viewport(width: 100, height: 100))
    #expect(raster.atom(x: 50, y: 50) == 3)
    #expect(raster.atom(x: 65, y: 50) == 2)
    #expect(raster.atom(x: 5, y: 5) == nil)
  }

  @Test func `color and light are interpolated between vertices`() throws {
    var raster = Rasterizer()
    var mesh = TriangleMesh()
    let tilt = SIMD3<Float>(0.8, 0, 0.6)
    let corners = [
      mesh.addCorner(SIMD3(-8, -8, 0), normal: SIMD3(0, 0, 1), color: RGBColor(0x400000)),
      mesh.addCorner(SIMD3(8, -8, 0), normal: tilt, color: RGBColor(0x00FF00)),
      mesh.addCorner(SIMD3(-8, 8, 0), normal: SIMD3(0, 0, 1), color: RGBColor(0x400000)),
    ]
    mesh.addTriangle(corners[0], corners[1], corners[2])
    let drawn = raster.draw(
      Scene(mesh: mesh), from: camera, onto: Viewport(width: 100, height: 100), style: plain)
    let pixels = try #require(drawn)
    var greens: [UInt8] = []
    for column in stride(from: 15, to: 60, by: 5) { greens.append(pixels[4 * (85 * 100 + column) + 1]) }
    #expect(greens == greens.sorted() && Set(greens).count == greens.count)
  }

  @Test func `the winding of a triangle does not matter`() throws {
    var one = Rasterizer()
    var other = Rasterizer()
    var scene = Scene(mesh: square(side: 10, z: 0))
    let viewport = Viewport(width: 40, height: 40)
    let first = one.draw(scene, from: camera, onto: viewport)
    scene.mesh.triangles = scene.mesh.triangles.map { SIMD3($0.x, $0.z, $0.y) }
    let second = other.draw(scene, from: camera, onto: viewport)
    #expect(first != nil && first == second)
  }

  @Test func `faulty meshes do not trap and are not drawn`() throws {
    var raster = Rasterizer()
    var broken = square(side: 10, z: 0)
    broken.triangles = [SIMD3(0, 1, 9)]
    var faulty = TriangleMesh()
    for fault in [Float.nan, .infinity, 1e30] {
      var part = square(side: 10, z: 0)
      for index in part.positions.indices { part.positions[index].y = fault }
      faulty.append(part)
    }
    var thin = square(side: 10, z: 0)
    thin.triangles = [SIMD3(0, 0, 1), SIMD3(2, 2, 2)]
    for mesh in [broken, faulty, thin] {
      let drawn = raster.draw(Scene(mesh: mesh), from: camera, onto: Viewport(width: 30, height: 30))
      #expect(covered(try #require(drawn)) == 0)
    }
  }

  /// Returns the surface of two touching atoms, with many patches.
  private func surface() throws -> TriangleMesh {
    let balls = [-2, 2].map { SurfaceBall(center: SIMD3($0, 0, 0), radius: 1.9, atom: $0 < 0 ? 7 : 8) }
    return try #require(SolventSurface(spacing: 0.2).mesh(around: balls))
  }

  @Test func `culling back faces of closed meshes changes no pixel, also when mirrored`() throws {
    var closed = Scene(mesh: try surface())
    for index in closed.mesh.colors.indices { closed.mesh.colors[index] = RGBColor(0x40A0F0) }
    #expect(closed.mesh.isClosed)
    var open = closed
    open.mesh.isClosed = false
    let mirror = RotationMatrix(SIMD3(0, 1, 0), SIMD3(1, 0, 0), SIMD3(0, 0, 1))
    for placement in [Placement.identity, Placement(matrix: mirror, offset: SIMD3(1, 0, 0))] {
      let pictures = [closed, open].map { scene in
        var raster = Rasterizer()
        var camera = camera
        camera.turn(right: 35, down: 20)
        return raster.draw(
          InstancedScene(scene, at: placement), from: camera, onto: Viewport(width: 200, height: 150))
      }
      #expect(covered(try #require(pictures[0])) > 1000)
      #expect(pictures[0] == pictures[1])
    }
  }

  @Test func `a mesh with a missing or an open part is open`() throws {
    let whole = Scene(mesh: try surface())
    #expect(whole.restricted(to: [0..<9]).mesh.isClosed)
    #expect(!whole.restricted(to: [0..<8]).mesh.isClosed)
    var joined = whole.mesh
    joined.append(whole.mesh)
    #expect(joined.isClosed)
    joined.append(square(side: 1, z: 0))
    #expect(!joined.isClosed)
  }

  @Test func `every triangle of many patches names its atom`() throws {
    var raster = Rasterizer()
    let scene = Scene(mesh: try surface())
    _ = raster.draw(scene, from: camera, onto: Viewport(width: 100, height: 100))
    for (x, atom) in [(32, 7), (38, 7), (45, 7), (55, 8), (62, 8), (68, 8)] {
      #expect(raster.atom(x: x, y: 50) == atom)
      #expect(raster.atom(x: x, y: 46) == atom)
    }
    // A picture abandoned halfway has no atoms of triangles, and does not trap.
    _ = raster.draw(scene, from: camera, onto: Viewport(width: 100, height: 100)) { $0 < 0.3 }
    #expect([nil, 7].contains(raster.atom(x: 38, y: 50)))
  }

  @Test func `patches beyond the right border are drawn without error`() throws {
    var trace = BackboneTrace(polymer: .protein)
    for index in 0..<20 {
      trace.nodes.append(.init(position: SIMD3(Float(index) - 10, 0, 0), shape: .coil, atom: Int32(index)))
    }
    var scene = Scene()
    scene.mesh = CartoonBuilder.build([trace], style: CartoonStyle()).mesh
    var raster = Rasterizer()
    for step in 0..<160 {
      var view = camera
      view.move(by: SIMD2(Float(step) / 160, 0))
      let pixels = raster.draw(scene, from: view, onto: Viewport(width: 61, height: 61))
      #expect(pixels != nil)
    }
  }
}
