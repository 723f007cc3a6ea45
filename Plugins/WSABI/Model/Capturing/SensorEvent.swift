import PluginAPI

/// An event at a sensor as notifications carry it: the sensor and the item; never the content of a capture.
///
/// Fields that an event does not have are nil.
struct SensorEvent: Model {
  /// The kind of an event.
  enum Kind: String, CaseIterable, ReadableField {
    case connected
    case step
    case capturing
    case waiting
    case held
    case captured
    case stored
    case lost
    case prepared
    case ended
    case finished
    case trouble
    case stolen
    case leftLock = "left-lock"
    case lockKept = "lock-kept"
  }

  var kind: Kind
  var item: Int?
  var address: String?
  /// The protocol operation.
  var operation: String?
  /// The status of the response.
  var status: String?
  /// The outcome, as one word.
  var outcome: String?
  var reason: String?
  /// The message of the service.
  var message: String?
  /// The waiting time in milliseconds.
  var milliseconds: Int?
  /// The number of captures to download.
  var count: Int?
  /// The number of the capture in the store.
  var capture: Int?
  /// True if the sensor can capture now.
  var isReady: Bool?
  /// True if a lock was released.
  var isGivenBack: Bool?

  static let typeName = "wsabi.sensor-event"
  static let fields = Fields<SensorEvent> {
    Field("event", \.kind, "Kind of event")
    Field("item", \.item, "Number of the item")
    Field("address", \.address, "Address of the sensor")
    Field("operation", \.operation, "Protocol operation")
    Field("status", \.status, "Status of the response")
    Field("outcome", \.outcome, "Outcome, as one word")
    Field("reason", \.reason, "Reason")
    Field("message", \.message, "Message of the service")
    Field("milliseconds", \.milliseconds, "Waiting time in milliseconds")
    Field("count", \.count, "Number of captures to download")
    Field("capture", \.capture, "Number of the capture in the store")
    Field("isReady", \.isReady, "True if the sensor can capture now")
    Field("isGivenBack", \.isGivenBack, "True if a lock was released")
  }
}
