import PluginAPI

/// The reads of a list that follows a changing store.
///
/// A pure state machine: changes that come close together cause one read, and no read is restarted by a change, or it
/// would never end.
struct ListRefresh: Sendable {
  /// The shortest interval between two reads, in seconds; longer if reading is slow.
  private static let shortestInSeconds = 0.05
  private static let longestInSeconds = 1.0

  private struct Reading {
    var since: Instant
    /// True if the list changed while it was read.
    var isOutdated = false
  }

  private var reading: Reading?
  /// True while a timer runs until the next read.
  private var isScheduled = false
  private var pauseInSeconds = shortestInSeconds

  var isReading: Bool { reading != nil }

  /// Handles the start of a read, which may replace one in progress.
  mutating func began(at now: Instant) { reading = Reading(since: now) }

  /// Handles the end of a read.
  ///
  /// - Returns: The seconds of the timer to start; nil for none.
  mutating func ended(at now: Instant) -> Double? {
    guard let ended = reading else { return nil }
    reading = nil
    // While hundreds of captures change the list, three quarters of the time are left to them.
    pauseInSeconds = min(Self.longestInSeconds, max(Self.shortestInSeconds, 3 * now.seconds(since: ended.since)))
    return ended.isOutdated ? changed() : nil
  }

  /// Handles a change of the list.
  ///
  /// - Returns: The seconds of the timer to start; nil for none.
  mutating func changed() -> Double? {
    if isScheduled { return nil }
    isScheduled = true
    return pauseInSeconds
  }

  /// Handles the end of the timer.
  ///
  /// - Returns: True if the list is to be read now.
  mutating func timerFired() -> Bool {
    isScheduled = false
    reading?.isOutdated = true
    return reading == nil
  }
}
