import Testing

@testable import Molecules

/// Tests of light from all sides: the number of directions from which samples are hidden, and the accuracy of the fast
/// estimate.
struct OpennessTests {
  private var camera: Camera { Camera(showing: SceneBounds(center: .zero, radius: 10 / 1.05)) }

  private func openness(_ scene: Scene, directions: Int) throws -> (RawColumn<Float>, stride: Int) {
    var raster = Rasterizer()
    let viewport = Viewport(width: 100, height: 100)
    _ = raster.draw(scene, from: camera, onto: viewport)
    let projection = Projection(camera, onto: viewport)
    let lighting = Lighting(RenderStyle(), projection: projection, samples: 1)
    var report = RenderReport(share: 1, nil)
    let column = raster.openness(lighting, projection, directions: directions, .serial, &report)
    return (try #require(column), raster.stride)
  }

  @Test func `a single ball receives all the light`() throws {
    let ball = Sphere(center: .zero, radius: 6, color: .white)
    let (open, stride) = try openness(Scene(spheres: [ball]), directions: 60)
    // Away from the rim, where the surface is seen edge-on and the slack is small against its slope.
    var least: Float = 1
    for y in 30..<70 {
      for x in 30..<70 { least = min(least, open[y * stride + x]) }
    }
    #expect(least > 0.97)
  }

  @Test func `the bottom of a hole receives less light than its rim`() throws {
    // A plate of balls at the back and a ring of walls around its middle: from the middle about a quarter is seen.
    var scene = Scene()
    for x in -8...8 {
      for y in -8...8 {
        let place = SIMD3(Float(x), Float(y), 0)
        scene.spheres.append(Sphere(center: place, radius: 1, color: .white))
        let distance = place.length
        guard distance > 3, distance < 7 else { continue }
        for z in 1...6 {
          scene.spheres.append(Sphere(center: place + SIMD3(0, 0, Float(z)), radius: 1, color: .white))
        }
      }
    }
    let (open, stride) = try openness(scene, directions: 400)
    let bottom = open[50 * stride + 50]
    let rim = open[50 * stride + 25]
    #expect(bottom > 0.08 && bottom < 0.35)
    #expect(rim > 0.75)
  }

  @Test func `occlusion from 44 directions is accurate, and the fast one approximates it`() throws {
    let scene = SceneFixture.blob(radius: 16)
    let camera = Camera(framing: InstancedScene(scene))
    let viewport = Viewport(width: 160, height: 120)
    func picture(_ directions: Int) throws -> [UInt8] {
      var raster = Rasterizer()
      var style = RenderStyle()
      style.background = .black
      style.samples = 2
      style.occlusionDirections = directions
      let drawn = raster.draw(scene, from: camera, onto: viewport, style: style)
      return try #require(drawn)
    }
    let (quick, some, many) = (try picture(0), try picture(44), try picture(400))
    #expect(SceneFixture.likeness(some, many) > 33)
    #expect(SceneFixture.likeness(quick, some) > 20)
  }
}
