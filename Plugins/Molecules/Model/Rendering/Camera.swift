/// An orthographic view of a scene: what it is centred on, how it is turned, enlarged and shifted.
///
/// The camera knows no pixels: zoom and pan are fractions of the view, so that the same camera gives the same view at
/// every size. Camera space has x to the right, y up and z towards the viewer.
struct Camera: Equatable, Sendable {
  /// The point shown in the middle of the view, in ångström.
  var target: SIMD3<Float> = .zero
  /// What the view shows at zoom 1 on either side of its middle: at least this much to the right and up, in ångström.
  var extent = SIMD2<Float>(10, 10)
  /// The distance from the middle to the front and the back of the scene, in ångström, for the depth cue.
  var depthReach: Float = 10
  /// The turn from molecule space to camera space.
  var orientation: Rotation = .identity
  /// The enlargement; 1 shows the whole scene.
  private(set) var zoom: Float = 1
  /// The shift of the picture as a fraction of the shorter side of the view: x to the right, y up.
  var pan: SIMD2<Float> = .zero

  /// A Boolean value indicating whether the point in the middle was chosen by ``look(at:)``.
  private var isAimed = false

  /// The smallest and the largest zoom.
  static let zoomRange: ClosedRange<Float> = 0.02...200

  /// Makes a camera that looks along the z axis of the molecule and loses nothing of it whatever the turn.
  init(showing bounds: SceneBounds = SceneBounds(), orientation: Rotation = .identity) {
    let radius = bounds.radius > 0 ? bounds.radius : 1
    target = bounds.center
    extent = SIMD2(repeating: radius * Self.margin)
    depthReach = radius
    self.orientation = orientation
  }

  /// Creates a camera that fills the view with a scene.
  ///
  /// - Parameters:
  ///   - scene: What is seen.
  ///   - orientation: The turn; nil lays the longest axis across the view and the shortest towards the viewer.
  /// - Complexity: O(n) in the number of primitives.
  init(framing scene: InstancedScene, orientation: Rotation? = nil) {
    self.init(showing: scene.bounds, orientation: orientation ?? scene.bounds.principalOrientation)
    fit(scene)
  }

  /// Centers the view on the bounding box of the scene as it is turned, and fills the view with it.
  ///
  /// - Parameters:
  ///   - scene: What is seen.
  ///   - isSpinning: True to lose nothing while it turns about the vertical axis.
  /// - Complexity: O(n) in the number of primitives.
  mutating func fit(_ scene: InstancedScene, isSpinning: Bool = false) {
    guard let box = scene.box(turnedBy: orientation) else { return }
    let half = box.halfSize
    let middle = box.center(turnedBy: orientation)
    let across =
      isSpinning ? scene.reach(fromAxis: orientation.inverse.matrix * SIMD3(0, 1, 0), through: middle) : half.x
    frame = Frame(
      target: middle, extent: SIMD2(across, half.y) * Self.margin,
      depthReach: (scene.bounds.radius + max(half.y, half.z)) / 2)
  }

  /// The share of the view left free around a scene: a twentieth.
  private static let margin: Float = 1.05

  /// Turns about the axes of the screen, as a finger or mouse that drags the front of the molecule along.
  ///
  /// - Parameters:
  ///   - right: degrees about the vertical axis, positive when the front moves right.
  ///   - down: degrees about the horizontal axis, positive when the front moves down.
  mutating func turn(right: Float, down: Float) {
    guard right.isFinite, down.isFinite else { return }
    let turn = Rotation(about: SIMD3(0, 1, 0), degrees: right) * Rotation(about: SIMD3(1, 0, 0), degrees: down)
    orientation = turn * orientation
  }

  /// Turns in the plane of the screen by degrees, counter-clockwise when positive.
  mutating func roll(degrees: Float) {
    guard degrees.isFinite else { return }
    orientation = Rotation(about: SIMD3(0, 0, 1), degrees: degrees) * orientation
  }

  /// Enlarges by a factor about the middle of the view, within the range of zooms.
  mutating func zoom(by factor: Float) {
    guard factor.isFinite, factor > 0 else { return }
    let before = zoom
    zoom = min(max(zoom * factor, Self.zoomRange.lowerBound), Self.zoomRange.upperBound)
    pan *= zoom / before
  }

  /// Shifts the picture by fractions of the shorter side of the view, x to the right and y up.
  mutating func move(by shift: SIMD2<Float>) {
    guard shift.x.isFinite, shift.y.isFinite else { return }
    pan = (pan + shift).clamped(lowerBound: SIMD2(repeating: -panLimit), upperBound: SIMD2(repeating: panLimit))
  }

  /// Shifts beyond this many views are of no use and would cost precision.
  private var panLimit: Float { 2 * Self.zoomRange.upperBound }

  /// Turns, enlarges and shifts to what another camera had, exactly.
  mutating func look(from orientation: Rotation, zoom: Float, pan: SIMD2<Float>) {
    self.orientation = orientation
    if zoom.isFinite { self.zoom = min(max(zoom, Self.zoomRange.lowerBound), Self.zoomRange.upperBound) }
    self.pan = .zero
    move(by: pan)
  }

  /// The point a camera looks at and how much it sees at zoom 1.
  struct Frame: Equatable, Sendable {
    var target: SIMD3<Float>
    var extent: SIMD2<Float>
    var depthReach: Float
  }

  /// The point it looks at and how much it sees; a frame that cannot be drawn is ignored.
  var frame: Frame {
    get { Frame(target: target, extent: extent, depthReach: depthReach) }
    set {
      guard newValue.target.isDrawable, newValue.extent.min() > 0, newValue.depthReach > 0 else { return }
      (target, extent, depthReach) = (newValue.target, newValue.extent, newValue.depthReach)
      isAimed = false
    }
  }

  /// Shows a point in the middle of the view.
  mutating func look(at point: SIMD3<Float>) {
    guard point.isDrawable else { return }
    target = point
    isAimed = true
  }

  /// A Boolean value indicating whether the view is neither enlarged nor shifted nor aimed at a point.
  var showsAll: Bool { abs(zoom - 1) < 1e-3 && pan.max() < 1e-3 && pan.min() > -1e-3 && !isAimed }
}

/// The size of a picture to draw and the shape of its pixels.
struct Viewport: Equatable, Sendable {
  /// Width in pixels; negative sizes count as 0.
  var width: Int
  /// Height in pixels; negative sizes count as 0.
  var height: Int
  /// Height of a pixel divided by its width; 1 is square.
  var pixelAspect: Float = 1

  init(width: Int, height: Int, pixelAspect: Float = 1) {
    self.width = max(0, width)
    self.height = max(0, height)
    self.pixelAspect = pixelAspect.isFinite && pixelAspect > 0.05 && pixelAspect < 20 ? pixelAspect : 1
  }
}

/// How molecule space falls onto the pixels of one viewport; lengths are in widths of a pixel.
struct Projection: Sendable {
  /// Pixels to the ångström.
  let scale: Float
  private let matrix: RotationMatrix
  private let target: SIMD3<Float>
  private let origin: SIMD3<Float>
  /// The depth of the front and of the back of the scene, in pixels, for the depth cue.
  let depthReach: Float

  init(_ camera: Camera, onto viewport: Viewport) {
    let width = Float(viewport.width)
    let height = Float(viewport.height) * viewport.pixelAspect
    let side = min(width, height)
    let extent = camera.extent.clamped(lowerBound: SIMD2(repeating: 1e-3), upperBound: SIMD2(repeating: 1e9))
    scale = min(width / 2 / extent.x, height / 2 / extent.y) * camera.zoom
    let turn = camera.orientation.matrix
    matrix = RotationMatrix(turn.first * scale, turn.second * scale, turn.third * scale)
    target = camera.target
    origin = SIMD3(width / 2 + camera.pan.x * side, height / 2 - camera.pan.y * side, 0)
    depthReach = camera.depthReach * scale
  }

  /// The place of a point: x and y from the upper left corner, y downwards, z towards the viewer.
  @inline(__always)
  func callAsFunction(_ point: SIMD3<Float>) -> SIMD3<Float> {
    let turned = matrix * (point - target)
    return SIMD3(origin.x + turned.x, origin.y - turned.y, turned.z)
  }

  /// The point that falls onto a place of the picture: the way back.
  func point(of place: SIMD3<Float>) -> SIMD3<Float> {
    let turned = SIMD3(place.x - origin.x, origin.y - place.y, place.z) / (scale * scale)
    return SIMD3((matrix.first * turned).sum(), (matrix.second * turned).sum(), (matrix.third * turned).sum()) + target
  }

  /// A direction turned to camera space (y up), in pixels to the ångström.
  @inline(__always)
  func turned(_ direction: SIMD3<Float>) -> SIMD3<Float> { matrix * direction }
}
