/// A request to a service: an operation with its arguments.
struct SensorRequest: Sendable, Hashable {
  var operation: SensorOperation
  /// The requesting session, for operations that need one, and for streams restricted to the holder of the lock.
  var session: SensorUUID?
  /// The captured data, for the four kinds of download.
  var capture: SensorUUID?
  /// The largest size of a thrifty download, from 1; for pictures the longest edge in pixels.
  var maxSize: Int?
  /// The configuration for `setConfiguration`.
  var configuration: WireDictionary?
  /// The name of a stream.
  var stream: String?
  /// The time for all of it, repetitions included.
  var deadlineInSeconds: Double

  init(
    _ operation: SensorOperation, session: SensorUUID? = nil, capture: SensorUUID? = nil, maxSize: Int? = nil,
    configuration: WireDictionary? = nil, stream: String? = nil, deadlineInSeconds: Double = 30
  ) {
    self.operation = operation
    self.session = session
    self.capture = capture
    self.maxSize = maxSize
    self.configuration = configuration
    self.stream = stream
    self.deadlineInSeconds = deadlineInSeconds
  }
}
