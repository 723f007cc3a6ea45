import PluginAPI

/// A screen on the stack: its controller, its rectangle, and its running effects.
@MainActor final class Screen {
  /// The placement of a screen.
  enum Placement {
    case page, detail, popover
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
  /// False once it was taken off the stack: what still arrives for it is dropped.
  var isOpen = true
  var running: [RunningEffect] = []
  var timers: [EffectID: any Cancellable] = [:]
  /// The timers that soon fire once, so that the screen is not at rest before; none that sets itself anew.
  var dueTimers: Set<EffectID> = []
  /// The timer that fires just now.
  var firedTimer: EffectID?
  var subscriptions: [any Cancellable] = []
  /// Keys and pasted texts that wait until the screen is loaded, in order.
  var waitingEvents: [Event] = []
  /// Takes the value of a screen the host itself waits for, in place of the screen below.
  var onReturn: (@MainActor (Value) -> Void)?

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

  /// True while keys have to wait for what the screen loads.
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
  /// Tells this run from earlier ones under the same id, whose late answers are dropped.
  let token: Int
  let label: String
  let startedAt: ContinuousClock.Instant
  let handle: any Cancellable
  /// The work whose completion takes the result; nil for effects that end with a message.
  let load: Load?
  var progress: Progress?
  /// A Boolean value indicating whether it waits for the user's answer.
  var isAsking = false
}

/// A controller of the host itself.
@MainActor protocol HostController: Controller {
  /// Returns the size it wants in a popover, without its edges, in a frame of that size.
  func popoverSize(in size: Size) -> Size

  /// Keys worth knowing, most important first.
  var hints: [KeyHint] { get }

  /// True if it shows by itself why its work failed, so that the status line need not.
  var showsFailures: Bool { get }

  /// Takes the number of an item of the outline that was chosen in linear reading.
  func choose(item id: String) -> [Effect]
}

extension HostController {
  func popoverSize(in size: Size) -> Size { Size(width: size.width * 7 / 10, height: size.height * 7 / 10) }
  var hints: [KeyHint] { [] }
  var showsFailures: Bool { false }
  func choose(item id: String) -> [Effect] { [] }
}
