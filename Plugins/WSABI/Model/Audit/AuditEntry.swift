import PluginAPI
import PluginText

/// An action, the records it concerned, and its outcome; never a captured value or text about a person.
struct AuditEvent: Sendable, Hashable {
  var action: AuditAction
  var person: Int?
  var item: Int?
  /// The store's number of the capture.
  var capture: Int?
  /// The address of the sensor.
  var address: String?
  var session: SensorUUID?
  /// The service's id of the data.
  var captureID: SensorUUID?
  /// The hash of the data, 32 bytes; empty if there is none.
  var sha256: [UInt8] = []
  /// A word or two, such as `success`, `refused` or an error code; empty if everything went as the action says.
  var outcome = ""

  init(
    _ action: AuditAction, person: Int? = nil, item: Int? = nil, capture: Int? = nil, address: String? = nil,
    outcome: String = ""
  ) {
    self.action = action
    self.person = person
    self.item = item
    self.capture = capture
    self.address = address
    self.outcome = outcome
  }
}

/// An entry of the audit log.
struct AuditEntry: Sendable, Hashable {
  /// From 1, without gaps.
  var number: Int
  var at: Instant
  /// The user who acted; empty before anyone opened the store.
  var user: String
  var role: Role?
  var event: AuditEvent
}

/// The result of verifying the audit log.
struct AuditVerdict: Sendable, Hashable {
  /// The number of entries that must exist.
  var count: Int
  /// The first entry that is not as it was written; nil if all are.
  var firstBad: BadEntry?

  /// True if nothing was changed, removed, added or moved.
  var isWhole: Bool { firstBad == nil }

  /// An entry that is not as it was written.
  struct BadEntry: Sendable, Hashable {
    /// The number it has, or should have.
    var number: Int
    var fault: Fault
  }

  /// The fault of an entry.
  enum Fault: String, Sendable, Hashable {
    /// The entry was changed, or replaced by another one.
    case changed
    /// The entry is missing, or, at the end of the log, later changes of records have no entry.
    case missing
    /// It was not written by the store.
    case added
  }
}

/// The last entry of a log, by its number and code.
///
/// A copy noted elsewhere can prove later that the log still has the entry.
///
/// The code of an entry follows from all entries before it, so that a log that was put back and has grown since has
/// another one.
struct AuditHead: Sendable, Hashable {
  /// From 1; 0 of a log without entries.
  var number: Int
  var code: [UInt8]

  init(number: Int, code: [UInt8]) { (self.number, self.code) = (number, code) }

  /// Reads the form of ``text``; nil if it is not that.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), number >= 0 else { return nil }
    guard let code = Hexadecimal.bytes(parts[1]), !code.isEmpty else { return nil }
    (self.number, self.code) = (number, code)
  }

  /// The number and the code in hexadecimal digits, as in `120:0f3a…`.
  var text: String { "\(number):" + Hexadecimal.text(code) }
}

/// The kind of an audit log entry.
enum AuditAction: String, CaseIterable, Sendable {
  case storeCreated
  case unlocked
  case locked
  case peopleListed
  case personRead
  case itemRead
  case captureRead
  case personAdded
  case personEdited
  case personDuplicated
  case personDeleted
  case itemAdded
  case itemEdited
  case itemAnnotated
  case itemCleared
  case itemDeleted
  case captureAsked
  case captureAnswered
  case captureKept
  case captureLost
  case captureEnded
  case captureDeleted
  case captureRefused
  case captureScored
  case captureImported
  /// An operation that another client began at a sensor was canceled.
  case sensorUsed
  case sensorStolen
  case lockGivenBack
  case lockForgotten
  case sensorForgotten
  case sensorRemembered
  case exported
  case imported
  case auditRead
  case permissionRefused
  case userAdded
  case userChanged
  case userRemoved
  case keyChanged
  case masterKeyChanged
  case purged
  /// A backup replaced the records; the outcome names the log entry at which it was made.
  case restored
}
