/// An event of a link.
///
/// Every event of a capture names its item, under which it is filed.
enum LinkNote: Sendable, Hashable {
  /// A link is ready to capture, or is not any more.
  case connected(SensorAddress, isReady: Bool)
  /// A step was requested, or got a response, for a trace.
  case stepped(SensorAddress, SequenceStep, OperationStatus?)
  /// A capture of an item began, and can be stopped.
  case capturing(item: Int, SensorAddress)
  /// The sensor is waited for.
  case waiting(item: Int, SensorAddress, because: OperationStatus, milliseconds: Int)
  /// Another client has the lock; the service's message about it, often empty.
  case held(SensorAddress, message: String)
  /// The service has captured; these ids will be downloaded.
  case captured(item: Int, SensorAddress, ids: [SensorUUID])
  /// Data is stored, whole.
  case stored(item: Int, CaptureRecord)
  /// Data of an id is no longer available.
  case lost(item: Int, SensorAddress, SensorUUID, reason: String)
  /// A sensor was configured ahead of a capture of an item, or this failed; a capture may be in progress meanwhile.
  case prepared(item: Int, SensorAddress, SequenceOutcome)
  /// A capture of an item ended otherwise than with captured data.
  case ended(item: Int, SensorAddress, SequenceOutcome)
  /// A fact could not be written down yet, and is retried.
  case trouble(item: Int, SensorAddress, reason: String)
  /// The lock was stolen from another client; audited.
  case stolen(SensorAddress)
  /// A lock left by a process that has ended was released, which is audited, or the sensor did not confirm its release.
  case leftLock(SensorAddress, isGivenBack: Bool)
}
