import PluginAPI
import Synchronization

/// The parameters of a scene, which is reused while they are unchanged.
struct SceneKey: Hashable, Sendable {
  /// The number of the molecule among those shown by a viewer.
  var loading: Int
  /// The model index, 0-based.
  var model: Int
  var mode: RenderMode
  var scheme: ColorScheme?
  var copies = SceneCopies.deposited
  /// The version of the selection in `ViewerSelection`.
  var selection = 0
  /// The version of the other structures shown.
  var others = 0
  /// The screen's background, to which unselected and distant parts fade.
  var background = RGBColor.black
}

/// A scene that is ready to be drawn.
struct PreparedScene: Sendable {
  var key: SceneKey
  var scene: InstancedScene
  var bounds: SceneBounds { scene.bounds }
  /// The number of atoms of the visible molecules, including those of every copy.
  var atomCount: Int
  /// The drawn atoms of the active molecule.
  var drawn: DrawnAtoms
  /// The number of selected atoms and residues; nil if there is no selection.
  var selected: (atoms: Int, residues: Int)?
  /// The meaning of the colors.
  var legend: ColorLegend?
  /// A note on something expected that the picture lacks.
  var note: String?
}

/// One picture to draw.
struct RenderRequest: Sendable {
  var key: SceneKey
  var molecule: Molecule
  /// The highlighted selection; nil for none.
  var selection: Selection?
  /// The scene, if it is ready.
  var prepared: PreparedScene?
  /// The camera; nil to frame the scene as drawn, from the viewpoint of `pose`.
  var camera: Camera?
  var pose: ViewerState.Pose?
  /// The number of frames requested by the viewer.
  var framing = 0
  var viewport: Viewport
  /// The quality of the picture.
  var quality: RenderQuality
  /// A Boolean value indicating whether the picture is a quick draft: a better one follows at once.
  var isDraft = false
  /// The settings of light, outlines and fog.
  var effects = RenderEffects()
  /// The additional parts of the scene.
  var extras = SceneExtras()
}

/// A drawn picture.
struct RenderResult: Sendable {
  var prepared: PreparedScene
  var camera: Camera
  /// The framing number of the request.
  var framing: Int
  var viewport: Viewport
  var quality: RenderQuality
  var isDraft: Bool
  var picture: Picture
  /// The drawing time, excluding the preparation of the scene.
  var seconds: Double
}

/// Draws on its own threads; reuses its buffers between pictures.
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
    try progress.checkCancellation()
    let prepared = try request.prepared ?? prepare(request, progress)
    try progress.checkCancellation()
    let camera = request.camera ?? Self.camera(framing: prepared.scene, request.pose)
    var style = request.quality.style(request.viewport)
    request.effects.apply(to: &style)
    // No background: the terminal's own background shows, and a frame as text shows the shape.
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
      quality: request.quality, isDraft: request.isDraft, picture: picture, seconds: now().seconds(since: start))
  }

  /// Prepares the scene, which takes a while for a surface and can be canceled.
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
      scene: scene, copies: copies, atoms: geometry.identifiers, chosen: chosen?.highlighted,
      background: key.background)
    guard let placed = request.extras.scene(first, mode: key.mode, { progress.isCancelled }) else {
      throw CancellationError()
    }
    let drawn =
      request.extras.isFirstVisible
      ? DrawnAtoms(
        geometry, of: molecule.structure, model: key.model, mode: key.mode, highlighted: chosen?.highlighted,
        copies: copies)
      : DrawnAtoms(noneOf: molecule.structure, model: key.model)
    return PreparedScene(
      key: key, scene: placed.scene, atomCount: placed.atomCount, drawn: drawn, selected: chosen?.count,
      legend: key.scheme.flatMap { ColorLegend.of(molecule.structure, scheme: $0, drawn: drawn) },
      note: (key.scheme == .plddt ? molecule.structure.doubtAboutConfidence(ofModel: key.model) : nil)
        ?? geometry.note(on: key.mode))
  }

  /// Returns the atom at a pixel of the last picture, or nil if there is none.
  func atom(x: Int, y: Int) -> Int? { rasterizer.withLock { $0.atom(x: x, y: y) } }

  private static func camera(framing scene: InstancedScene, _ pose: ViewerState.Pose?) -> Camera {
    guard let pose else { return Camera(framing: scene) }
    var camera = Camera(framing: scene, orientation: Rotation(kept: pose.orientation))
    camera.take(pose)
    return camera
  }
}

/// The highlighted atoms of a model, and their counts.
private struct Chosen {
  /// The atoms; nil if there are none, since nothing is highlighted or faded then.
  let highlighted: AtomSelection?
  /// The number of atoms, and of residues with any of them.
  let count: (atoms: Int, residues: Int)

  init(_ selection: Selection, of structure: Structure, model: Int) {
    let atoms = selection.atoms(of: structure, model: model)
    let residues = structure.models[safe: model]?.residues ?? 0..<0
    highlighted = atoms.isEmpty ? nil : atoms
    count = (atoms.count, residues.count { atoms.intersects(structure.residues[$0].atoms) })
  }
}

/// Adds marks to scenes; caches the last result, so that rotation rebuilds nothing.
private final class MarkedScene: Sendable {
  private struct Entry {
    var key: SceneKey
    var marks: [Sphere]
    var scene: InstancedScene
  }

  private let cache = Mutex<Entry?>(nil)

  /// Returns the scene with marks.
  ///
  /// - Complexity: O(n log n) in the marks if they or the scene changed since the last call, else constant.
  func scene(of prepared: PreparedScene, marks: [Sphere]) -> InstancedScene {
    if marks.isEmpty { return prepared.scene }
    return cache.withLock { cached in
      if let cached, cached.key == prepared.key, cached.marks == marks { return cached.scene }
      var scene = prepared.scene
      scene.add(InstancedScene.Part(SceneGeometry(Scene(spheres: marks))))
      cached = Entry(key: prepared.key, marks: marks, scene: scene)
      return scene
    }
  }
}

/// The render quality: lower if there is less time.
///
/// A still picture has smooth edges. While a molecule rotates, the quality decreases as long as pictures take too long,
/// and increases again when there is time to spare.
enum RenderQuality: Int, CaseIterable, Comparable, Sendable {
  /// Small parts merged, no ambient occlusion.
  case coarse
  /// Small parts merged.
  case plain
  /// One sample per pixel.
  case moving
  /// Smooth edges.
  case still

  static func < (one: RenderQuality, other: RenderQuality) -> Bool { one.rawValue < other.rawValue }

  /// The drawing time in seconds above which pictures are too slow for animation.
  private static let slow = 1.0 / 45

  /// The drawing time in seconds below which there is time for the next better quality.
  private var fast: Double { self == .moving ? Self.slow / 12 : Self.slow / 2.5 }

  /// Returns the quality of the next picture during motion, after one of this quality that took some seconds.
  func next(after seconds: Double) -> RenderQuality {
    if seconds > Self.slow { return RenderQuality(rawValue: rawValue - 1) ?? .coarse }
    if seconds < fast { return RenderQuality(rawValue: rawValue + 1) ?? .still }
    return self
  }

  /// Returns the style of a picture of this quality.
  func style(_ viewport: Viewport) -> RenderStyle {
    var style = RenderStyle.screen(viewport)
    if self == .still { return style }
    style.samples = 1
    style.hasFineOcclusion = false
    style.detail = self < .moving ? 1.5 : 0.75
    if self == .coarse {
      style.detail = 2.5
      style.occlusion = 0
    }
    return style
  }
}

/// The parts of the scene in addition to the active molecule.
struct SceneExtras: Sendable {
  /// The molecules shown together with it.
  var others: [ShownStructure] = []
  /// A Boolean value indicating whether the active molecule itself is visible.
  var isFirstVisible = true
  /// Balls that mark atoms; they are not part of the molecule.
  var marks: [Sphere] = []

  /// Returns the scene of the molecule together with those of the visible other ones.
  ///
  /// - Parameters:
  ///   - first: The active molecule, on which keys act.
  ///   - mode: The drawing mode of all of them.
  ///   - isCancelled: Returns true if the scene is no longer needed.
  /// - Returns: The scene, each molecule a part of its own, and the number of their atoms, including those of every
  ///   copy; nil if it was canceled.
  /// - Complexity: That of building the scenes of the others.
  fileprivate func scene(
    _ first: FirstStructure, mode: RenderMode, _ isCancelled: @escaping () -> Bool
  ) -> (scene: InstancedScene, atomCount: Int)? {
    var scenes: [InstancedScene] = []
    var atomCount = 0
    if isFirstVisible {
      scenes.append(first.copies.map { InstancedScene(first.shown, copies: $0) } ?? InstancedScene(first.shown))
      atomCount = first.copies?.count(ofAtoms: first.atoms) ?? first.atoms.count
    }
    for other in others where other.isVisible {
      guard let (scene, count) = other.scene(mode, isCancelled) else { return nil }
      // If some atoms are highlighted, the other molecules are not.
      scenes.append(InstancedScene(first.faded(scene), at: other.motion.map { Placement($0) } ?? .identity))
      atomCount += count
    }
    return (InstancedScene(joining: scenes), atomCount)
  }
}

/// The active molecule, before it is drawn.
private struct FirstStructure {
  /// The model as deposited.
  var scene: Scene
  /// The placements of its copies; nil for the model as deposited.
  var copies: AssemblyInstances?
  /// Its atoms in one copy, ascending: those of the most occupied conformers.
  var atoms: [Int32]
  /// The highlighted atoms; nil for none.
  var chosen: AtomSelection?
  /// The screen's background.
  var background = RGBColor.black

  /// The scene as shown, with unselected parts faded.
  var shown: Scene { faded(scene) }

  /// Returns a scene with its unselected parts faded to the background, if there is a selection.
  func faded(_ scene: Scene) -> Scene {
    chosen.map { scene.highlighting($0, on: background) } ?? scene
  }
}

extension ShownStructure {
  /// Returns its scene as deposited and the number of its atoms; they have no numbers in the scene, since those belong
  /// to the first molecule.
  fileprivate func scene(_ mode: RenderMode, _ isCancelled: @escaping () -> Bool) -> (scene: Scene, atomCount: Int)? {
    let scheme: ColorScheme? = if case .scheme(let scheme) = coloring { scheme } else { nil }
    let geometry = MoleculeGeometry(
      molecule.structure, model: 0, bonds: molecule.bonds(ofModel: 0), mode: mode, scheme: scheme)
    let work = DrawingThreads.shared.work
    let made = SceneBuilder(mode: mode, scheme: scheme).scene(of: geometry, work: work) { _ in !isCancelled() }
    guard var scene = made else { return nil }
    scene.forget(color: coloring == .single ? color : nil)
    return (scene, geometry.positions.count)
  }
}

extension Scene {
  /// Removes the atom numbers, and colors everything if a color is given.
  fileprivate mutating func forget(color: RGBColor?) {
    for index in spheres.indices {
      spheres[index].atom = -1
      if let color { spheres[index].color = color }
    }
    for index in cylinders.indices {
      (cylinders[index].startAtom, cylinders[index].endAtom) = (-1, -1)
      if let color { (cylinders[index].startColor, cylinders[index].endColor) = (color, color) }
    }
    mesh.forget(color: color)
  }
}

extension TriangleMesh {
  fileprivate mutating func forget(color: RGBColor?) {
    for index in atoms.indices { atoms[index] = -1 }
    guard let color else { return }
    for index in colors.indices { colors[index] = color }
  }
}
