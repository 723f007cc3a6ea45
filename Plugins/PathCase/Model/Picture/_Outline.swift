extension PicturePath {
  /// Returns an outline around a frame.
  ///
  /// - Parameter radius: The radius of rounded corners.
  static func outline(_ outline: GraphStyle.Outline, _ frame: GraphFrame, radius: Double) -> PicturePath {
    let (halfWidth, halfHeight) = (frame.width / 2, frame.height / 2)
    /// Returns a polygon from its corners, which are given as coordinates from -1 to 1 in the frame.
    func corners(_ places: [(x: Double, y: Double)]) -> PicturePath {
      line(places.map { .init(x: frame.x + $0.x * halfWidth, y: frame.y + $0.y * halfHeight) }, isClosed: true)
    }
    switch outline {
    case .rectangle, .none: return rounded(frame, radius: 0)
    case .roundedRectangle: return rounded(frame, radius: radius)
    case .oval: return ellipse(frame)
    case .hexagon: return corners([(-0.5, -1), (0.5, -1), (1, 0), (0.5, 1), (-0.5, 1), (-1, 0)])
    case .pentagon: return corners([(-1, -0.6), (0.3, -1), (1, 0), (0.3, 1), (-1, 0.6)])
    case .triangle: return corners([(-1, -1), (1, 0), (-1, 1)])
    case .octagon:
      // The corners have the same size for all proportions.
      let cut = min(halfWidth, halfHeight) * 0.4
      let (x, y) = (1 - cut / max(halfWidth, 1e-9), 1 - cut / max(halfHeight, 1e-9))
      return corners([(-x, -1), (x, -1), (1, -y), (1, y), (x, 1), (-x, 1), (-1, y), (-1, -y)])
    }
  }

  /// Returns the ellipse in a frame.
  static func ellipse(_ frame: GraphFrame) -> PicturePath {
    // The distance of control points from the ends of a quarter, as a fraction of the semi-axes.
    let (bowX, bowY) = (frame.width / 2 * 0.5522847498, frame.height / 2 * 0.5522847498)
    let box = LayoutBounds(frame)
    func point(_ x: Double, _ y: Double) -> FrozenPath.Point { .init(x: x, y: y) }
    return PicturePath(steps: [
      .move(point(frame.x, box.top)),
      .curve(point(frame.x + bowX, box.top), point(box.right, frame.y - bowY), point(box.right, frame.y)),
      .curve(point(box.right, frame.y + bowY), point(frame.x + bowX, box.bottom), point(frame.x, box.bottom)),
      .curve(point(frame.x - bowX, box.bottom), point(box.left, frame.y + bowY), point(box.left, frame.y)),
      .curve(point(box.left, frame.y - bowY), point(frame.x - bowX, box.top), point(frame.x, box.top)), .close,
    ])
  }
}
