/// The drawn shape of a node at its place.
struct NodeGlyph: Sendable, Hashable {
  enum Shape: Sendable, Hashable {
    /// A rectangle with round ends.
    case pill
    case circle
    /// A rectangle with corners of a radius.
    case box(Double)
    /// A link to another pathway.
    case way
    /// Only the name.
    case bare
    /// An outline given by the file.
    case outline(GraphStyle.Outline)
  }

  /// The frame that is drawn and at which lines end.
  var frame: GraphFrame
  var shape: Shape
  var label: PictureLabel?
  /// A Boolean value indicating whether the name stands beside the shape rather than in it.
  var isBeside = false
  /// The start of the name's baseline, as given by the file.
  var labelStart: FrozenPath.Point?

  /// Returns whether a point lies in the glyph, or within a gap of it.
  func contains(_ point: FrozenPath.Point, gap: Double) -> Bool {
    let (dx, dy) = (abs(point.x - frame.x), abs(point.y - frame.y))
    let (halfWidth, halfHeight) = (frame.width / 2 + gap, frame.height / 2 + gap)
    if case .circle = shape { return (dx * dx + dy * dy).squareRoot() < halfWidth }
    if case .outline(.oval) = shape {
      let (x, y) = (dx / max(halfWidth, 1e-9), dy / max(halfHeight, 1e-9))
      return x * x + y * y < 1
    }
    if dx >= halfWidth || dy >= halfHeight { return false }
    let radius: Double =
      switch shape {
      case .pill: min(halfWidth, halfHeight)
      case .box(let radius): min(radius + gap, halfWidth, halfHeight)
      default: 0
      }
    let (inX, inY) = (dx - (halfWidth - radius), dy - (halfHeight - radius))
    return inX <= 0 || inY <= 0 || (inX * inX + inY * inY).squareRoot() < radius
  }

  /// The outline of its shape.
  var path: PicturePath? {
    switch shape {
    case .pill: .rounded(frame, radius: frame.height / 2)
    case .circle: .rounded(frame, radius: frame.width / 2)
    case .box(let radius): .rounded(frame, radius: radius)
    case .way: .rounded(frame, radius: 4)
    case .outline(.none), .bare: nil
    case .outline(let outline): .outline(outline, frame, radius: min(frame.width, frame.height) / 5)
    }
  }
}
