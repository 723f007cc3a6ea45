import Foundation
import Testing

@testable import Molecules

struct CameraTests {
  private func isClose(_ left: SIMD3<Float>, _ right: SIMD3<Float>, tolerance: Float = 1e-4) -> Bool {
    (left - right).length < tolerance
  }

  @Test func `a turn to the right moves the front to the right`() {
    var camera = Camera()
    camera.turn(right: 90, down: 0)
    #expect(isClose(camera.orientation.matrix * SIMD3(0, 0, 1), SIMD3(1, 0, 0)))
  }

  @Test func `a turn down moves the front down`() {
    var camera = Camera()
    camera.turn(right: 0, down: 90)
    #expect(isClose(camera.orientation.matrix * SIMD3(0, 0, 1), SIMD3(0, -1, 0)))
  }

  @Test func `turns are about the axes of the screen in any orientation`() {
    var camera = Camera()
    camera.turn(right: 0, down: 90)
    camera.turn(right: 90, down: 0)
    // The point that faces the viewer now comes from the top of the molecule, and moves right.
    #expect(isClose(camera.orientation.matrix * SIMD3(0, 1, 0), SIMD3(1, 0, 0)))
  }

  @Test func `a rotation matches the system's sine and cosine at any angle`() {
    var worst: Float = 0
    for degrees in stride(from: Float(-720), through: 720, by: 7.5) {
      let turned = Rotation(about: SIMD3(0, 0, 2), degrees: degrees).matrix * SIMD3(1, 0, 0)
      let angle = Double(degrees) * .pi / 180
      worst = max(worst, (turned - SIMD3(Float(cos(angle)), Float(sin(angle)), 0)).length)
    }
    #expect(worst < 1e-6)
  }

  @Test func `the matrix after ten thousand small turns is still a rotation`() {
    var camera = Camera()
    for _ in 0..<10_000 { camera.turn(right: 1, down: 0.7) }
    let matrix = camera.orientation.matrix
    #expect(abs(matrix.first.length - 1) < 1e-4)
    #expect(abs((matrix.first * matrix.second).sum()) < 1e-4)
  }

  @Test func `zooming keeps the middle of the view`() {
    var camera = Camera(showing: SceneBounds(center: .zero, radius: 10))
    camera.move(by: SIMD2(0.25, 0))
    let viewport = Viewport(width: 100, height: 100)
    let before = Projection(camera, onto: viewport)
    let middle = SIMD3<Float>(-0.25 * 100 / before.scale, 0, 0)
    camera.zoom(by: 3)
    let after = Projection(camera, onto: viewport)
    #expect(isClose(before(middle), after(middle), tolerance: 0.01))
    #expect(abs(after.scale / before.scale - 3) < 1e-4)
  }

  @Test func `the zoom is limited to its range`() {
    var camera = Camera(showing: SceneBounds(center: SIMD3(1, 2, 3), radius: 10))
    camera.zoom(by: 1e30)
    #expect(camera.zoom == Camera.zoomRange.upperBound)
    camera.zoom(by: .nan)
    camera.zoom(by: -1)
    camera.zoom(by: 1e-30)
    #expect(camera.zoom == Camera.zoomRange.lowerBound)
  }

  @Test func `the whole scene is in view at every orientation`() {
    let scene = Scene(spheres: [
      Sphere(center: SIMD3(-9, 1, 2), radius: 1.5, color: .white),
      Sphere(center: SIMD3(8, -3, 5), radius: 1.5, color: .white),
      Sphere(center: SIMD3(0, 6, -5), radius: 1.5, color: .white),
    ])
    var camera = Camera(showing: scene.bounds)
    let viewport = Viewport(width: 90, height: 60)
    var outside = 0
    for step in 0..<100 {
      camera.turn(right: Float(step * 7), down: Float(step * 3))
      let projection = Projection(camera, onto: viewport)
      for sphere in scene.spheres {
        let place = projection(sphere.center)
        let radius = sphere.radius * projection.scale
        if place.x < radius || place.y < radius || place.x > 90 - radius || place.y > 60 - radius { outside += 1 }
      }
    }
    #expect(outside == 0)
  }

  @Test func `framing puts the longest axis across and the shortest toward the viewer`() {
    let axis = SIMD3<Float>(1, 2, 2) / 3
    let other = SIMD3<Float>(2, 1, -2) / 3
    let scene = Scene(
      spheres: (-10...10).flatMap { step -> [Sphere] in
        [-2, 2].map { side in
          Sphere(center: axis * Float(step) + other * side + SIMD3(50, -20, 7), radius: 1, color: .white)
        }
      })
    let bounds = scene.bounds
    let matrix = bounds.principalOrientation.matrix
    #expect(isClose(bounds.center, SIMD3(50, -20, 7), tolerance: 1e-3))
    #expect(abs(abs((matrix * axis).x) - 1) < 1e-4)
    #expect(abs(abs((matrix * other).y) - 1) < 1e-4)
    let extent = Camera(framing: InstancedScene(scene)).extent
    #expect(abs(extent.x - 11 * 1.05) < 1e-3 && abs(extent.y - 3 * 1.05) < 1e-3)
  }
}
