import PluginAPI

/// The views before and after the one that is shown, for taking changes back and doing them again.
struct ViewerHistory: Equatable, Sendable {
  /// More than this many steps back are forgotten.
  static let limit = 200
  /// Changes of one kind that follow each other faster are one step, in seconds.
  static let pauseInSeconds = 1.0

  private(set) var past: [ViewerState] = []
  private(set) var future: [ViewerState] = []
  private var lastKind: String?
  private var lastTime: Instant?

  /// Notes the view before a change.
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

  /// Ends a run of changes: the next one is a step of its own.
  mutating func endRun() { lastKind = nil }

  /// The view to go back to; nil if there is none.
  mutating func undo(from current: ViewerState) -> ViewerState? {
    guard let state = past.popLast() else { return nil }
    future.append(current)
    endRun()
    return state
  }

  /// The view to go on to; nil if there is none.
  mutating func redo(from current: ViewerState) -> ViewerState? {
    guard let state = future.popLast() else { return nil }
    past.append(current)
    endRun()
    return state
  }
}
