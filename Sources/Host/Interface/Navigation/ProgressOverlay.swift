import PluginAPI

/// Progress that a plugin reports by notifications rather than by an effect.
///
/// A plugin that declares the topics `NAME-started`, `NAME-updated` and `NAME-ended` gets the progress overlay from
/// the first to the last of them; the payload's `label` and `fraction` are shown.
struct NotifiedProgress {
  let progress: Progress
  let startedAt: ContinuousClock.Instant

  /// Returns the names for which a plugin declares all three topics.
  static func names(in contributions: StoredContributions) -> [String] {
    let topics = Set(contributions.topics.map(\.name))
    return contributions.topics.map(\.name).filter { $0.hasSuffix("-started") }.map { String($0.dropLast(8)) }
      .filter { topics.contains($0 + "-updated") && topics.contains($0 + "-ended") }
  }

  /// Returns the progress in a payload; if it has no label, the previous one is kept.
  static func progress(_ payload: Value, before: Progress?, topic: String) -> Progress {
    let label = payload["label"].text ?? before?.label ?? topic.split(separator: "-").joined(separator: " ")
    return Progress(label, fraction: payload["fraction"].number)
  }
}

/// The progress of work that has run long enough to be shown over its screen.
@MainActor final class ProgressOverlay {
  private let session: HostSession
  private let delayInSeconds: Double
  /// Called when work that a plugin reported has ended.
  private let onEnd: @MainActor () -> Void
  /// Progress reported by notifications, by plugin.
  private var notified: [String: NotifiedProgress] = [:]
  private var watchedPlugins: Set<String> = []
  /// The animation phase of progress bars without a known end.
  private var phase = 0
  private var phaseTimer: (any Cancellable)?

  init(session: HostSession, delayInSeconds: Double, onEnd: @escaping @MainActor () -> Void) {
    self.session = session
    self.delayInSeconds = delayInSeconds
    self.onEnd = onEnd
  }

  /// The times at which work reported by notifications began.
  var notifiedStarts: [ContinuousClock.Instant] { notified.values.map(\.startedAt) }

  /// True while progress bars without a known end move.
  var isAnimated: Bool { phaseTimer != nil }

  /// Returns the progress of a screen's work that has run long enough to be shown.
  func view(of screen: Screen) -> ProgressView? {
    let delay = Duration.seconds(delayInSeconds)
    if let effect = screen.running.first(where: { ContinuousClock.now - $0.startedAt >= delay }) {
      return ProgressView(effect.progress ?? Progress(effect.label), phase: phase, hint: "esc cancels")
    }
    guard let plugin = screen.plugin, screen.hostController == nil, let told = notified[plugin],
      ContinuousClock.now - told.startedAt >= delay
    else { return nil }
    return ProgressView(told.progress, phase: phase)
  }

  /// Starts the animation, and a turn of the loop when progress is to be shown; the bar moves on with the phase.
  func workStarted() {
    wakeWhenShown()
    if phaseTimer == nil {
      phaseTimer = session.loop.schedule(after: 0.4, every: 0.1) { [weak self] in self?.phase += 1 }
    }
  }

  /// Stops the animation.
  func stop() {
    phaseTimer?.cancel()
    (phaseTimer, phase) = (nil, 0)
  }

  private func wakeWhenShown() { _ = session.loop.schedule(after: delayInSeconds, every: nil) {} }

  /// Subscribes to a plugin's progress notifications; once per plugin.
  func watch(_ plugin: String) {
    guard watchedPlugins.insert(plugin).inserted, let known = session.plugins.contributions(of: plugin) else { return }
    for name in NotifiedProgress.names(in: known) {
      let topic = plugin + "." + name
      _ = session.notifications.subscribe(topic + "-started") { [weak self] in
        self?.changed(plugin, name, $0.payload, isNew: true)
      }
      _ = session.notifications.subscribe(topic + "-updated") { [weak self] in
        self?.changed(plugin, name, $0.payload, isNew: false)
      }
      _ = session.notifications.subscribe(topic + "-ended") { [weak self] _ in
        self?.notified[plugin] = nil
        // The work may have ended before this was delivered.
        self?.onEnd()
      }
    }
  }

  private func changed(_ plugin: String, _ name: String, _ payload: Value, isNew: Bool) {
    let before = notified[plugin]
    let progress = NotifiedProgress.progress(payload, before: isNew ? nil : before?.progress, topic: name)
    let start = isNew ? .now : before?.startedAt ?? .now
    notified[plugin] = NotifiedProgress(progress: progress, startedAt: start)
    if isNew { wakeWhenShown() }
  }
}
