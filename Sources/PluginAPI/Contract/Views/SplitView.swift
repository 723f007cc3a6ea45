/// Two views side by side, or one above the other in a narrow frame.
public struct SplitView: View {
  /// The layout of a split.
  public struct Layout: Sendable, Hashable {
    /// The fraction of the space for the first view, 0…1.
    public var fraction: Double
    /// The minimum number of columns for the views to be side by side.
    public var minimumWidth: Int

    /// Creates a layout.
    public init(fraction: Double = 0.4, minimumWidth: Int = 80) {
      self.fraction = fraction
      self.minimumWidth = minimumWidth
    }

    /// Returns the rectangles of the two views, with a line between them.
    ///
    /// - Returns: Rectangles side by side from ``minimumWidth`` columns; one above the other below that; only the first
    ///   below 7 rows.
    public func rects(in rect: Rect) -> (first: Rect, second: Rect, isSideBySide: Bool) {
      let part = fraction.isFinite ? min(max(0, fraction), 1) : 0.5
      if rect.width >= minimumWidth, rect.width >= 3 {
        let width = min(max(1, Int(Double(rect.width - 1) * part)), rect.width - 2)
        let (first, rest) = rect.split(left: width)
        return (first, rest.split(left: 1).rest, true)
      }
      if rect.height < 7 {
        return (rect, Rect(x: rect.x, y: rect.y + rect.height, width: rect.width, height: 0), false)
      }
      let height = min(max(1, Int(Double(rect.height - 1) * part)), rect.height - 2)
      let (first, rest) = rect.split(top: height)
      return (first, rest.split(top: 1).rest, false)
    }
  }

  /// The view at the left or above.
  public var first: any View
  /// The view at the right or below.
  public var second: any View
  /// The layout.
  public var layout: Layout

  /// Creates a split.
  public init(_ first: any View, _ second: any View, layout: Layout = Layout()) {
    self.first = first
    self.second = second
    self.layout = layout
  }

  /// Draws both views and the line between them.
  public func draw(into frame: inout TextFrame) {
    let (left, right, isSideBySide) = layout.rects(in: frame.bounds)
    frame.draw(first, in: left)
    guard !right.isEmpty else { return }
    if isSideBySide {
      for y in 0..<frame.size.height { frame.put("│", x: right.x - 1, y: y, .secondary) }
    } else {
      frame.put(String(repeating: "─", count: frame.size.width), x: 0, y: right.y - 1, .secondary)
    }
    frame.draw(second, in: right)
  }

  /// The outlines of both views, one after the other, under the first one's title.
  public var outline: Outline {
    let (one, other) = (first.outline, second.outline)
    return Outline(
      title: one.title, text: one.text + (other.title.isEmpty ? [] : [other.title]) + other.text,
      fields: one.fields + other.fields, items: one.items + other.items)
  }
}
