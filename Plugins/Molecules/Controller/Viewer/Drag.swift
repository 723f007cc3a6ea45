import PluginAPI

/// The state of a mouse drag; its kind is fixed when it begins, regardless of modifiers pressed later.
struct Drag: Equatable {
  enum Kind: Equatable {
    case turning, shifting
  }

  let kind: Kind
  var last: Point
  /// A Boolean value indicating whether the mouse left the cell where it was pressed: if not, it was a click.
  private(set) var hasMoved = false

  /// Starts a drag.
  init(_ mouse: Mouse) {
    let shifts = mouse.button != .left || mouse.modifiers.contains(.control)
    kind = shifts ? .shifting : .turning
    last = mouse.position
  }

  /// Continues the drag to a position.
  ///
  /// - Parameter pixelsPerCell: Picture pixels in a cell.
  /// - Returns: The motion since the last position in picture pixels, x to the right and y down.
  mutating func move(to position: Point, pixelsPerCell: Size) -> SIMD2<Float> {
    if position != last { hasMoved = true }
    defer { last = position }
    return SIMD2(
      Float((position.x - last.x) * pixelsPerCell.width), Float((position.y - last.y) * pixelsPerCell.height))
  }
}
