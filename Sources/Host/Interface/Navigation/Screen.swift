import PluginAPI

/// A screen on the stack: its controller, its rectangle, and its running effects.
@MainActor final class Screen {
  /// The placement of a screen.
  enum Placement {
    case page, detail, popover
  }

  /// The way in which a recording represents a user's steps on a screen.
  enum Recording {
    /// Actions, keys, texts and events of the mouse.
    case events
    /// The answer alone.
    case answer
    /// The fact that there was an answer, which is secret or personal.
    case hiddenAnswer
    /// Nothing: what follows from the screen is recorded.
    case nothing
  }

  /// The plugin's id; nil for screens of the host.
  let plugin: String?
  let description: ScreenDescription
  let controller: any Controller
  let placement: Placement
  let keys: KeyMap
  /// The rectangle in the whole frame, without its edges.
  var rect = Rect(x: 0, y: 0, width: 0, height: 0)
  var sentGeometry: ScreenGeometry?
  var isVisible = false
  /// The web addresses in its content, for links.
  let addresses = ScreenAddresses()
  /// False once it was removed from the stack; messages that still arrive are dropped.
  var isOpen = true
  var running: [RunningEffect] = []
  var timers: [EffectID: any Cancellable] = [:]
  /// The one-time timers that fire soon, until which the screen is not idle; without those that restart themselves.
  var dueTimers: Set<EffectID> = []
  /// The timer that fires just now.
  var firedTimer: EffectID?
  var subscriptions: [any Cancellable] = []
  /// Keys and pasted texts that wait until the screen is loaded, in order.
  var waitingEvents: [Event] = []
  /// Receives the value of a screen that the host itself waits for, in place of the screen below.
  var onReturn: (@MainActor (Value) -> Void)?
  var recording = Recording.events

  init(
    plugin: String?, description: ScreenDescription, controller: any Controller, placement: Placement, keys: KeyMap
  ) {
    self.plugin = plugin
    self.description = description
    self.controller = controller
    self.placement = placement
    self.keys = keys
  }

  /// The host's own controller, which knows its size and its keys.
  var hostController: (any HostController)? { controller as? any HostController }

  /// True while keys must wait for the screen's loading.
  var isLoading: Bool { !running.isEmpty && controller.isLoading }

  /// True while events have to wait: the screen is loading, or earlier events are still waiting.
  var keepsEvents: Bool { isLoading || !waitingEvents.isEmpty }

  /// Ends everything that runs for the screen, once.
  func close() {
    guard isOpen else { return }
    isOpen = false
    for effect in running { effect.handle.cancel() }
    for timer in timers.values { timer.cancel() }
    for subscription in subscriptions { subscription.cancel() }
    (running, timers, dueTimers, subscriptions, waitingEvents) = ([], [:], [], [], [])
    controller.end()
  }
}

/// An effect that runs for a screen.
struct RunningEffect {
  let id: EffectID
  /// A number that distinguishes this run from earlier ones with the same id, whose stale responses are dropped.
  let token: Int
  let label: String
  let startedAt: ContinuousClock.Instant
  let handle: any Cancellable
  /// The work whose completion takes the result; nil for commands.
  let load: Load?
  var progress: Progress?
  /// A Boolean value indicating whether it waits for the user's answer.
  var isAsking = false
}

/// A controller of the host itself.
@MainActor protocol HostController: Controller {
  /// Returns the size it wants in a popover, without its edges, in a frame of that size.
  func popoverSize(in size: Size) -> Size

  /// Returns the text in the upper edge of a popover of a width; empty if its view shows the title.
  func heading(width: Int) -> String

  /// Keys worth knowing, most important first.
  var hints: [KeyHint] { get }

  /// The error that the screen is about; nil for other screens.
  var shownError: ErrorReport? { get }

  /// Handles the choice of an outline item in linear reading.
  func choose(item id: String) -> [Effect]
}

extension HostController {
  func popoverSize(in size: Size) -> Size { Size(width: size.width * 7 / 10, height: size.height * 7 / 10) }
  func heading(width: Int) -> String { title }
  var hints: [KeyHint] { [] }
  var shownError: ErrorReport? { nil }
  func choose(item id: String) -> [Effect] { [] }
}
