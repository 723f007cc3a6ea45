import PluginAPI

/// The destination of frames and source of events: a terminal, or memory for headless screens and tests.
@MainActor protocol Display: AnyObject {
  /// The size of the screen and of its cells, now.
  var geometry: ScreenGeometry { get }

  /// The current graphics mode.
  var graphics: GraphicsMode { get }

  /// The receiver of all events, in order; set once by the code that runs the interface.
  var onEvent: (@MainActor (DisplayEvent) -> Void)? { get set }

  /// Shows a frame: writes the changes, at once or as soon as the terminal is ready.
  ///
  /// - Returns: False if the frame is known to look like the one before.
  @discardableResult func show(_ frame: TextFrame) -> Bool

  /// A Boolean value indicating whether the web addresses of frames are marked as links.
  var showsLinks: Bool { get }

  /// Shows a frame, as `show(_:)` does, with links if the display marks them.
  @discardableResult func show(_ frame: TextFrame, links: [FrameLink]) -> Bool

  /// Puts text on the user's clipboard, if that can be done.
  func copy(_ text: String)

  /// Redraws everything, whatever the screen shows now.
  func repaint()

  /// Leaves full screen, stops the process, and sets up again when it continues.
  func suspend()

  /// Restores the terminal; later calls do nothing.
  func close()
}

/// An event of a display.
enum DisplayEvent: Sendable {
  /// A key, mouse or paste event, in cells of the whole screen; also focus.
  case input(Event)
  /// The geometry changed, or the screen must be redrawn.
  case resized
  /// The process was asked to end by this signal, or the terminal went away.
  case ended(signal: Int32)
}
