/// What reaches a screen from outside.
public enum Event: Sendable, Hashable {
  /// A key was pressed.
  case key(Key)
  /// The mouse did something; positions are relative to the screen's own frame.
  case mouse(Mouse)
  /// Text was pasted.
  case paste(String)
  /// The screen's own frame has this geometry now. The first event every controller gets.
  case resize(ScreenGeometry)
  /// The terminal got or lost the focus.
  case focus(Bool)
  /// The screen came to the front or went behind another.
  case visible(Bool)
}

/// The size of a screen and of its cells, and its background.
public struct ScreenGeometry: Sendable, Hashable {
  /// Columns and rows.
  public var size: Size
  /// How many picture pixels a cell is wide and high where pictures are shown: 1×2 for half-blocks, 2×4 for braille.
  public var pixelsPerCell: Size
  /// The terminal's background as red, green and blue; black where it is not known.
  ///
  /// Pictures whose far or unselected parts fade should fade toward it.
  public var background: Color

  /// Creates a geometry of a screen with a black background.
  public init(size: Size, pixelsPerCell: Size = Size(width: 1, height: 2)) {
    self.init(size: size, pixelsPerCell: pixelsPerCell, background: .rgb(0, 0, 0))
  }

  /// Creates a geometry.
  public init(size: Size, pixelsPerCell: Size, background: Color) {
    self.size = size
    self.pixelsPerCell = pixelsPerCell
    self.background = background
  }
}

/// A mouse event.
public struct Mouse: Sendable, Hashable {
  /// What happened.
  public enum Action: Sendable, Hashable {
    /// A button went down; `clicks` is 2 for the second press of a double click.
    case press(clicks: Int)
    /// The mouse moved while a button is down.
    case drag
    /// The button went up.
    case release
    /// The wheel turned, negative up.
    case scroll(Int)
  }

  /// The buttons.
  public enum Button: Sendable, Hashable {
    /// No button, or one that is not known.
    case none
    /// The main button.
    case left
    /// The wheel.
    case middle
    /// The context button.
    case right
  }

  /// What happened.
  public var action: Action
  /// The button it is about.
  public var button: Button
  /// The cell, 0-based from the top left of the screen's frame.
  public var position: Point
  /// The modifier keys held.
  public var modifiers: Key.Modifiers

  /// Creates a mouse event.
  public init(_ action: Action, button: Button = .left, at position: Point, modifiers: Key.Modifiers = []) {
    self.action = action
    self.button = button
    self.position = position
    self.modifiers = modifiers
  }
}
