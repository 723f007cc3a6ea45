import PluginAPI
import PluginText

/// Entries of the audit log, with the result of its verification.
struct AuditPage: Model {
  /// The number of entries in the log.
  let count: Int
  /// The result of the verification; nil without one.
  let verdict: AuditVerdict?
  let entries: [AuditEntry]
  let head: AuditHead?

  static let typeName = WSABIValueType.log
  static let fields = Fields<AuditPage> {
    Field("count", \.count, "Number of entries in the log")
    Field("isWhole", \.verdict?.isWhole, "True if the log is intact; null without '--verify'")
    Field("firstBad", \.verdict?.firstBad?.number, "First damaged entry")
    Field("fault", \.verdict?.firstBad?.fault.rawValue, "Kind of damage")
    Field("entries", \.entries, "Entries, oldest first")
    Field("head", \.head?.text, "Number and code of the last entry, with '--head'")
  }
}

extension AuditEntry: Model {
  static let typeName = "wsabi.audit-entry"
  static let fields = Fields<AuditEntry> {
    Field("number", \.number, "Number of the entry, from 1 without gaps")
    Field("at", \.at, "Time of the entry")
    Field("user", \.user, "Name of the user; empty before the store was first opened")
    Field("role", \.role?.rawValue, "Role of the user")
    Field("action", \.event.action.rawValue, "Action")
    Field("person", \.event.person, "Number of the person")
    Field("item", \.event.item, "Number of the item")
    Field("capture", \.event.capture, "Number of the capture")
    Field("address", \.event.address, "Address of the sensor")
    Field(
      "session", \.event.session?.text,
      "Session of the request; a secret while it is open")
    Field("captureId", \.event.captureID?.text, "Capture id of the service")
    Field(
      "sha256", { $0.event.sha256.isEmpty ? nil : Hexadecimal.text($0.event.sha256) },
      "SHA-256 of the data, in hexadecimal digits")
    Field("outcome", \.event.outcome, "Outcome; empty on success")
  }
}
