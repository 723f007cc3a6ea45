/// Limits on the responses of a service, which may be broken or hostile.
struct SensorLimits: Sendable, Hashable {
  /// The largest document without sensor data, in bytes.
  var documentInBytes = 4 << 20
  /// The largest decoded data of one capture, in bytes; set by 'largest-capture'.
  var dataInBytes = 512 << 20
  /// The maximum nesting depth of elements.
  var depth = 32
  /// The largest number of elements in a document.
  var elements = 100_000
  /// The longest key, name or type, in bytes.
  var nameInBytes = 4096
  /// The largest number of ids per capture; the rest are left out, which the response reports.
  var captureIDs = 10_000
  /// The number of times an idempotent request is repeated after a lost response.
  var repeatLimit = 3
  /// The wait before the first retry; it doubles with each further one.
  var firstDelayInSeconds = 0.25
  /// The number of seconds without a byte after which a transfer ends; the sensor's own operations only have their
  /// deadline.
  var stallInSeconds = 30
  /// Ends a transfer that is slower than this once it began.
  var minimumRateInBytesPerSecond = 1024
  /// The length of the window over which the rate is measured.
  var rateWindowInSeconds = 10.0
  /// The largest frame of a live preview, in bytes.
  var frameInBytes = 16 << 20

  init() {}
}
