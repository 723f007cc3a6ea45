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
  var copies = SceneCopies.deposited
  /// Which selection, as `ViewerSelection` counts them.
  var selection = 0
  /// The version of what is shown together with it.
  var others = 0
  /// The screen's background, which unselected and far parts fade to.
  var background = RGBColor.black
}

/// A scene that is ready to be drawn.
struct PreparedScene: Sendable {
  var key: SceneKey
  var scene: InstancedScene
  var bounds: SceneBounds { scene.bounds }
  /// The atoms that are drawn, those of every copy counted.
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
  /// The camera; nil to frame the scene as it is drawn now, from where `pose` says.
  var camera: Camera?
  var pose: ViewerState.Pose?
  /// The number of times that the viewer asked for a new frame.
  var framing = 0
  var viewport: Viewport
  /// How good the picture shall be.
  var quality: RenderQuality
  /// Whether the picture is there only to be seen soon: the better one follows at once.
  var isDraft = false
  /// How light, outlines and fog are laid on.
  var effects = RenderEffects()
  /// What is drawn besides the molecule.
  var extras = SceneExtras()
}

/// A picture that was drawn.
struct RenderResult: Sendable {
  var prepared: PreparedScene
  var camera: Camera
  /// That of the request.
  var framing: Int
  var viewport: Viewport
  var quality: RenderQuality
  var isDraft: Bool
  var picture: Picture
  /// How long drawing took, the making of the scene not counted.
  var seconds: Double
}

/// Draws on threads of its own; keeps the buffers from one picture to the next.
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
    let camera = request.camera ?? Self.camera(framing: prepared.scene, request.pose)
    var style = request.quality.style(request.viewport)
    request.effects.apply(to: &style)
    // Nothing behind it: the terminal's own background shows, and a frame as text shows the shape.
    style.background = nil
    style.fadeColor = request.key.background
    let reports = request.quality == .still
    let scene = marked.scene(of: prepared, marks: request.extras.marks)
    let start = now()
    let picture = rasterizer.withLock { rasterizer in
      rasterizer.picture(
        of: scene, from: camera, onto: request.viewport, style: style, work: DrawingThreads.shared.work
      ) { share in
        if reports { progress.report(Progress("drawing", fraction: share)) }
        return !progress.isCancelled
      }
    }
    guard let picture else { throw CancellationError() }
    return RenderResult(
      prepared: prepared, camera: camera, framing: request.framing, viewport: request.viewport,
      quality: request.quality,
      isDraft: request.isDraft, picture: picture, seconds: now().seconds(since: start))
  }

  /// Makes the scene, which for a surface takes a while and can be cancelled.
  private func prepare(_ request: RenderRequest, _ progress: any WorkProgress) throws -> PreparedScene {
    let key = request.key
    let molecule = request.molecule
    let bonds = key.mode == .spacefilling ? [] : molecule.bonds(ofModel: key.model)
    let geometry = MoleculeGeometry(
      molecule.structure, model: key.model, bonds: bonds, mode: key.mode, scheme: key.scheme)
    let work = DrawingThreads.shared.work
    let chosen = request.selection.map { Chosen($0, of: molecule.structure, model: key.model) }
    let builder = SceneBuilder(mode: key.mode, scheme: key.scheme, highlighted: chosen?.highlighted)
    let scene = builder.scene(of: geometry, work: work) { share in
      if key.mode == .surface { progress.report(Progress("surface", fraction: share)) }
      return !progress.isCancelled
    }
    guard let scene else { throw CancellationError() }
    let copies = key.copies.instances(of: molecule.structure, model: key.model)
    let first = FirstStructure(
      scene: scene, copies: copies, chosen: chosen?.highlighted, background: key.background)
    guard let placed = request.extras.scene(first, mode: key.mode, { progress.isCancelled }) else {
      throw CancellationError()
    }
    let atomCount = request.extras.atomCount(copies?.atomCount ?? geometry.positions.count)
    return PreparedScene(
      key: key, scene: placed, atomCount: atomCount, selected: chosen?.count,
      legend: ColorLegend.of(molecule.structure, model: key.model, mode: key.mode, scheme: key.scheme),
      note: (key.scheme == .plddt ? molecule.structure.doubtAboutConfidence(ofModel: key.model) : nil)
        ?? geometry.note(on: key.mode))
  }

  /// The atom at a pixel of the last picture, or nil where there is none.
  func atom(x: Int, y: Int) -> Int? { rasterizer.withLock { $0.atom(x: x, y: y) } }

  private static func camera(framing scene: InstancedScene, _ pose: ViewerState.Pose?) -> Camera {
    guard let pose else { return Camera(framing: scene) }
    var camera = Camera(framing: scene, orientation: Rotation(kept: pose.orientation))
    camera.take(pose)
    return camera
  }
}

/// The atoms of a model that stand out, and how much they are.
private struct Chosen {
  /// The atoms; nil where there are none, since nothing stands out then and nothing is faded.
  let highlighted: AtomSelection?
  /// Atoms, and residues that have any of them.
  let count: (atoms: Int, residues: Int)

  init(_ selection: Selection, of structure: Structure, model: Int) {
    let atoms = selection.atoms(of: structure, model: model)
    let residues = structure.models[safe: model]?.residues ?? 0..<0
    highlighted = atoms.isEmpty ? nil : atoms
    count = (atoms.count, residues.count { atoms.intersects(structure.residues[$0].atoms) })
  }
}
