import PluginAPI
import PluginText

/// The reason sensors cannot be searched for.
enum DiscoveryError: Error, Equatable, ReportableError {
  /// The user asked for no network.
  case offline
  /// The service type in the settings is malformed.
  case badType(String)
  /// No interface of that name is up; those that are.
  case noLink(String, all: [String])
  /// No interface is up, or the system denies multicast.
  case notAsked(reason: String)

  var report: ErrorReport {
    switch self {
    case .offline:
      ErrorReport(
        code: "wsabi.discovery-offline", kind: .refused, "no sensors are looked for: the network is switched off",
        advice: "leave out --offline")
    case .badType(let text):
      ErrorReport(
        code: "wsabi.discovery-type", kind: .usage,
        "'\(SanitizedText.line(text, limit: 40))' is no type of services",
        advice: "write it as '\(DiscoveryType.usual)' in the setting 'discovery-type'")
    case .noLink(let name, let all):
      ErrorReport(
        code: "wsabi.no-interface", kind: .usage, "no interface '\(SanitizedText.line(name, limit: 40))' can be asked",
        advice: all.isEmpty ? "look at 'ip address'" : "those that can are \(all.joined(separator: ", "))")
    case .notAsked(let reason):
      ErrorReport(
        code: "wsabi.not-discovered", kind: .network, "sensors cannot be looked for: \(reason)",
        advice: "look at 'ip address', or type the address of the sensor")
    }
  }

  /// The stable codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("wsabi.discovery-offline", "sensors cannot be looked for, as the network is switched off"),
    .init("wsabi.discovery-type", "the type under which sensors are looked for is none"),
    .init("wsabi.no-interface", "sensors shall be looked for on an interface that is not up"),
    .init("wsabi.not-discovered", "the system lets nobody be asked for sensors"),
  ]
}
