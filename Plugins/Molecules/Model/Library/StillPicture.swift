import PluginAPI

/// How a molecule is drawn once, with smooth edges.
struct StillPicture: Equatable, Sendable {
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
  /// The mode; nil for the one that suits the molecule.
  var mode: RenderMode?
  /// The colours; nil for those of the mode.
  var scheme: ColorScheme?
  /// Turns about x, y and z in degrees, in this order, from the view along the longest axis.
  var rotation = SIMD3<Float>.zero
  var zoom: Float = 1
  var background = Background.none
  /// What is drawn; nil for all.
  var selection: AtomSelection?
  /// What is written over the molecule.
  var labels = LabelKind.none
  /// A turn of the whole about the vertical axis of the picture, in degrees, after the others.
  var spin: Float = 0

  init(size: Size) {
    self.size = size
  }

  /// Draws a model of a molecule.
  ///
  /// - Parameters:
  ///   - molecule: What is drawn.
  ///   - model: Model index, 0-based.
  ///   - progress: Called with the share done, 0 to 1; answers whether to go on.
  /// - Returns: The picture, or nil when the closure asked to stop.
  func draw(_ molecule: Molecule, model: Int, progress: ((Double) -> Bool)? = nil) -> Picture? {
    guard let scene = scene(of: molecule, model: model, progress: progress) else { return nil }
    return draw(scene, labels: labels(of: molecule, model: model), progress: progress)
  }

  /// Draws a scene that is made, with labels over it.
  func draw(_ scene: Scene, labels: [SceneLabel], progress: ((Double) -> Bool)? = nil) -> Picture? {
    var camera = Camera(framing: scene.bounds)
    camera.turn(right: 0, down: rotation.x)
    camera.turn(right: rotation.y, down: 0)
    camera.roll(degrees: rotation.z)
    if spin != 0 { camera.turn(right: spin, down: 0) }
    camera.zoom(by: zoom)
    var style = RenderStyle.still
    style.background = background.color
    let viewport = Viewport(width: size.width, height: size.height)
    var rasterizer = Rasterizer()
    let drawn = rasterizer.picture(of: scene, from: camera, onto: viewport, style: style, progress: progress)
    guard var picture = drawn, !labels.isEmpty else { return drawn }
    LabelPainter(for: size).paint(labels, from: camera, into: &picture)
    return picture
  }

  /// How a molecule is drawn: as wanted, or as suits what is drawn of it.
  func mode(for molecule: Molecule, model: Int) -> RenderMode {
    if let mode { return mode }
    let models = molecule.structure.models
    // So many atoms are spacefilling whatever their alternate locations are.
    if selection == nil, models.indices.contains(model), models[model].atoms.count > 10_000 { return .spacefilling }
    let geometry = MoleculeGeometry(
      molecule.structure, model: model, selection: selection, bonds: molecule.bonds(ofModel: model))
    return .standard(atomCount: geometry.positions.count, bondCount: geometry.bonds.count)
  }

  /// What is drawn of a model in a mode.
  func geometry(of molecule: Molecule, model: Int, mode: RenderMode) -> MoleculeGeometry {
    MoleculeGeometry(
      molecule.structure, model: model, selection: selection, bonds: molecule.bonds(ofModel: model), mode: mode,
      scheme: scheme)
  }

  /// The labels of what is drawn of a model.
  func labels(of molecule: Molecule, model: Int) -> [SceneLabel] {
    if labels == .none { return [] }
    return SceneLabel.labels(labels, of: molecule.structure, model: model, selection: selection)
  }

  /// The scene of a model; nil when the closure asked to stop.
  func scene(of molecule: Molecule, model: Int, progress: ((Double) -> Bool)?) -> Scene? {
    let mode = mode(for: molecule, model: model)
    let geometry = geometry(of: molecule, model: model, mode: mode)
    return SceneBuilder(mode: mode, scheme: scheme).scene(of: geometry, progress: progress ?? { _ in true })
  }
}
