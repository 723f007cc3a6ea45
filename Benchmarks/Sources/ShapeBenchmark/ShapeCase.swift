import BenchmarkSupport
import PluginCompression

@testable import Molecules

/// One structure whose cartoon and surface are made and turned.
struct ShapeCase {
  var file: String
  /// The number of times each is made.
  var rounds: Int
  /// The most milliseconds the surface may take.
  var surfaceBar: Double?
  /// The most milliseconds a frame of the cartoon may take.
  var frameBar: Double?

  private static let frames = 40
  /// The maximum time to wait after a cancellation, in milliseconds.
  private static let waitBar = 100.0

  /// Measures and prints.
  func run(dataFolder: String) throws {
    let bytes = try FileBytes.read(dataFolder + file)
    let name = String(file.split(separator: "/").last?.prefix { $0 != "." } ?? "").uppercased()
    let structure = try StructureFile.read(bytes: bytes, name: name)
    let bonds = BondPerception.bonds(of: structure)
    let cartoon = measure(structure, bonds, .cartoon, "cartoon of \(name)", bar: nil)
    turn(cartoon, "cartoon of \(name)", bar: frameBar)
    _ = measure(structure, bonds, .surface, "surface of \(name), one thread", bar: nil)
    let work = DrawingThreads.shared.work
    let surface = measure(structure, bonds, .surface, "surface of \(name)", bar: surfaceBar, work)
    turn(surface, "surface of \(name)", bar: nil)
  }

  /// Makes the data that is reused between frames.
  private func measure(
    _ structure: Structure, _ bonds: [Bond], _ mode: RenderMode, _ name: String, bar: Double?,
    _ work: ParallelWork = .serial
  ) -> InstancedScene {
    var scene = InstancedScene([])
    var triangles = 0
    var wait = Double.infinity
    let time = Timing.best(of: rounds) {
      var (last, longest) = (Timing.milliseconds(), 0.0)
      func look() {
        let now = Timing.milliseconds()
        (last, longest) = (now, max(longest, now - last))
      }
      let geometry = MoleculeGeometry(structure, model: 0, bonds: bonds, mode: mode, scheme: .chain)
      let made = SceneBuilder(mode: mode, scheme: .chain).scene(of: geometry, work: work) { _ in
        look()
        return true
      }
      triangles = made?.mesh.triangles.count ?? 0
      scene = InstancedScene(made ?? Scene())
      look()
      wait = min(wait, longest)
    }
    Measurement("\(name): made once", time, unit: "ms", bar: bar).print()
    if mode == .surface {
      Measurement("\(name): longest time until it could be stopped", wait, unit: "ms", bar: Self.waitBar).print()
    }
    Measurement("\(name): triangles", Double(triangles), unit: "1").print()
    return scene
  }

  private func turn(_ scene: InstancedScene, _ name: String, bar: Double?) {
    var rasterizer = Rasterizer()
    var camera = Camera(framing: scene)
    let viewport = Viewport(width: 400, height: 240)
    let times = Timing.all(Self.frames) {
      camera.turn(right: 9, down: 0)
      _ = rasterizer.draw(scene, from: camera, onto: viewport)
    }
    Measurement("\(name): a frame of 400×240", Timing.median(times), unit: "ms", bar: bar).print()
  }
}
