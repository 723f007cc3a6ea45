import PluginAPI

/// The times since which other clients were seen to hold the locks of sensors, by address.
///
/// Services report that a lock is held, not since when; a sighting is kept until this program gets the lock.
struct LockSightings: Sendable {
  /// The observation of a lock held by another client.
  struct Sighting: Sendable, Hashable {
    /// The times of the first and the last observation, without a long gap in between.
    var first: Instant
    var last: Instant
    /// The service's last message about it; empty for none.
    var message: String
  }

  /// The gap between two observations after which the holder may be another one, in seconds.
  static let longestGapInSeconds = 300.0

  private var sightings: [String: Sighting] = [:]

  /// Returns the sighting of the lock of the sensor at an address; nil if no other holder is known.
  subscript(address: SensorAddress) -> Sighting? { sightings[address.text] }

  /// Handles an event of a sensor.
  mutating func take(_ note: LinkNote, at time: Instant) {
    switch note {
    case .held(let address, let message):
      let before = sightings[address.text]
      let isRecent = before.map { time.seconds(since: $0.last) <= Self.longestGapInSeconds } ?? false
      let first = isRecent ? before?.first ?? time : time
      sightings[address.text] = Sighting(first: first, last: time, message: message)
    case .stepped(let address, .lock, .success): sightings[address.text] = nil
    default: break
    }
  }
}
