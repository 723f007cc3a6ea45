import PluginAPI

/// Since when this program has seen that others hold the locks of sensors, by their addresses.
///
/// Services tell that somebody has the lock, not since when; what was seen is kept for as long as nobody here gets it.
struct LockSightings: Sendable {
  /// The observation of a lock held by another client.
  struct Sighting: Sendable, Hashable {
    /// The times of the first and the last observation, without a long gap in between.
    var first: Instant
    var last: Instant
    /// The service's last message about it; empty for none.
    var message: String
  }

  /// After how long without a look nobody knows whether it is the same holder still, in seconds.
  static let longestGapInSeconds = 300.0

  private var sightings: [String: Sighting] = [:]

  /// Returns the sighting of the lock of the sensor at an address; nil if no other holder is known.
  subscript(address: SensorAddress) -> Sighting? { sightings[address.text] }

  /// Takes what happened at a sensor.
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
