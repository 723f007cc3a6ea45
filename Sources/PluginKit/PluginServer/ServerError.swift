public import PluginAPI

/// An error of a server.
@frozen
public enum ServerError: Error, Equatable, Sendable {
  /// Another process uses the port.
  case portTaken(address: String, port: Int)
  /// The system refuses the address; the reason is its message.
  case notListening(address: String, port: Int, reason: String)
  /// The address does not belong to this machine, or is not an address.
  case badAddress(String)
  /// The certificate and key are not a matching pair of PEM files.
  case badCertificate
  /// The server cannot be started.
  case notStarted
  /// The body of a request exceeds the limit.
  case bodyTooLarge(limitInBytes: Int)
  /// The system's libmicrohttpd is missing or unsuitable.
  case libraryMissing(reason: String)
}

extension ServerError: ReportableError, CustomStringConvertible {
  /// The error as users and scripts see it; the exit status is 6, network, or 1.
  public var report: ErrorReport {
    switch self {
    case .portTaken(let address, let port):
      ErrorReport(
        code: "server.port-taken", kind: .network, "port \(port) of '\(address)' is in use by another program",
        advice: "choose another port, or 0 for a free one", isRetryable: true)
    case .notListening(let address, let port, let reason):
      ErrorReport(
        code: "server.not-listening", kind: .network, "cannot listen on port \(port) of '\(address)': \(reason)",
        advice: "choose another port, or 0 for a free one")
    case .badAddress(let address):
      ErrorReport(
        code: "server.bad-address", kind: .usage, "'\(address)' is not an address of this machine",
        advice: "write it in numbers, such as 127.0.0.1 or ::1")
    case .badCertificate:
      ErrorReport(
        code: "server.bad-certificate", kind: .unusableInput, "cannot use the certificate and its key",
        advice: "specify both as PEM, the key without a password")
    case .notStarted:
      ErrorReport(code: "server.not-started", kind: .failure, "cannot start the server: no memory or thread available")
    case .bodyTooLarge(let limit):
      ErrorReport(
        code: "server.body-too-large", kind: .unusableInput,
        "the request body is larger than the limit of \(limit) bytes", advice: "send less, or raise the limit")
    case .libraryMissing(let reason):
      ErrorReport(
        code: "server.library-missing", kind: .failure, "cannot use libmicrohttpd: \(reason)",
        advice: "install it with 'sudo apt-get install libmicrohttpd12'")
    }
  }

  /// The error in words.
  public var description: String { report.description }

  /// The stable codes.
  public static let errorCodes: [ErrorCodeDescription] = [
    .init("server.port-taken", "another program uses the port"),
    .init("server.not-listening", "the port cannot be used"),
    .init("server.bad-address", "the address does not belong to this machine"),
    .init("server.bad-certificate", "the certificate and key are not a PEM pair"),
    .init("server.not-started", "the server cannot be started"),
    .init("server.body-too-large", "the request body is too large"),
    .init("server.library-missing", "the system library libmicrohttpd is not installed"),
  ]
}
