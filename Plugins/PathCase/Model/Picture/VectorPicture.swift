import PluginText

/// A picture of strokes, filled areas and texts, in drawing order.
///
/// Lengths are in points of 1/72 inch, or pixels of a picture at scale 1; the y axis points down.
struct VectorPicture: Sendable, Hashable {
  var width: Double
  var height: Double
  /// The upper left corner, in the units of the shapes.
  var left = 0.0
  var top = 0.0
  /// The alternative text.
  var title: String
  var background: PictureColor
  var items: [PictureItem] = []
  /// A Boolean value indicating whether the layout was cut short, and is coarser than it could be.
  var isCoarse = false
}

/// A group of shapes in a picture: a node, a line with its head, a frame.
struct PictureItem: Sendable, Hashable {
  /// The kind of a group.
  enum Kind: String, Sendable {
    case frame, edge, pool, process, macromolecule, pathway, other, label, figure, legend, heading
  }

  var kind: Kind
  /// The full name of the thing that the group represents; "" for none.
  var title = ""
  var shapes: [PictureShape]
}

/// A stroke, a filled area or a text.
enum PictureShape: Sendable, Hashable {
  case path(PicturePath, PictureStyle)
  case text(PictureText)
}

/// A color of three components from 0 to 255, with an opacity from 0 to 1.
struct PictureColor: Sendable, Hashable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8
  var cover = 1.0

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, cover: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.cover = cover
  }

  /// Returns the color between two others, at a fraction from 0 for the first to 1 for the second.
  static func between(_ first: PictureColor, _ second: PictureColor, _ share: Double) -> PictureColor {
    let share = min(max(share, 0), 1)
    func part(_ from: UInt8, _ to: UInt8) -> UInt8 {
      let (start, end) = (Double(from), Double(to))
      let mixed: Double = start + (end - start) * share
      return UInt8(mixed.rounded())
    }
    return PictureColor(
      part(first.red, second.red), part(first.green, second.green), part(first.blue, second.blue),
      cover: first.cover + (second.cover - first.cover) * share)
  }
}

/// The style of a drawn path.
struct PictureStyle: Sendable, Hashable {
  var fill: PictureColor?
  var stroke: PictureColor?
  var strokeWidth = 1.0
  /// The alternating lengths of dashes and gaps; empty for a solid line.
  var dashes: [Double] = []
}

/// Lines and curves.
struct PicturePath: Sendable, Hashable {
  /// A step of a path.
  enum Step: Sendable, Hashable {
    case move(FrozenPath.Point)
    case line(FrozenPath.Point)
    /// A cubic Bézier curve with its two control points.
    case curve(FrozenPath.Point, FrozenPath.Point, FrozenPath.Point)
    case close
  }

  var steps: [Step] = []

  /// Returns a line through points, which may be closed.
  static func line(_ points: [FrozenPath.Point], isClosed: Bool = false) -> PicturePath {
    var path = PicturePath()
    for (index, point) in points.enumerated() { path.steps.append(index == 0 ? .move(point) : .line(point)) }
    if isClosed, !points.isEmpty { path.steps.append(.close) }
    return path
  }

  /// Returns a rectangle with rounded corners; a pill if the radius is half of its height.
  static func rounded(_ frame: GraphFrame, radius: Double) -> PicturePath {
    let box = LayoutBounds(frame)
    let radius = max(0, min(radius, frame.width / 2, frame.height / 2))
    if radius == 0 {
      return line(
        [
          .init(x: box.left, y: box.top), .init(x: box.right, y: box.top), .init(x: box.right, y: box.bottom),
          .init(x: box.left, y: box.bottom),
        ], isClosed: true)
    }
    // The distance of control points from the ends of a quarter circle, as a fraction of the radius.
    let bow = radius * (1 - 0.5522847498)
    func point(_ x: Double, _ y: Double) -> FrozenPath.Point { .init(x: x, y: y) }
    return PicturePath(steps: [
      .move(point(box.left + radius, box.top)), .line(point(box.right - radius, box.top)),
      .curve(point(box.right - bow, box.top), point(box.right, box.top + bow), point(box.right, box.top + radius)),
      .line(point(box.right, box.bottom - radius)),
      .curve(
        point(box.right, box.bottom - bow), point(box.right - bow, box.bottom), point(box.right - radius, box.bottom)),
      .line(point(box.left + radius, box.bottom)),
      .curve(
        point(box.left + bow, box.bottom), point(box.left, box.bottom - bow), point(box.left, box.bottom - radius)),
      .line(point(box.left, box.top + radius)),
      .curve(point(box.left, box.top + bow), point(box.left + bow, box.top), point(box.left + radius, box.top)),
      .close,
    ])
  }

  /// Returns a circle.
  static func circle(_ center: FrozenPath.Point, radius: Double) -> PicturePath {
    rounded(GraphFrame(x: center.x, y: center.y, width: 2 * radius, height: 2 * radius), radius: radius)
  }
}

/// One line of text.
struct PictureText: Sendable, Hashable {
  /// The part of the text that is at its position.
  enum Anchor: String, Sendable {
    case start, middle, end
  }

  var text: String
  /// The position of its anchor on the baseline.
  var position: FrozenPath.Point
  /// The font size.
  var size: Double
  var color: PictureColor
  var anchor = Anchor.start
  var isBold = false
  var isItalic = false
  /// The color of an outline around the letters that keeps lines away from them.
  var halo: PictureColor?

  /// The approximate rectangle that it takes.
  var bounds: LayoutBounds {
    let width = LetterWidths.width(text, size: size, isBold: isBold)
    let left =
      switch anchor {
      case .start: position.x
      case .middle: position.x - width / 2
      case .end: position.x - width
      }
    return LayoutBounds(left: left, top: position.y - 0.8 * size, right: left + width, bottom: position.y + 0.22 * size)
  }
}

// MARK: - Outlines

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
    case .oval, .disc: return ellipse(frame)
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

  /// Returns the part of a closed convex outline that is below a height, as a polygon.
  ///
  /// - Source: I. E. Sutherland, G. W. Hodgman, Communications of the ACM 17 (1974) 32.
  func below(_ top: Double) -> PicturePath {
    var corners: [FrozenPath.Point] = []
    for step in steps {
      switch step {
      case .move(let point), .line(let point): corners.append(point)
      case .curve(let first, let second, let end):
        let piece = PictureCurve.Piece(start: corners.last ?? first, first: first, second: second, end: end)
        corners += (1...8).map { piece.point(Double($0) / 8) }
      case .close: break
      }
    }
    var kept: [FrozenPath.Point] = []
    for (index, corner) in corners.enumerated() {
      let next = corners[(index + 1) % corners.count]
      if corner.y >= top { kept.append(corner) }
      if (corner.y < top) != (next.y < top) {
        kept.append(corner.towards(next, (top - corner.y) / (next.y - corner.y)))
      }
    }
    return .line(kept, isClosed: true)
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

// MARK: - Hexadecimal colors

extension PictureColor {
  /// Creates a color from six hexadecimal digits, or eight with the opacity last; nil if the text is not a color.
  ///
  /// - Parameter text: The digits, with or without a leading `#`.
  init?(hexadecimal text: String) {
    guard let parts = Hexadecimal.bytes(text.hasPrefix("#") ? text.dropFirst() : text[...]) else { return nil }
    switch parts.count {
    case 3: self.init(parts[0], parts[1], parts[2])
    case 4: self.init(parts[0], parts[1], parts[2], cover: Double(parts[3]) / 255)
    default: return nil
    }
  }

  /// The color as `#RRGGBB`, or `#RRGGBBAA` if it is not opaque.
  var hexadecimal: String {
    let parts = [red, green, blue] + (cover < 1 ? [UInt8((cover * 255).rounded())] : [])
    return "#" + Hexadecimal.text(parts)
  }
}
