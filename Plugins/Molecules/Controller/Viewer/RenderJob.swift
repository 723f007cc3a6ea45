import PluginAPI
import Synchronization

/// What of which molecule is drawn, and how: as long as it is the same, the scene is.
struct SceneKey: Hashable, Sendable {
  /// Counts the molecules a viewer has loaded.
  var loading: Int
  /// Model index, 0-based.
  var model: Int
  var mode: RenderMode
  var scheme: ColorScheme?
  /// Which selection, as `ViewerSelection` counts them.
  var selection = 0
  /// The version of what is shown together with it.
  var others = 0
}

/// A scene that is ready to be drawn.
struct PreparedScene: Sendable {
  var key: SceneKey
  var scene: Scene
  var bounds: SceneBounds
  /// The atoms that are drawn.
  var atomCount: Int
  /// How much is selected; nil where nothing is to be.
  var selected: (atoms: Int, residues: Int)?
  /// What the colours mean.
  var legend: ColorLegend?
  /// Something the picture lacks that one may expect.
  var note: String?
}

/// One picture to draw.
struct RenderRequest: Sendable {
  var key: SceneKey
  var molecule: Molecule
  /// What stands out; nil for all alike.
  var selection: Selection?
  /// The scene, if it is ready.
  var prepared: PreparedScene?
  /// The camera; nil to frame the scene, with what was kept of an earlier run laid over.
  var camera: Camera?
  var kept: ViewerState.Pose?
  var viewport: Viewport
  /// Whether speed counts more than smooth edges.
  var isMoving: Bool
  /// What is drawn besides the molecule.
  var extras = SceneExtras()
}

/// A picture that was drawn.
struct RenderResult: Sendable {
  var prepared: PreparedScene
  var camera: Camera
  var viewport: Viewport
  var isMoving: Bool
  var picture: Picture
  /// How long drawing took, the making of the scene not counted.
  var seconds: Double
}

/// Draws on a thread of its own; keeps the buffers from one picture to the next.
final class RenderWorker: Sendable {
  private let rasterizer = Mutex(Rasterizer())
  private let marked = MarkedScene()
  private let now: @Sendable () -> Instant

  init(now: @escaping @Sendable () -> Instant) {
    self.now = now
  }

  /// Draws a request.
  ///
  /// - Throws: `CancellationError` soon after cancellation.
  func draw(_ request: RenderRequest, _ progress: any WorkProgress) throws -> RenderResult {
    let prepared = try request.prepared ?? prepare(request, progress)
    try progress.checkCancellation()
    let camera = request.camera ?? Self.framing(prepared.bounds, request.kept)
    var style = RenderStyle()
    // Nothing behind it: the terminal's own background shows, and a frame as text shows the shape.
    style.background = nil
    style.samples = request.isMoving ? 1 : RenderStyle.screen(request.viewport).samples
    let reports = !request.isMoving
    let scene = marked.scene(of: prepared, marks: request.extras.marks)
    let start = now()
    let picture = rasterizer.withLock { rasterizer in
      rasterizer.picture(of: scene, from: camera, onto: request.viewport, style: style) { share in
        if reports { progress.report(Progress("drawing", fraction: share)) }
        return !progress.isCancelled
      }
    }
    guard let picture else { throw CancellationError() }
    return RenderResult(
      prepared: prepared, camera: camera, viewport: request.viewport, isMoving: request.isMoving, picture: picture,
      seconds: now().seconds(since: start))
  }

  /// Makes the scene, which for a surface takes a while and can be cancelled.
  private func prepare(_ request: RenderRequest, _ progress: any WorkProgress) throws -> PreparedScene {
    let key = request.key
    let molecule = request.molecule
    let geometry = MoleculeGeometry(
      molecule.structure, model: key.model, bonds: molecule.bonds(ofModel: key.model), mode: key.mode,
      scheme: key.scheme)
    let first = SceneBuilder(mode: key.mode, scheme: key.scheme).scene(of: geometry) { share in
      if key.mode == .surface { progress.report(Progress("surface", fraction: share)) }
      return !progress.isCancelled
    }
    guard let first, let scene = request.extras.scene(first, mode: key.mode, { progress.isCancelled }) else {
      throw CancellationError()
    }
    var prepared = PreparedScene(
      key: key, scene: scene, bounds: scene.bounds, atomCount: request.extras.atomCount(geometry.positions.count),
      legend: ColorLegend.of(molecule.structure, model: key.model, mode: key.mode, scheme: key.scheme),
      note: geometry.note(on: key.mode))
    if let selection = request.selection { highlight(selection, in: &prepared, molecule.structure) }
    return prepared
  }

  /// Lets the selected atoms stand out and counts them.
  private func highlight(_ selection: Selection, in prepared: inout PreparedScene, _ structure: Structure) {
    let atoms = selection.atoms(of: structure, model: prepared.key.model)
    let residues = structure.models[safe: prepared.key.model]?.residues ?? 0..<0
    let touched = residues.count { atoms.intersects(structure.residues[$0].atoms) }
    prepared.selected = (atoms.count, touched)
    prepared.scene = prepared.scene.highlighting(atoms)
  }

  /// The atom at a pixel of the last picture, or nil where there is none.
  func atom(x: Int, y: Int) -> Int? { rasterizer.withLock { $0.atom(x: x, y: y) } }

  private static func framing(_ bounds: SceneBounds, _ pose: ViewerState.Pose?) -> Camera {
    var camera = Camera(framing: bounds)
    guard let pose else { return camera }
    camera.take(pose)
    return camera
  }
}
