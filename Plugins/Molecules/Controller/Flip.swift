import PluginAPI

/// The flip animation between molecule and list.
///
/// It blocks nothing: keys take effect at once. It ends on time even if frames are late, as over a slow connection, and
/// is skipped if the user prefers reduced motion.
struct Flip: Equatable {
  /// The plugin's setting that disables it.
  static let setting = Setting(flag: "reduced-motion", "No animation between molecule and library")

  private static let steps = 5
  private static let stepInSeconds = 0.03

  /// The progress of the flip, 0 to 1.
  private(set) var share = 1.0
  private var step = 0
  private var start: Instant?

  /// Starts the flip.
  @MainActor mutating func begin(_ context: any PluginContext) -> [Effect] {
    if context[Self.setting] { return [] }
    (share, step, start) = (0.15, 0, context.now())
    return [next]
  }

  /// Advances the flip on its own timer; returns nil for other messages.
  mutating func receive(_ message: Message, at now: Instant) -> [Effect]? {
    guard case .timer(let id) = message, id.name.hasPrefix(Self.prefix) else { return nil }
    guard id == timer, let start else { return [] }
    step += 1
    let passed = now.seconds(since: start) / (Double(Self.steps) * Self.stepInSeconds)
    share = min(1, max(Double(step) / Double(Self.steps), passed))
    return share < 1 ? [next] : []
  }

  private static let prefix = "flip-"

  // Each step has its own timer, so that waiting for idle waits for all of them.
  private var timer: EffectID { EffectID(Self.prefix + "\(step)") }

  private var next: Effect { .timer(timer, seconds: Self.stepInSeconds, repeats: false) }

  /// Returns the view at the current progress.
  @MainActor func turned(_ view: any View) -> any View { share < 1 ? FlipView(view: view, share: share) : view }
}
