import PluginAPI

/// How a molecule is drawn once, with smooth edges.
struct StillPicture: Sendable {
  /// What lies behind the molecule.
  enum Background: String, CaseIterable, Sendable {
    case black, white, none

    /// The colour; nil for a transparent picture.
    var color: RGBColor? {
      switch self {
      case .black: .black
      case .white: .white
      case .none: nil
      }
    }
  }

  /// The size in pixels, which are square.
  var size: Size
  /// The mode; nil for the one that `firstPicture` chooses.
  var mode: RenderMode?
  /// The rule for the mode of a molecule.
  var firstPicture = FirstPicture.standard
  /// The colours; nil for those of the mode.
  var scheme: ColorScheme?
  /// Turns about x, y and z in degrees, in this order, from the view along the longest axis.
  var rotation = SIMD3<Float>.zero
  var zoom: Float = 1
  var background = Background.none
  /// What is drawn; nil for all.
  var selection: AtomSelection?
  var effects = RenderEffects()
  /// Which copies of the model are drawn.
  var copies = SceneCopies.deposited
  /// The models drawn over each other, 0-based; those that do not exist are passed over.
  var models = [0]
  /// Whether hollows are darkened as light from all sides would leave them, which takes longer.
  var isBest = false
  /// How the work is done.
  var work = ParallelWork.serial
  /// What is written over the molecule.
  var labels = LabelKind.none
  /// The meaning of the colors, written in a corner; nil for none.
  var legend: ColorLegend?
  /// Draws labels and legend with a font; nil for the bitmap font.
  var drawsOverlay: PictureOverlay.Drawing?
  /// A turn of the whole about the vertical axis of the picture, in degrees, after the others; nil if it never turns.
  ///
  /// Pictures of all turns show the scene at the same size.
  var spin: Float?

  /// From so many directions light comes in the best pictures.
  ///
  /// - Source: Molecules 2.x.
  private static let bestDirections = 44

  init(size: Size) {
    self.size = size
  }

  /// Draws models of a molecule.
  ///
  /// - Parameters:
  ///   - molecule: What is drawn.
  ///   - progress: Called with the share done, 0 to 1; answers whether to go on.
  /// - Returns: The picture, or nil when the closure asked to stop.
  func draw(_ molecule: Molecule, progress: ((Double) -> Bool)? = nil) -> Picture? {
    guard let scene = scene(of: molecule, progress: progress) else { return nil }
    return draw(scene, labels: labels(of: molecule, model: models.first ?? 0), progress: progress)
  }

  /// Draws a scene that is made, with labels over it.
  func draw(_ scene: InstancedScene, labels: [SceneLabel], progress: ((Double) -> Bool)? = nil) -> Picture? {
    var camera = Camera(framing: scene)
    camera.turn(right: 0, down: rotation.x)
    camera.turn(right: rotation.y, down: 0)
    camera.roll(degrees: rotation.z)
    camera.fit(scene, isSpinning: spin != nil)
    if let spin { camera.turn(right: spin, down: 0) }
    camera.zoom(by: zoom)
    var style = RenderStyle.still
    style.background = background.color
    if isBest { style.occlusionDirections = Self.bestDirections }
    effects.apply(to: &style)
    let viewport = Viewport(width: size.width, height: size.height)
    var rasterizer = Rasterizer()
    let drawn = rasterizer.picture(
      of: scene, from: camera, onto: viewport, style: style, work: work, progress: progress)
    guard let picture = drawn else { return nil }
    return LabelPainter(for: size).written(labels, legend, over: picture, from: camera, by: drawsOverlay)
  }

  /// The mode in which a model of a molecule is drawn: as wanted, or as suits what is drawn of it.
  func mode(for molecule: Molecule, model: Int) -> RenderMode {
    if let mode { return mode }
    let models = molecule.structure.models
    // So many atoms are not small, whatever their alternate locations are; their bonds are not needed to know.
    let isLarge = selection == nil && models.indices.contains(model) && models[model].atoms.count > 10_000
    let geometry =
      isLarge
      ? nil
      : MoleculeGeometry(
        molecule.structure, model: model, selection: selection, bonds: molecule.bonds(ofModel: model))
    return firstPicture.mode(
      of: molecule.structure, model: model, selection: selection, atomCount: geometry?.positions.count ?? .max,
      bondCount: geometry?.bonds.count ?? 0)
  }

  /// What is drawn of a model in a mode.
  func geometry(of molecule: Molecule, model: Int, mode: RenderMode) -> MoleculeGeometry {
    MoleculeGeometry(
      molecule.structure, model: model, selection: selection,
      bonds: mode == .spacefilling ? [] : molecule.bonds(ofModel: model), mode: mode, scheme: scheme)
  }

  /// The labels of what is drawn of a model.
  func labels(of molecule: Molecule, model: Int) -> [SceneLabel] {
    if labels == .none { return [] }
    return SceneLabel.labels(
      labels, in: mode(for: molecule, model: model), of: molecule.structure, model: model, selection: selection)
  }

  /// The scene of the models in their copies; nil when the closure asked to stop.
  func scene(of molecule: Molecule, progress: ((Double) -> Bool)?) -> InstancedScene? {
    var parts: [InstancedScene.Part] = []
    for model in models {
      guard let scene = scene(of: molecule, model: model, progress: progress) else { return nil }
      let copies = copies.instances(of: molecule.structure, model: model)
      let placed = copies.map { InstancedScene(scene, copies: $0) } ?? InstancedScene(scene)
      if models.count == 1 { return placed }
      parts += placed.parts
    }
    return InstancedScene(parts)
  }

  /// The scene of a model as it is in the file; nil when the closure asked to stop.
  private func scene(of molecule: Molecule, model: Int, progress: ((Double) -> Bool)?) -> Scene? {
    let mode = mode(for: molecule, model: model)
    let geometry = geometry(of: molecule, model: model, mode: mode)
    return SceneBuilder(mode: mode, scheme: scheme)
      .scene(of: geometry, work: work, progress: progress ?? { _ in true })
  }
}
