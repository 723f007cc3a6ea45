import PluginAPI

/// Progress that a plugin reports by notifications rather than by an effect.
///
/// A plugin that declares the topics `NAME-started`, `NAME-updated` and `NAME-ended` gets the progress overlay from
/// the first to the last of them; the payload's `label` and `fraction` are shown.
struct NotifiedProgress {
  var topic: String
  var progress: Progress
  var startedAt: ContinuousClock.Instant

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

extension Navigator {
  /// Subscribes to a plugin's progress notifications; once per plugin.
  func watchProgress(of plugin: String) {
    guard watchedPlugins.insert(plugin).inserted, let known = session.plugins.contributions(of: plugin) else { return }
    for name in NotifiedProgress.names(in: known) {
      let topic = plugin + "." + name
      _ = session.notifications.subscribe(topic + "-started") { [weak self] in
        self?.progressChanged(plugin, name, $0.payload, isNew: true)
      }
      _ = session.notifications.subscribe(topic + "-updated") { [weak self] in
        self?.progressChanged(plugin, name, $0.payload, isNew: false)
      }
      _ = session.notifications.subscribe(topic + "-ended") { [weak self] _ in
        self?.notified[plugin] = nil
        // The work may have ended before this was delivered.
        self?.workChanged()
      }
    }
  }

  private func progressChanged(_ plugin: String, _ name: String, _ payload: Value, isNew: Bool) {
    let before = notified[plugin]
    let progress = NotifiedProgress.progress(payload, before: isNew ? nil : before?.progress, topic: name)
    let start = isNew ? .now : before?.startedAt ?? .now
    notified[plugin] = NotifiedProgress(topic: name, progress: progress, startedAt: start)
    if isNew { _ = session.loop.schedule(after: setup.overlayDelayInSeconds, every: nil) {} }
  }
}
