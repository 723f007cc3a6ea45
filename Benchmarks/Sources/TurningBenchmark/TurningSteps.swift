import BenchmarkSupport
import Glibc
import PluginAPI

@testable import Host
@testable import Molecules

/// The steps of a frame, each timed for itself.
enum TurningSteps {
  private static let size = Size(width: 200, height: 60)
  private static let frames = 120

  /// The milliseconds of each step, a figure for each frame.
  private struct Times {
    var raster: [Double] = []
    var cells: [Double] = []
    var encode: [Double] = []
    var write: [Double] = []
    var whole: [Double] = []
    var bytes: [Double] = []
  }

  /// Measures and prints.
  static func measure(_ file: String) throws {
    let bytes = try FileBytes.read(file)
    let structure = try StructureFile.read(bytes: bytes, name: "4hhb")
    let bonds = BondPerception.bonds(of: structure)
    var scene: Scene?
    let building = Timing.all(21) {
      scene = SceneBuilder(mode: .spacefilling, scheme: nil).scene(
        of: MoleculeGeometry(structure, model: 0, bonds: bonds))
    }
    guard let scene else { return }
    Measurement("turning 4HHB: scene, once", Timing.median(building), unit: "ms").print()
    for samples in [1, 2] {
      let times = turn(scene, samples: samples)
      let name = "turning 4HHB, \(samples)×\(samples) samples a pixel"
      Measurement("\(name): raster", Timing.median(times.raster), unit: "ms").print()
      Measurement("\(name): picture to cells", Timing.median(times.cells), unit: "ms").print()
      Measurement("\(name): encode", Timing.median(times.encode), unit: "ms").print()
      Measurement("\(name): write to a terminal", Timing.median(times.write), unit: "ms").print()
      Measurement("\(name): bytes a frame", Timing.median(times.bytes) / 1024, unit: "KiB").print()
      Measurement("\(name): all steps", Timing.median(times.whole), unit: "ms", bar: 16).print()
      Measurement("\(name): all steps, p99", Timing.quantile(times.whole, 0.99), unit: "ms").print()
    }
  }

  private static func turn(_ scene: Scene, samples: Int) -> Times {
    var times = Times()
    let sink = TerminalSink()
    defer { sink.end() }
    var rasterizer = Rasterizer()
    var encoder = FrameEncoder(depth: .trueColor, isSynchronized: true)
    let cells = PictureCells(.halfBlock, depth: .trueColor)
    let out = TerminalBytes(capacity: 1 << 20)
    var camera = Camera(framing: InstancedScene(scene))
    var style = RenderStyle()
    style.background = .black
    style.samples = samples
    let viewport = Viewport(width: size.width, height: 2 * size.height, pixelAspect: 1)
    for _ in 0..<frames {
      camera.turn(right: Float(ViewerActions.turnStep), down: 0)
      let start = Timing.milliseconds()
      guard let picture = rasterizer.picture(of: scene, from: camera, onto: viewport, style: style) else { break }
      let drawn = Timing.milliseconds()
      var frame = TextFrame(size: size, pixelsPerCell: Size(width: 1, height: 2))
      frame.place(picture, in: Rect(size))
      cells.draw(&frame)
      let placed = Timing.milliseconds()
      out.removeAll()
      encoder.encode(FrameEncoder.Content(frame), into: out)
      let encoded = Timing.milliseconds()
      sink.write(out.bytes)
      let written = Timing.milliseconds()
      times.raster.append(drawn - start)
      times.cells.append(placed - drawn)
      times.encode.append(encoded - placed)
      times.write.append(written - encoded)
      times.whole.append(written - start)
      times.bytes.append(Double(out.count))
    }
    return times
  }
}
