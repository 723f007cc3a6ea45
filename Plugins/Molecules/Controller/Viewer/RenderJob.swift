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
  private let now: @Sendable () -> Instant

  init(now: @escaping @Sendable () -> Instant) {
    self.now = now
  }

  /// Draws a request.
  ///
  /// - Throws: `CancellationError` soon after cancellation.
  func draw(_ request: RenderRequest, _ progress: any WorkProgress) throws -> RenderResult {
    let prepared = request.prepared ?? prepare(request)
    try progress.checkCancellation()
    let camera = request.camera ?? Self.framing(prepared.bounds, request.kept)
    var style = RenderStyle()
    // Nothing behind it: the terminal's own background shows, and a frame as text shows the shape.
    style.background = nil
    style.samples = request.isMoving ? 1 : RenderStyle.screen(request.viewport).samples
    let reports = !request.isMoving
    let start = now()
    let picture = rasterizer.withLock { rasterizer in
      rasterizer.picture(of: prepared.scene, from: camera, onto: request.viewport, style: style) { share in
        if reports { progress.report(Progress("drawing", fraction: share)) }
        return !progress.isCancelled
      }
    }
    guard let picture else { throw CancellationError() }
    return RenderResult(
      prepared: prepared, camera: camera, viewport: request.viewport, isMoving: request.isMoving, picture: picture,
      seconds: now().seconds(since: start))
  }

  private func prepare(_ request: RenderRequest) -> PreparedScene {
    let key = request.key
    let molecule = request.molecule
    let geometry = MoleculeGeometry(
      molecule.structure, model: key.model, bonds: molecule.bonds(ofModel: key.model))
    let scene = SceneBuilder(mode: key.mode, scheme: key.scheme).scene(of: geometry)
    var prepared = PreparedScene(key: key, scene: scene, bounds: scene.bounds, atomCount: geometry.positions.count)
    if let selection = request.selection {
      let structure = molecule.structure
      let atoms = selection.atoms(of: structure, model: key.model)
      let residues = structure.models[key.model].residues.count { atoms.intersects(structure.residues[$0].atoms) }
      prepared.selected = (atoms.count, residues)
      prepared.scene = scene.highlighting(atoms)
    }
    return prepared
  }

  private static func framing(_ bounds: SceneBounds, _ pose: ViewerState.Pose?) -> Camera {
    var camera = Camera(framing: bounds)
    guard let pose else { return camera }
    camera.orientation = Rotation(pose.orientation)
    camera.zoom(by: pose.zoom)
    camera.pan = pose.pan
    return camera
  }
}
