import PluginAPI

/// The turn to the front with which molecule and list follow each other.
///
/// It holds nothing up: keys count at once. It ends after its time also where frames come late, as over a slow line, and
/// is left out where the user wants little motion.
struct Flip: Equatable {
  /// The plugin's setting that leaves it out.
  static let setting = Parameter(
    "reduced-motion", .flag, "shows molecule and library at once, without turning from one to the other")

  private static let name = "flip"
  private static let steps = 5
  private static let stepInSeconds = 0.03

  /// How far it is turned, 0 to 1.
  private(set) var share = 1.0
  private var step = 0
  private var start: Instant?

  /// Begins to turn.
  @MainActor mutating func begin(_ context: any PluginContext) -> [Effect] {
    if context.setting(Self.setting.name).bool ?? false { return [] }
    (share, step, start) = (0.15, 0, context.now())
    return [next]
  }

  /// Goes on if the timer is its own; nil if it is not.
  mutating func receive(_ message: Message, at now: Instant) -> [Effect]? {
    guard case .timer(let id) = message, id.name == Self.name else { return nil }
    guard id.generation == step, let start else { return [] }
    step += 1
    let passed = now.seconds(since: start) / (Double(Self.steps) * Self.stepInSeconds)
    share = min(1, max(Double(step) / Double(Self.steps), passed))
    return share < 1 ? [next] : []
  }

  // Each step has an id of its own, so that whoever waits until nothing is due waits for all of them.
  private var next: Effect {
    .timer(EffectID(Self.name, generation: step), seconds: Self.stepInSeconds, repeats: false)
  }

  /// The view as far as it is turned.
  @MainActor func turned(_ view: any View) -> any View { share < 1 ? FlipView(view: view, share: share) : view }
}
