/// The sides of a rectangle.
struct LayoutBounds: Sendable, Hashable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  init(left: Double, top: Double, right: Double, bottom: Double) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  init(_ frame: GraphFrame) {
    self.init(
      left: frame.x - frame.width / 2, top: frame.y - frame.height / 2, right: frame.x + frame.width / 2,
      bottom: frame.y + frame.height / 2)
  }

  init(_ point: FrozenPath.Point) {
    self.init(left: point.x, top: point.y, right: point.x, bottom: point.y)
  }

  var frame: GraphFrame {
    GraphFrame(x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top)
  }

  func joined(_ other: LayoutBounds?) -> LayoutBounds {
    guard let other else { return self }
    return LayoutBounds(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
      bottom: max(bottom, other.bottom))
  }

  /// Returns whether two rectangles have an area in common.
  func overlaps(_ other: LayoutBounds) -> Bool {
    min(right, other.right) > max(left, other.left) && min(bottom, other.bottom) > max(top, other.top)
  }

  func grown(by margin: Double, top more: Double = 0) -> LayoutBounds {
    LayoutBounds(left: left - margin, top: top - margin - more, right: right + margin, bottom: bottom + margin)
  }

  /// Moves a layout to the origin and sets its size.
  static func normalize(_ layout: inout GraphLayout) {
    var box: LayoutBounds?
    for place in layout.places { box = LayoutBounds(place.frame).joined(box) }
    for case let frame? in layout.compartments { box = LayoutBounds(frame).joined(box) }
    for point in layout.routes.lazy.map(\.points).joined() { box = LayoutBounds(point).joined(box) }
    guard let box else { return }
    for index in layout.places.indices {
      layout.places[index].frame.x -= box.left
      layout.places[index].frame.y -= box.top
    }
    for index in layout.compartments.indices {
      layout.compartments[index]?.x -= box.left
      layout.compartments[index]?.y -= box.top
    }
    for route in layout.routes.indices {
      for index in layout.routes[route].points.indices {
        layout.routes[route].points[index].x -= box.left
        layout.routes[route].points[index].y -= box.top
      }
    }
    layout.width = box.right - box.left
    layout.height = box.bottom - box.top
  }
}
