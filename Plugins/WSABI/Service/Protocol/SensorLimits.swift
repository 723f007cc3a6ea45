/// What is taken of a service, which may be broken or hostile.
struct SensorLimits: Sendable, Hashable {
  /// How large a document without data of a sensor may be.
  var documentInBytes = 4 << 20
  /// How large the data of one capture may be, decoded; the setting 'largest-capture' says it.
  var dataInBytes = 512 << 20
  /// How deep elements may be nested.
  var depth = 32
  /// How many elements a document may have.
  var elements = 100_000
  /// How long a key, a name or a type may be.
  var nameInBytes = 4096
  /// How many ids one capture may have; those beyond are left out, which the answer tells.
  var captureIDs = 10_000
  /// How often a request that may be repeated is asked again when its answer was lost.
  var repeatLimit = 3
  /// The time before the first repetition; each next one takes twice as long.
  var firstDelayInSeconds = 0.25
  /// Ends a transfer when so many seconds go by without a byte; the sensor's own operations only have their deadline.
  var stallInSeconds = 30
  /// Ends a transfer that is slower than this once it began.
  var minimumRateInBytesPerSecond = 1024
  /// Over how long the rate is taken.
  var rateWindowInSeconds = 10.0
  /// How large a frame of a live preview may be.
  var frameInBytes = 16 << 20

  init() {}
}
