/// An input event for a screen.
public enum Event: Sendable, Hashable {
  /// A key was pressed.
  case key(Key)
  /// A mouse action; positions are relative to the screen's own frame.
  case mouse(Mouse)
  /// Text was pasted.
  case paste(String)
  /// The screen's own frame has this new geometry. This is the first event of every controller.
  case resize(ScreenGeometry)
  /// The terminal gained or lost the focus.
  case focus(Bool)
  /// The screen became visible or was covered by another.
  case visible(Bool)
}

/// The size of a screen and of its cells, and its background.
public struct ScreenGeometry: Sendable, Hashable {
  /// Columns and rows.
  public var size: Size
  /// The size of a cell in picture pixels: 1×2 for half-blocks, 2×4 for braille.
  public var pixelsPerCell: Size
  /// The terminal's background as red, green and blue; black if it is not known.
  ///
  /// Fade the distant or unselected parts of pictures toward this color.
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
  /// The action of a mouse event.
  public enum Action: Sendable, Hashable {
    /// A button was pressed; `clicks` is 2 for the second press of a double click.
    case press(clicks: Int)
    /// The mouse moved with a button down.
    case drag
    /// A button was released.
    case release
    /// The wheel was turned; negative is up.
    case scroll(Int)
  }

  /// A mouse button.
  public enum Button: Sendable, Hashable {
    /// No button, or an unknown one.
    case none
    /// The main button.
    case left
    /// The wheel.
    case middle
    /// The context button.
    case right
  }

  /// The action.
  public var action: Action
  /// The button.
  public var button: Button
  /// The cell, 0-based from the top left of the screen's frame.
  public var position: Point
  /// The modifier keys held down.
  public var modifiers: Key.Modifiers

  /// Creates a mouse event.
  public init(_ action: Action, button: Button = .left, at position: Point, modifiers: Key.Modifiers = []) {
    self.action = action
    self.button = button
    self.position = position
    self.modifiers = modifiers
  }
}

/// A message from a command, a timer or a subscription to a controller.
public enum Message: Sendable {
  /// A running command reported its progress.
  case progress(EffectID, Progress)
  /// A running command emitted a value.
  case emitted(EffectID, Value)
  /// A command ended.
  case finished(EffectID)
  /// A command failed.
  case failed(EffectID, ErrorReport)
  /// A command or timer was canceled, by the controller or by the user.
  case cancelled(EffectID)
  /// A timer is due.
  case timer(EffectID)
  /// A screen above this one was removed, and returned a value.
  case returned(screen: String, Value)
  /// A notification arrived for a topic to which the screen's contribution subscribes.
  case notification(Notification)
}

/// A notification of an event, delivered to all subscribers of its topic.
public struct Notification: Sendable, Hashable {
  /// The full topic, `plugin.what-happened`.
  public var topic: String
  /// The id of the sending plugin; `host` for the host.
  public var plugin: String
  /// The payload, in the shape that the topic declares.
  public var payload: Value

  /// Creates a notification.
  public init(topic: String, plugin: String, payload: Value = .null) {
    self.topic = topic
    self.plugin = plugin
    self.payload = payload
  }
}

/// The progress of a piece of work.
public struct Progress: Sendable, Hashable {
  /// The completed fraction, 0…1; nil if it is unknown.
  public var fraction: Double?
  /// A description of the current step for users.
  public var label: String

  /// Creates a progress.
  public init(_ label: String, fraction: Double? = nil) {
    self.fraction = fraction
    self.label = label
  }
}
