import PluginAPI
import PluginServer

/// The reason simulated sensors do not start.
enum SimulatorError: Error, Equatable {
  case unknownFault(String, nearest: String?)
  /// A rule of a fault cannot be read.
  case badFaultRule(String, reason: String)
  /// The certificate or its key is not there.
  case badCertificateFile(reason: String)
  case server(ServerError)
  /// The sensors cannot be announced.
  case notAnnounced(reason: String)

  static let errorCodes: [ErrorCodeDescription] =
    ServerError.errorCodes + [
      ErrorCodeDescription("wsabi.unknown-fault", "the simulator has no fault of that name"),
      ErrorCodeDescription(
        "wsabi.simulator-certificate", "a certificate for simulated sensors, or its key, is not there"),
      ErrorCodeDescription("wsabi.not-announced", "simulated sensors cannot be announced on the loopback interface"),
      ErrorCodeDescription("wsabi.bad-fault-rule", "it cannot be read when a fault of the simulator shows"),
    ]
}

extension SimulatorError: ReportableError, CustomStringConvertible {
  var report: ErrorReport {
    switch self {
    case .unknownFault(let name, let nearest):
      ErrorReport(
        code: "wsabi.unknown-fault", kind: .usage, "there is no fault '\(name)'",
        advice: nearest.map { "the nearest is '\($0)'; '--fault list' shows all" } ?? "'--fault list' shows all")
    case .badFaultRule(let rule, let reason):
      ErrorReport(
        code: "wsabi.bad-fault-rule", kind: .usage, "the fault '\(rule)' cannot be read: \(reason)",
        advice: "write it as NAME[@OPERATION][#CALL[-[CALL]]][:SENSOR][~PERCENT][+TIMES][=VALUE]")
    case .badCertificateFile(let reason):
      ErrorReport(
        code: "wsabi.simulator-certificate", kind: .unusableInput, reason,
        advice: "name both by '--certificate' and '--key', as PEM, or neither")
    case .server(let error): error.report
    case .notAnnounced(let reason):
      ErrorReport(
        code: "wsabi.not-announced", kind: .unusableInput, "the sensors cannot be announced: \(reason)",
        advice: "leave out '--announce', or name another port by '--announce-port'")
    }
  }

  var description: String { report.description }
}
