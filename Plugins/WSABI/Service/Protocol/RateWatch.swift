/// A detector of responses that arrive too slowly to finish.
struct RateWatch {
  private let minimumInBytesPerSecond: Int
  private let windowInSeconds: Double
  private var start: Double?
  private var received = 0

  init(minimumInBytesPerSecond: Int, windowInSeconds: Double) {
    self.minimumInBytesPerSecond = minimumInBytesPerSecond
    self.windowInSeconds = windowInSeconds
  }

  /// Starts a new window with the next piece, as after a pause in reading.
  mutating func restart() { start = nil }

  /// Notes received bytes.
  ///
  /// - Parameter seconds: A time that never goes back.
  /// - Returns: The rate in bytes a second, if it was too low over a whole window; nil if all is well.
  mutating func take(_ count: Int, at seconds: Double) -> Int? {
    guard let begun = start else {
      (start, received) = (seconds, count)
      return nil
    }
    received += count
    let passed = seconds - begun
    if passed < windowInSeconds { return nil }
    let rate = Int(Double(received) / passed)
    (start, received) = (seconds, 0)
    return rate < minimumInBytesPerSecond ? rate : nil
  }
}
