import Testing

@testable import Molecules

struct RasterizerTests {
  private func ball(_ x: Float, _ y: Float, _ z: Float, radius: Float = 1, atom: Int32 = -1) -> Sphere {
    Sphere(center: SIMD3(x, y, z), radius: radius, color: RGBColor(0x80C0FF), atom: atom)
  }

  private func stick(from start: SIMD3<Float>, to end: SIMD3<Float>, radius: Float = 0.5) -> Cylinder {
    Cylinder(
      start: start, end: end, radius: radius, startColor: RGBColor(0xFF0000), endColor: RGBColor(0x0000FF),
      startAtom: 0, endAtom: 1)
  }

  /// A camera that shows ten ångström on either side of the origin.
  private var camera: Camera { Camera(showing: SceneBounds(center: .zero, radius: 10 / 1.05)) }

  /// A style with only the plain colors of lit surfaces.
  private var plain: RenderStyle {
    var style = RenderStyle()
    style.fog = 0
    style.outline = 0
    style.occlusion = 0
    return style
  }

  /// Returns the pixels of a scene, which must be drawn completely.
  private func drawn(
    _ raster: inout Rasterizer, _ scene: Scene, from camera: Camera, onto viewport: Viewport,
    style: RenderStyle = RenderStyle()
  ) throws -> [UInt8] {
    let pixels = raster.draw(scene, from: camera, onto: viewport, style: style)
    return try #require(pixels)
  }

  private func alpha(_ pixels: [UInt8]) -> [UInt8] {
    stride(from: 3, to: pixels.count, by: 4).map { pixels[$0] }
  }

  /// Returns a fixed cloud of balls and sticks, from a linear congruential generator.
  private func cloud(_ count: Int) -> Scene {
    var state: UInt32 = 12345
    func next() -> Float {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(state >> 8) / Float(1 << 24) * 16 - 8
    }
    var scene = Scene()
    for index in 0..<count {
      scene.spheres.append(ball(next(), next(), next(), atom: Int32(index)))
      if index > 0 {
        let last = scene.spheres[index - 1].center
        scene.cylinders.append(stick(from: last, to: scene.spheres[index].center, radius: 0.2))
      }
    }
    return scene
  }

  @Test func `a ball covers the area of its disk`() throws {
    var raster = Rasterizer()
    let scene = Scene(spheres: [ball(0, 0, 0, radius: 5)])
    let pixels = try drawn(&raster, scene, from: camera, onto: Viewport(width: 200, height: 200))
    let covered = alpha(pixels).count { $0 == 255 }
    // Radius 50 pixels; the count of pixel centers in a disk differs from its area by at most about the circumference.
    #expect(abs(Double(covered) - 50 * 50 * Double.pi) < 100)
  }

  @Test func `the ball in front hides the one behind, and each pixel has its atom`() {
    var raster = Rasterizer()
    let scene = Scene(spheres: [ball(0, 0, 3, atom: 7), ball(0, 0, -3, radius: 2, atom: 9)])
    _ = raster.draw(scene, from: camera, onto: Viewport(width: 100, height: 100))
    #expect(raster.atom(x: 50, y: 50) == 7)
    #expect(raster.atom(x: 50 + 7, y: 50) == 9)
    #expect(raster.atom(x: 5, y: 5) == nil)
    #expect(raster.atom(x: -1, y: 0) == nil)
    #expect(raster.atom(x: 100, y: 0) == nil)
  }

  @Test func `the picture's axes point up and right`() {
    var raster = Rasterizer()
    let scene = Scene(spheres: [ball(5, 0, 0, atom: 1), ball(0, 5, 0, atom: 2)])
    _ = raster.draw(scene, from: camera, onto: Viewport(width: 100, height: 100))
    #expect(raster.atom(x: 75, y: 50) == 1)
    #expect(raster.atom(x: 50, y: 25) == 2)
  }

  @Test(arguments: [
    SIMD3<Float>(6, 0, 0), SIMD3(0, 6, 0), SIMD3(0, 0, 6), SIMD3(3, -4, 2), SIMD3(-1, 2, -5), SIMD3(0.001, 0, 6),
  ])
  func `a stick has the same depth as a row of small balls`(end: SIMD3<Float>) {
    var asStick = Rasterizer()
    var asBalls = Rasterizer()
    let viewport = Viewport(width: 120, height: 120)
    _ = asStick.draw(Scene(cylinders: [stick(from: .zero, to: end)]), from: camera, onto: viewport)
    let chain = (0...2000).map { step in
      let place = end * (Float(step) / 2000)
      return ball(place.x, place.y, place.z, radius: 0.5, atom: Int32(step))
    }
    _ = asBalls.draw(Scene(spheres: chain), from: camera, onto: viewport)
    // Away from the ends (the balls round them off) both surfaces agree to a hundredth of a pixel, at 6 pixels per
    // ångström.
    var worst: Float = 0
    var compared = 0
    var stickPixels = 0
    for y in 0..<120 {
      for x in 0..<120 {
        let place = y * asStick.stride + x
        let isStick = asStick.owner[place] & Owner.kindBits == Owner.stickBit
        stickPixels += isStick ? 1 : 0
        guard isStick, let atom = asBalls.atom(x: x, y: y), atom > 200, atom < 1800 else { continue }
        worst = max(worst, abs(asStick.depth[place] - asBalls.depth[place]))
        compared += 1
      }
    }
    #expect(worst < 0.05)
    #expect(compared > 10 || end.x * end.x + end.y * end.y < 0.1)
    #expect(stickPixels > 0)
  }

  @Test func `a stick seen from its end is a disk in the color of the near half`() throws {
    var raster = Rasterizer()
    let scene = Scene(cylinders: [stick(from: SIMD3(0, 0, -4), to: SIMD3(0, 0, 4), radius: 3)])
    let pixels = try drawn(&raster, scene, from: camera, onto: Viewport(width: 100, height: 100), style: plain)
    let covered = alpha(pixels).count { $0 == 255 }
    #expect(abs(Double(covered) - 15 * 15 * Double.pi) < 40)
    let middle = 4 * (50 * 100 + 50)
    #expect(pixels[middle + 2] > 150 && pixels[middle] < pixels[middle + 2])
    #expect(raster.atom(x: 50, y: 50) == 1)
  }

  @Test func `each half of a stick has its own color and atom`() throws {
    var raster = Rasterizer()
    let scene = Scene(cylinders: [stick(from: SIMD3(-4, 0, 0), to: SIMD3(4, 0, 0))])
    let pixels = try drawn(&raster, scene, from: camera, onto: Viewport(width: 100, height: 100), style: plain)
    let left = 4 * (50 * 100 + 40)
    let right = 4 * (50 * 100 + 60)
    #expect(pixels[left] > pixels[left + 2] && pixels[right] < pixels[right + 2])
    #expect(raster.atom(x: 40, y: 50) == 0)
    #expect(raster.atom(x: 60, y: 50) == 1)
  }

  @Test func `a ball smaller than a pixel covers one pixel`() throws {
    var raster = Rasterizer()
    let scene = Scene(spheres: [ball(0.3, 0.3, 0, radius: 0.01)])
    let pixels = try drawn(&raster, scene, from: camera, onto: Viewport(width: 40, height: 40))
    #expect(alpha(pixels).count { $0 == 255 } == 1)
  }

  @Test(arguments: [(0, 0), (0, 5), (5, 0), (1, 1), (1, 40), (3, 2), (-4, 7)])
  func `every picture size is drawn`(width: Int, height: Int) throws {
    var raster = Rasterizer()
    let viewport = Viewport(width: width, height: height)
    var style = RenderStyle()
    for samples in [0, 1, 2, 4, 9] {
      style.samples = samples
      let pixels = try drawn(&raster, cloud(50), from: camera, onto: viewport, style: style)
      #expect(pixels.count == 4 * max(0, width) * max(0, height))
    }
  }

  @Test func `faulty coordinates do not trap and are not drawn`() throws {
    var raster = Rasterizer()
    let faults: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 1e30, -1e30]
    var scene = Scene()
    for fault in faults {
      scene.spheres.append(ball(fault, 0, 0))
      scene.spheres.append(ball(0, 0, fault))
      scene.spheres.append(ball(0, 0, 0, radius: fault))
      scene.cylinders.append(stick(from: SIMD3(0, fault, 0), to: .zero))
      scene.cylinders.append(stick(from: .zero, to: SIMD3(1, 1, fault)))
      scene.cylinders.append(stick(from: .zero, to: SIMD3(1, 1, 1), radius: fault))
    }
    #expect(scene.bounds == SceneBounds())
    let viewport = Viewport(width: 30, height: 30)
    let pixels = try drawn(&raster, scene, from: Camera(framing: InstancedScene(scene)), onto: viewport)
    #expect(alpha(pixels).allSatisfy { $0 == 0 })
  }

  @Test func `objects far outside the view are skipped`() throws {
    var raster = Rasterizer()
    var scene = Scene(spheres: [ball(9e7, 0, 0), ball(0, -9e7, 0), ball(0, 0, 9e7, radius: 0.5)])
    scene.cylinders = [
      stick(from: SIMD3(-9e7, 9e7, 0), to: SIMD3(9e7, 9e7, 0)), stick(from: SIMD3(-9e7, 0, 0), to: SIMD3(9e7, 1, 0)),
    ]
    var near = camera
    near.zoom(by: 1e9)
    near.move(by: SIMD2(1e9, -1e9))
    let viewport = Viewport(width: 30, height: 30)
    let whole = try drawn(&raster, scene, from: camera, onto: viewport)
    let enlarged = try drawn(&raster, scene, from: near, onto: viewport)
    #expect(whole.count == 3600 && enlarged.count == 3600)
  }

  @Test func `the same scene gives the same bytes after any other drawing`() {
    var fresh = Rasterizer()
    var used = Rasterizer()
    var view = Camera(framing: InstancedScene(cloud(300)))
    view.turn(right: 31, down: -17)
    var style = RenderStyle()
    style.samples = 2
    _ = used.draw(cloud(900), from: camera, onto: Viewport(width: 160, height: 90))
    let viewport = Viewport(width: 160, height: 90, pixelAspect: 1.1)
    let first = fresh.draw(cloud(300), from: view, onto: viewport, style: style)
    let second = used.draw(cloud(300), from: view, onto: viewport, style: style)
    #expect(first != nil && first == second)
  }

  @Test func `progress increases to the end, and the drawing can be stopped`() {
    var raster = Rasterizer()
    let scene = cloud(10_000)
    let viewport = Viewport(width: 64, height: 64)
    var shares: [Double] = []
    let drawn = raster.draw(scene, from: camera, onto: viewport) { share in
      shares.append(share)
      return true
    }
    #expect(drawn != nil)
    #expect(shares.count >= 5 && shares == shares.sorted() && shares.allSatisfy { (0...1).contains($0) })
    var calls = 0
    let stopped = raster.draw(scene, from: camera, onto: viewport) { _ in
      calls += 1
      return calls < 3
    }
    #expect(stopped == nil && calls == 3)
  }

  @Test func `a scene of a million atoms is drawn`() throws {
    var raster = Rasterizer()
    func place(_ step: Int) -> Float { Float(step % 100) / 6 - 8 }
    let balls = (0..<1_000_000).map { index -> Sphere in
      ball(place(index), place(index / 100), place(index / 10_000), radius: 0.05)
    }
    let pixels = try drawn(&raster, Scene(spheres: balls), from: camera, onto: Viewport(width: 60, height: 60))
    // A cube of 16.5 of the 20 ångström across the view, seen flat: 49 or 50 pixels either way.
    #expect((49 * 49...51 * 51).contains(alpha(pixels).count { $0 == 255 }))
  }

  @Test func `a colored background is opaque, and the default one transparent`() throws {
    var raster = Rasterizer()
    var style = RenderStyle()
    let viewport = Viewport(width: 10, height: 10)
    let clear = try drawn(&raster, Scene(), from: camera, onto: viewport, style: style)
    #expect(clear.allSatisfy { $0 == 0 })
    style.background = RGBColor(0x102030)
    let filled = try drawn(&raster, Scene(), from: camera, onto: viewport, style: style)
    #expect(Array(filled.prefix(4)) == [0x10, 0x20, 0x30, 255])
  }

  @Test func `fog fades distant parts toward the background`() throws {
    var raster = Rasterizer()
    var style = plain
    style.background = .white
    style.fog = 0.5
    let scene = Scene(spheres: [ball(-4, 0, 7), ball(4, 0, -7)])
    let pixels = try drawn(&raster, scene, from: camera, onto: Viewport(width: 100, height: 100), style: style)
    let near = 4 * (50 * 100 + 30)
    let far = 4 * (50 * 100 + 70)
    #expect(pixels[far] > pixels[near] + 20)
  }

  @Test func `an outline darkens the edge of a ball on an empty background`() throws {
    var raster = Rasterizer()
    var style = plain
    let scene = Scene(spheres: [ball(0, 0, 0, radius: 5)])
    let viewport = Viewport(width: 100, height: 100)
    let without = try drawn(&raster, scene, from: camera, onto: viewport, style: style)
    style.outline = 1
    let with = try drawn(&raster, scene, from: camera, onto: viewport, style: style)
    let edge = 4 * (50 * 100 + 74)
    let middle = 4 * (50 * 100 + 50)
    #expect(with[edge + 2] < without[edge + 2] / 2)
    #expect(with[middle + 2] == without[middle + 2])
  }

  @Test func `outlines are drawn on walls but not on thin sticks`() throws {
    // Two layers of rods far behind each other, and two walls of tiny balls.
    func rods(_ z: Float) -> [Cylinder] {
      (-4...4).map { x in
        Cylinder(
          start: SIMD3(Float(2 * x), -8, z), end: SIMD3(Float(2 * x) + z / 10, 8, z), radius: 0.05, startColor: .white,
          endColor: .white)
      }
    }
    func wall(_ z: Float, _ columns: ClosedRange<Int>) -> [Sphere] {
      columns.flatMap { x in
        (-80...80).map { y in
          Sphere(center: SIMD3(Float(x) / 10, Float(y) / 10, z), radius: 0.08, color: .white)
        }
      }
    }
    func picture(_ scene: Scene, outline: Float) throws -> [UInt8] {
      var raster = Rasterizer()
      var style = RenderStyle()
      style.background = .black
      style.outline = outline
      let drawn = raster.draw(scene, from: camera, onto: Viewport(width: 100, height: 100), style: style)
      return try #require(drawn)
    }
    let sticks = Scene(cylinders: rods(20) + rods(-20))
    #expect(try picture(sticks, outline: 0.8) == picture(sticks, outline: 0))
    let walls = Scene(spheres: wall(20, -60...0) + wall(-20, -60...60))
    #expect(try picture(walls, outline: 0.8) != picture(walls, outline: 0))
  }

  @Test func `a ball is round on pixels that are taller than wide`() throws {
    var raster = Rasterizer()
    let scene = Scene(spheres: [ball(0, 0, 0, radius: 5)])
    let viewport = Viewport(width: 200, height: 100, pixelAspect: 2)
    _ = raster.draw(scene, from: camera, onto: viewport)
    let rows = (0..<100).count { raster.owner[$0 * raster.stride + 100] != Owner.none }
    let columns = (0..<200).count { raster.owner[50 * raster.stride + $0] != Owner.none }
    #expect(abs(columns - 100) <= 1 && abs(rows - 50) <= 1)
  }
}
