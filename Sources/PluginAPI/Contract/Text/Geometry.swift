/// A position in cells or pixels, 0-based from the top left.
@frozen public struct Point: Sendable, Hashable {
  /// Columns to the right.
  public var x: Int
  /// Rows down.
  public var y: Int

  /// Creates a point.
  @inlinable public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// A width and a height in cells or pixels.
@frozen public struct Size: Sendable, Hashable {
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// Creates a size.
  @inlinable public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A rectangle of cells or pixels; empty if its width or height is not positive.
@frozen public struct Rect: Sendable, Hashable {
  /// The left column.
  public var x: Int
  /// The top row.
  public var y: Int
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// Creates a rectangle.
  @inlinable public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Creates a rectangle of a size at the origin.
  @inlinable public init(_ size: Size) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// The width and height, never negative.
  public var size: Size { Size(width: max(0, width), height: max(0, height)) }

  /// A Boolean value indicating whether the rectangle contains no cells.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Returns true if the rectangle contains a point.
  public func contains(_ point: Point) -> Bool {
    point.x >= x && point.x < x + width && point.y >= y && point.y < y + height
  }

  /// Returns the intersection with another rectangle.
  public func intersection(_ other: Rect) -> Rect {
    let (left, top) = (max(x, other.x), max(y, other.y))
    let (right, bottom) = (min(x + width, other.x + other.width), min(y + height, other.y + other.height))
    return Rect(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }

  /// Returns the rectangle inset by the same amount on all sides; never smaller than empty.
  public func inset(by amount: Int) -> Rect {
    Rect(x: x + amount, y: y + amount, width: max(0, width - 2 * amount), height: max(0, height - 2 * amount))
  }

  /// Splits rows off the top.
  ///
  /// - Returns: The rows split off, and the remaining part.
  public func split(top rows: Int) -> (top: Rect, rest: Rect) {
    let taken = min(max(0, rows), max(0, height))
    return (
      Rect(x: x, y: y, width: width, height: taken), Rect(x: x, y: y + taken, width: width, height: height - taken)
    )
  }

  /// Splits columns off the left.
  ///
  /// - Returns: The columns split off, and the remaining part.
  public func split(left columns: Int) -> (left: Rect, rest: Rect) {
    let taken = min(max(0, columns), max(0, width))
    return (
      Rect(x: x, y: y, width: taken, height: height), Rect(x: x + taken, y: y, width: width - taken, height: height)
    )
  }

  /// Returns a rectangle of a size, centered in this one and clipped to it.
  public func centered(_ size: Size) -> Rect {
    let (width, height) = (min(size.width, max(0, self.width)), min(size.height, max(0, self.height)))
    return Rect(x: x + (self.width - width) / 2, y: y + (self.height - height) / 2, width: width, height: height)
  }
}
