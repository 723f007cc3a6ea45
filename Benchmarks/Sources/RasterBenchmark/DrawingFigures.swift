import BenchmarkSupport
import Glibc
import PluginAPI

@testable import Host
@testable import Molecules

/// The number of frames drawn per second, and the time to turn a picture into cells.
struct DrawingFigures {
  /// The folder of the structures.
  var folder: String

  /// A picture that is drawn again and again.
  private struct Case {
    var name: String
    var size: Size
    /// The least frames a second on one and on two threads, or the least likeness; nil where none is asked for.
    var floors: (one: Double?, two: Double?)
    var frames: Int
  }

  /// Measures and prints.
  func measure() throws {
    let small = Size(width: 400, height: 240)
    let virus = try structure("pdb/2btv.pdb.gz")
    let unit = try scene(of: virus, copies: .deposited)
    try measure(unit, Case(name: "2BTV", size: small, floors: (120, 240), frames: 200))
    try measure(
      unit, Case(name: "2BTV", size: Size(width: 1600, height: 1000), floors: (nil, 60), frames: 60))
    let capsid = try scene(of: virus, copies: .assembly("1"))
    try measure(capsid, Case(name: "2BTV capsid", size: small, floors: (nil, 60), frames: 60))
    let chlorella = try scene(of: try structure("pdb/1m4x.pdb.gz"), copies: .assembly("1"))
    try measure(chlorella, Case(name: "PBCV-1 (1M4X)", size: small, floors: (nil, 20), frames: 40))
    measureCells(unit)
    measureLikeness(unit, Case(name: "2BTV", size: small, floors: (30, nil), frames: 1))
    measureLikeness(capsid, Case(name: "2BTV capsid", size: small, floors: (25, nil), frames: 1))
  }

  private func structure(_ file: String) throws -> Structure {
    try StructureFile.read(bytes: try FileBytes.read(folder + file), name: file)
  }

  private func scene(of structure: Structure, copies: SceneCopies) throws -> InstancedScene {
    let scene = SceneBuilder(mode: .spacefilling).scene(of: MoleculeGeometry(structure))
    let instances = copies.instances(of: structure, model: 0)
    return instances.map { InstancedScene(scene, copies: $0) } ?? InstancedScene(scene)
  }

  private func measure(_ scene: InstancedScene, _ wanted: Case) throws {
    let size = "\(wanted.size.width)x\(wanted.size.height)"
    let viewport = Viewport(width: wanted.size.width, height: wanted.size.height)
    let ways = [
      ("one thread", ParallelWork.serial, wanted.floors.one),
      ("two threads", DrawingThreads(helpers: 1).work, wanted.floors.two),
    ]
    for (label, work, floor) in ways {
      var rasterizer = Rasterizer()
      var camera = Camera(framing: scene)
      var style = RenderQuality.moving.style(viewport)
      style.background = .black
      var times: [Double] = []
      let before = Timing.processorMilliseconds(of: getpid()) ?? .nan
      for _ in 0..<wanted.frames {
        camera.turn(right: 3, down: 1)
        let start = Timing.milliseconds()
        guard rasterizer.draw(scene, from: camera, onto: viewport, style: style, work: work) != nil else { return }
        times.append(Timing.milliseconds() - start)
      }
      let name = "\(wanted.name), \(scene.primitiveCount) atoms, \(size), \(label)"
      Measurement("\(name): frames a second", 1000 / (times.min() ?? .nan), unit: "1/s", floor: floor).print()
      let processor = (Timing.processorMilliseconds(of: getpid()) ?? .nan) - before
      Measurement("\(name): processor time a frame", processor / Double(wanted.frames), unit: "ms").print()
      Measurement("\(name): frame, median", Timing.median(times), unit: "ms").print()
    }
  }

  /// Measures the similarity of a frame in rotation to the picture with smooth edges, fine shades and all atoms.
  ///
  /// The figure is the peak signal-to-noise ratio; the peer is the frame with every atom drawn, one sample a pixel.
  private func measureLikeness(_ scene: InstancedScene, _ wanted: Case) {
    let viewport = Viewport(width: wanted.size.width, height: wanted.size.height)
    var camera = Camera(framing: scene)
    camera.turn(right: 40, down: 20)
    func drawn(_ change: (inout RenderStyle) -> Void) -> [UInt8] {
      var rasterizer = Rasterizer()
      var style = RenderQuality.moving.style(viewport)
      style.background = .black
      change(&style)
      return rasterizer.draw(scene, from: camera, onto: viewport, style: style) ?? []
    }
    let reference = drawn { ($0.samples, $0.detail, $0.hasFineOcclusion) = (3, 0, true) }
    let frame = drawn { _ in }
    let whole = drawn { $0.detail = 0 }
    Measurement(
      "\(wanted.name), \(wanted.size.width)x\(wanted.size.height): likeness of a moving frame to the smooth picture",
      Self.likeness(frame, reference), unit: "dB", peer: ("all atoms", Self.likeness(whole, reference)),
      floor: wanted.floors.one
    ).print()
  }

  private static func likeness(_ one: [UInt8], _ other: [UInt8]) -> Double {
    var squares = 0.0
    for (first, second) in zip(one, other) {
      let difference = Double(first) - Double(second)
      squares += difference * difference
    }
    return 10 * log10(255 * 255 * Double(one.count) / squares)
  }

  /// Measures the picture as cells of half-blocks and of dots, and the changed bytes.
  private func measureCells(_ scene: InstancedScene) {
    let cells = Size(width: 200, height: 60)
    for (mode, unit) in [(GraphicsMode.halfBlock, Size(width: 1, height: 2)), (.braille, Size(width: 2, height: 4))] {
      let viewport = Viewport(width: cells.width * unit.width, height: cells.height * unit.height)
      var rasterizer = Rasterizer()
      var camera = Camera(framing: scene)
      var style = RenderQuality.moving.style(viewport)
      style.background = .black
      let encoder = PictureCells(mode, depth: .trueColor)
      var best = Double.infinity
      for _ in 0..<60 {
        camera.turn(right: 3, down: 1)
        guard let picture = rasterizer.picture(of: scene, from: camera, onto: viewport, style: style) else { return }
        var frame = TextFrame(size: cells, pixelsPerCell: unit)
        frame.place(picture, in: Rect(cells))
        let start = Timing.milliseconds()
        encoder.draw(&frame)
        best = min(best, Timing.milliseconds() - start)
      }
      Measurement("2BTV, \(mode.rawValue) 200x60: picture to cells", best, unit: "ms", bar: 1).print()
    }
  }
}
