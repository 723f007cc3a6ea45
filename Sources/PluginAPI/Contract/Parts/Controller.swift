/// A screen's controller: it turns events and messages into new state and effects, and provides the view of that state.
///
/// A controller runs on the event loop; it never waits and never draws. The host routes events in this order: reserved
/// keys (Ctrl-C, Ctrl-Z, palette); then, while ``wantsText`` is true, only the controller; otherwise the screen's
/// actions by the key map, then the controller, then the host's own keys.
@MainActor public protocol Controller: AnyObject, Sendable {
  /// The title of the screen, for breadcrumbs and the status line.
  var title: String { get }

  /// The view of the current state. It must be cheap: it is read once per frame.
  var view: any View { get }

  /// Short texts for the status line, most important first.
  var status: [StyledText.Run] { get }

  /// A Boolean value indicating whether plain characters are text for the screen now, such as for a search field.
  var wantsText: Bool { get }

  /// A Boolean value indicating whether the content that keys act on is still being loaded, such as a list at its first
  /// read.
  ///
  /// Keys that arrive meanwhile are queued in order. They are dropped if the work fails or is canceled, and are not
  /// queued if the screen has no work running.
  var isLoading: Bool { get }

  /// Returns the first effects. Called once, when the screen's size is known and before it is shown.
  func start() -> [Effect]

  /// Releases the screen's resources. Called once, after the screen was removed and its effects were canceled.
  func end()

  /// Handles an event.
  ///
  /// - Returns: The effects to perform, or nil if the screen does not handle the event.
  func handle(_ event: Event) -> [Effect]?

  /// Performs a screen action.
  func perform(_ invocation: ActionInvocation) -> [Effect]

  /// Receives a message from an effect or a subscription. Drop messages from effects that are no longer relevant.
  func receive(_ message: Message) -> [Effect]

  /// Applies the result of work or an answer to the state, and returns the effects that follow. Keep the default.
  func complete(_ completion: Load.Completion) -> [Effect]

  /// Returns the state as bytes, for reload and the next start.
  func saveState() -> [UInt8]

  /// Restores a saved state; ignores bytes that it cannot read.
  func restore(_ state: [UInt8])
}

extension Controller {
  /// An empty status.
  public var status: [StyledText.Run] { [] }
  /// False: no text is wanted.
  public var wantsText: Bool { false }
  /// False: nothing is being loaded.
  public var isLoading: Bool { false }
  /// Returns no effects.
  public func start() -> [Effect] { [] }
  /// Releases nothing.
  public func end() {}
  /// Returns nil: no event is handled.
  public func handle(_ event: Event) -> [Effect]? { nil }
  /// Does nothing.
  public func perform(_ invocation: ActionInvocation) -> [Effect] { [] }
  /// Ignores the message.
  public func receive(_ message: Message) -> [Effect] { [] }
  /// Changes the state.
  public func complete(_ completion: Load.Completion) -> [Effect] { completion() }
  /// Returns an empty state.
  public func saveState() -> [UInt8] { [] }
  /// Ignores the state.
  public func restore(_ state: [UInt8]) {}
}
