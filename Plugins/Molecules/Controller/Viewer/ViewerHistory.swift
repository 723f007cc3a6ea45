import PluginAPI

/// The views before and after the current one, for undo and redo.
struct ViewerHistory: Equatable, Sendable {
  /// The largest number of undo steps.
  static let limit = 200
  /// The pause in seconds that separates changes of one kind into steps.
  static let pauseInSeconds = 1.0

  private(set) var past: [ViewerState] = []
  private(set) var future: [ViewerState] = []
  private var lastKind: String?
  private var lastTime: Instant?

  /// Records the view before a change.
  ///
  /// - Parameters:
  ///   - before: The view before.
  ///   - kind: What changed; nil for a change that is always a step of its own.
  ///   - now: The time of the change.
  mutating func note(_ before: ViewerState, kind: String?, at now: Instant) {
    defer { (lastKind, lastTime) = (kind, now) }
    future = []
    if let kind, kind == lastKind, let lastTime, now.seconds(since: lastTime) < Self.pauseInSeconds { return }
    past.append(before)
    if past.count > Self.limit { past.removeFirst() }
  }

  /// Ends a run of changes: the next one is a separate step.
  mutating func endRun() { lastKind = nil }

  /// Returns the previous view; nil if there is none.
  mutating func undo(from current: ViewerState) -> ViewerState? {
    guard let state = past.popLast() else { return nil }
    future.append(current)
    endRun()
    return state
  }

  /// Returns the next view; nil if there is none.
  mutating func redo(from current: ViewerState) -> ViewerState? {
    guard let state = future.popLast() else { return nil }
    past.append(current)
    endRun()
    return state
  }
}
