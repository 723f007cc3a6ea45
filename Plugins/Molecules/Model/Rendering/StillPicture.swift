import PluginAPI

/// The settings for drawing a molecule once, with smooth edges.
struct StillPicture: Sendable {
  /// The background of the picture.
  enum Background: String, CaseIterable, ParameterValue {
    case black, white, none

    /// The color; nil for a transparent picture.
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
  /// The mode; nil for the one chosen by `firstPicture`.
  var mode: RenderMode?
  /// The rule for the mode of a molecule.
  var firstPicture = FirstPicture.standard
  /// The color scheme; nil for that of the mode.
  var scheme: ColorScheme?
  /// The rotations about x, y and z in degrees, in this order, from the view along the longest axis.
  var rotation = SIMD3<Float>.zero
  var zoom: Float = 1
  var background = Background.none
  /// The drawn atoms; nil for all.
  var selection: AtomSelection?
  var effects = RenderEffects()
  /// The copies of the model to draw.
  var copies = SceneCopies.deposited
  /// The models drawn over each other, 0-based; those that do not exist are skipped.
  var models = [0]
  /// A Boolean value indicating whether ambient occlusion is drawn, which takes longer.
  var isBest = false
  /// The execution of the work, serial or parallel.
  var work = ParallelWork.serial
  /// The labels drawn over the molecule.
  var labels = LabelKind.none
  /// The legend of the colors, drawn in a corner; nil for none.
  var legend: ColorLegend?
  /// The function that draws labels and legend with a font; nil for the bitmap font.
  var drawsOverlay: PictureOverlay.Drawing?
  /// A final rotation about the vertical axis of the picture, in degrees; nil if the molecule never spins.
  ///
  /// All pictures of a spin show the scene at the same size.
  var spin: Float?

  /// The number of directions of light in the best pictures.
  ///
  /// - Source: Molecules 2.x.
  private static let bestDirections = 44

  init(size: Size) {
    self.size = size
  }

  /// Draws models of a molecule.
  ///
  /// - Parameter progress: Called with the fraction done, 0 to 1; returns whether to continue.
  /// - Returns: The picture, or nil if `progress` returned false.
  func draw(_ molecule: Molecule, progress: ((Double) -> Bool)? = nil) -> Picture? {
    guard let scene = scene(of: molecule, progress: progress) else { return nil }
    return draw(scene, labels: labels(of: molecule, model: models.first ?? 0), progress: progress)
  }

  /// Draws a prepared scene with labels over it.
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

  /// Returns the mode in which a model of a molecule is drawn: the chosen one, or the one that suits the drawn atoms.
  func mode(for molecule: Molecule, model: Int) -> RenderMode {
    if let mode { return mode }
    let models = molecule.structure.models
    // With this many atoms a molecule is large whatever its alternate locations are; its bonds need not be found.
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

  /// Returns the geometry of a model in a mode.
  func geometry(of molecule: Molecule, model: Int, mode: RenderMode) -> MoleculeGeometry {
    MoleculeGeometry(
      molecule.structure, model: model, selection: selection,
      bonds: mode == .spacefilling ? [] : molecule.bonds(ofModel: model), mode: mode, scheme: scheme)
  }

  /// Returns the atoms of a model that the picture shows.
  func drawnAtoms(of molecule: Molecule, model: Int) -> DrawnAtoms {
    DrawnAtoms(
      molecule.structure, model: model, selection: selection, mode: mode(for: molecule, model: model),
      copies: copies.instances(of: molecule.structure, model: model))
  }

  /// Returns the labels of the drawn part of a model.
  func labels(of molecule: Molecule, model: Int) -> [SceneLabel] {
    if labels == .none { return [] }
    return SceneLabel.labels(labels, of: molecule.structure, drawn: drawnAtoms(of: molecule, model: model))
  }

  /// Returns the scene of the models in their copies; nil if `progress` returned false.
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

  /// Returns the scene of a model as deposited; nil if `progress` returned false.
  private func scene(of molecule: Molecule, model: Int, progress: ((Double) -> Bool)?) -> Scene? {
    let mode = mode(for: molecule, model: model)
    let geometry = geometry(of: molecule, model: model, mode: mode)
    return SceneBuilder(mode: mode, scheme: scheme)
      .scene(of: geometry, work: work, progress: progress)
  }
}
