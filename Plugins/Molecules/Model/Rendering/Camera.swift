/// An orthographic view of a scene: target, orientation, zoom and pan.
///
/// The camera is independent of pixels: zoom and pan are relative to the view, so that one camera gives the same view
/// at every size. Camera space has x to the right, y up and z toward the viewer.
struct Camera: Equatable, Sendable {
  /// The point at the center of the view, in ångström.
  var target: SIMD3<Float> = .zero
  /// The least half width and half height of the view at zoom 1, in ångström.
  var extent = SIMD2<Float>(10, 10)
  /// The distance from the center to the front and the back of the scene, in ångström, for the depth cue.
  var depthReach: Float = 10
  /// The rotation from molecule space to camera space.
  var orientation: Rotation = .identity
  /// The magnification; 1 shows the whole scene.
  private(set) var zoom: Float = 1
  /// The shift of the picture as a fraction of the shorter side of the view: x to the right, y up.
  var pan: SIMD2<Float> = .zero

  /// A Boolean value indicating whether ``look(at:)`` chose the point at the center.
  private var isAimed = false

  /// The smallest and the largest zoom.
  static let zoomRange: ClosedRange<Float> = 0.02...200

  /// Creates a camera that looks along the z axis of the molecule and shows all of it in every orientation.
  init(showing bounds: SceneBounds = SceneBounds(), orientation: Rotation = .identity) {
    let radius = bounds.radius > 0 ? bounds.radius : 1
    target = bounds.center
    extent = SIMD2(repeating: radius * Self.margin)
    depthReach = radius
    self.orientation = orientation
  }

  /// Creates a camera that fills the view with a scene.
  ///
  /// - Parameter orientation: The rotation; nil lays the longest axis across the view, the shortest toward the viewer.
  /// - Complexity: O(n) in the number of primitives.
  init(framing scene: InstancedScene, orientation: Rotation? = nil) {
    self.init(showing: scene.bounds, orientation: orientation ?? scene.bounds.principalOrientation)
    fit(scene)
  }

  /// Centers the view on the bounding box of the rotated scene, and fills the view with it.
  ///
  /// - Parameter isSpinning: True to keep all of it in view while it spins about the vertical axis.
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

  /// The margin around a scene as a fraction of the view: a twentieth.
  private static let margin: Float = 1.05

  /// Rotates about the axes of the screen, like a finger or mouse that drags the front of the molecule.
  ///
  /// - Parameters:
  ///   - right: degrees about the vertical axis, positive when the front moves right.
  ///   - down: degrees about the horizontal axis, positive when the front moves down.
  mutating func turn(right: Float, down: Float) {
    guard right.isFinite, down.isFinite else { return }
    let turn = Rotation(about: SIMD3(0, 1, 0), degrees: right) * Rotation(about: SIMD3(1, 0, 0), degrees: down)
    orientation = turn * orientation
  }

  /// Rotates in the plane of the screen by degrees, counterclockwise if positive.
  mutating func roll(degrees: Float) {
    guard degrees.isFinite else { return }
    orientation = Rotation(about: SIMD3(0, 0, 1), degrees: degrees) * orientation
  }

  /// Zooms by a factor about the center of the view, within the range of zooms.
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

  /// The largest useful pan in views; larger ones would cost precision.
  private var panLimit: Float { 2 * Self.zoomRange.upperBound }

  /// Sets orientation, zoom and pan exactly to those of another camera.
  mutating func look(from orientation: Rotation, zoom: Float, pan: SIMD2<Float>) {
    self.orientation = orientation
    if zoom.isFinite { self.zoom = min(max(zoom, Self.zoomRange.lowerBound), Self.zoomRange.upperBound) }
    self.pan = .zero
    move(by: pan)
  }

  /// The point a camera looks at and the extent of its view at zoom 1.
  struct Frame: Equatable, Sendable {
    var target: SIMD3<Float>
    var extent: SIMD2<Float>
    var depthReach: Float
  }

  /// The target and extent; setting a frame that cannot be drawn has no effect.
  var frame: Frame {
    get { Frame(target: target, extent: extent, depthReach: depthReach) }
    set {
      guard newValue.target.isDrawable, newValue.extent.min() > 0, newValue.depthReach > 0 else { return }
      (target, extent, depthReach) = (newValue.target, newValue.extent, newValue.depthReach)
      isAimed = false
    }
  }

  /// Moves a point to the center of the view.
  mutating func look(at point: SIMD3<Float>) {
    guard point.isDrawable else { return }
    target = point
    isAimed = true
  }

  /// A Boolean value indicating whether the view is neither zoomed nor panned nor aimed at a point.
  var showsAll: Bool { abs(zoom - 1) < 1e-3 && pan.max() < 1e-3 && pan.min() > -1e-3 && !isAimed }
}

/// The size of a picture to draw and the shape of its pixels.
struct Viewport: Equatable, Sendable {
  /// Width in pixels; negative sizes count as 0.
  var width: Int
  /// Height in pixels; negative sizes count as 0.
  var height: Int
  /// The height of a pixel divided by its width; 1 is square.
  var pixelAspect: Float = 1

  init(width: Int, height: Int, pixelAspect: Float = 1) {
    self.width = max(0, width)
    self.height = max(0, height)
    self.pixelAspect = pixelAspect.isFinite && pixelAspect > 0.05 && pixelAspect < 20 ? pixelAspect : 1
  }
}

/// The projection of molecule space onto the pixels of one viewport; lengths are in widths of a pixel.
struct Projection: Sendable {
  /// Pixels per ångström.
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

  /// Returns the position of a point: x and y from the upper left corner, y downward, z toward the viewer.
  @inline(__always)
  func callAsFunction(_ point: SIMD3<Float>) -> SIMD3<Float> {
    let turned = matrix * (point - target)
    return SIMD3(origin.x + turned.x, origin.y - turned.y, turned.z)
  }

  /// Returns the point that projects to a position in the picture: the inverse projection.
  func point(of position: SIMD3<Float>) -> SIMD3<Float> {
    let turned = SIMD3(position.x - origin.x, origin.y - position.y, position.z) / (scale * scale)
    return SIMD3((matrix.first * turned).sum(), (matrix.second * turned).sum(), (matrix.third * turned).sum()) + target
  }

  /// Returns a direction rotated to camera space (y up), in pixels per ångström.
  @inline(__always)
  func turned(_ direction: SIMD3<Float>) -> SIMD3<Float> { matrix * direction }
}

/// The projection of one placement of a part onto the samples of a picture; lengths are in widths of a sample.
struct PlacedProjection: BitwiseCopyable {
  /// Samples per ångström.
  let scale: Float
  private let first: SIMD4<Float>
  private let second: SIMD4<Float>
  private let third: SIMD4<Float>
  private let offset: SIMD4<Float>
  /// A Boolean value indicating whether left and right are swapped.
  let isMirrored: Bool

  init(_ projection: Projection, _ placement: Placement) {
    func column(_ direction: SIMD3<Float>) -> SIMD4<Float> {
      let turned = projection.turned(direction)
      return SIMD4(turned.x, -turned.y, turned.z, 0)
    }
    scale = projection.scale
    first = column(placement.matrix.first)
    second = column(placement.matrix.second)
    third = column(placement.matrix.third)
    offset = SIMD4(projection(placement.offset), 0)
    let (one, two, three) = (placement.matrix.first, placement.matrix.second, placement.matrix.third)
    isMirrored = one.cross(two).dot(three) < 0
  }

  /// Returns the position and radius in samples of a ball given by center and radius.
  @inline(__always)
  func ball(_ ball: SIMD4<Float>) -> SIMD4<Float> {
    first * ball.x + second * ball.y + third * ball.z + offset + SIMD4(0, 0, 0, ball.w * scale)
  }

  /// Returns the position of a point; the fourth number is 0.
  @inline(__always)
  func point(_ point: SIMD3<Float>) -> SIMD4<Float> {
    first * point.x + second * point.y + third * point.z + offset
  }

  /// Returns a direction rotated to the picture (y up), with unchanged length.
  @inline(__always)
  func direction(_ direction: SIMD3<Float>) -> SIMD3<Float> {
    let turned = (first * direction.x + second * direction.y + third * direction.z) / scale
    return SIMD3(turned.x, -turned.y, turned.z)
  }
}
