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
    var camera = Camera(framing: scene.bounds)
    camera.turn(right: 0, down: rotation.x)
    camera.turn(right: rotation.y, down: 0)
    camera.roll(degrees: rotation.z)
    camera.zoom(by: zoom)
    var style = RenderStyle.still
    style.background = background.color
    let viewport = Viewport(width: size.width, height: size.height)
    var rasterizer = Rasterizer()
    return rasterizer.picture(of: scene, from: camera, onto: viewport, style: style, progress: progress)
  }

  /// The scene of a model; nil when the closure asked to stop.
  func scene(of molecule: Molecule, model: Int, progress: ((Double) -> Bool)?) -> Scene? {
    let bonds = molecule.bonds(ofModel: model)
    let atoms = molecule.structure.models.indices.contains(model) ? molecule.structure.models[model].atoms.count : 0
    let mode = mode ?? .standard(atomCount: selection?.count ?? atoms, bondCount: bonds.count)
    let geometry = MoleculeGeometry(
      molecule.structure, model: model, selection: selection, bonds: bonds, mode: mode, scheme: scheme)
    return SceneBuilder(mode: mode, scheme: scheme).scene(of: geometry, progress: progress ?? { _ in true })
  }
}
