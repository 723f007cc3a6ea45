import PluginAPI
import PluginServer

/// Errors that prevent the start of a simulated server.
enum SimulatorError: Error, Equatable {
  case unknownFault(String, nearest: String?)
  case badUser
  /// A number of entities was given for a lab of fixed size.
  case fixedSize(shape: String)
  case noCertificate(String)
  case server(ServerError)

  static let errorCodes: [ErrorCodeDescription] =
    ServerError.errorCodes + [
      ErrorCodeDescription("openbis.unknown-fault", "the simulator has no fault of that name"),
      ErrorCodeDescription("openbis.bad-simulated-user", "a user of the simulator is not written as NAME:PASSWORD"),
      ErrorCodeDescription("openbis.fixed-size", "only a plain lab has as many entities as one likes"),
      ErrorCodeDescription("openbis.no-certificate", "the simulator could make no certificate for HTTPS"),
    ]
}

extension SimulatorError: ReportableError, CustomStringConvertible {
  var report: ErrorReport {
    switch self {
    case .unknownFault(let name, let nearest):
      ErrorReport(
        code: "openbis.unknown-fault", kind: .usage, "there is no fault '\(name)'",
        advice: nearest.map { "the nearest is '\($0)'; '--fault list' shows all" } ?? "'--fault list' shows all")
    case .badUser:
      ErrorReport(
        code: "openbis.bad-simulated-user", kind: .usage, "a user of the simulator has no name or no password",
        advice: "write it as NAME:PASSWORD")
    case .fixedSize(let shape):
      ErrorReport(
        code: "openbis.fixed-size", kind: .usage, "the lab '\(shape)' has as many entities as it has",
        advice: "leave out '--entities', or take '--shape plain'", details: ["shape": .text(shape)])
    case .noCertificate(let reason):
      ErrorReport(
        code: "openbis.no-certificate", kind: .failure, "no certificate could be made: \(reason)",
        advice: "install openssl, or leave out --tls")
    case .server(let error): error.report
    }
  }

  var description: String { report.description }
}
