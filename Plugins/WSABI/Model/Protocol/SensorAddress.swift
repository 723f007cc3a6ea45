/// The base address of a service, in the one spelling by which links are shared.
///
/// `localhost:8000/Service/` becomes `http://localhost:8000/Service`: a missing scheme is http, scheme and host are in
/// lower case, the usual port and slashes at the end go. Names and passwords in it, fragments, queries and other schemes
/// are refused.
struct SensorAddress: Sendable, Hashable {
  /// The address without a slash at its end.
  let text: String
  /// The host without brackets, in lower case.
  let host: String
  let port: Int
  let isSecure: Bool
  /// The trust of the sensor; only the system's unless configured otherwise.
  var trust = SensorTrust()

  /// True if the host is this machine, so that no other machine can intervene.
  ///
  /// A name may begin with digits.
  var isOnLoopback: Bool {
    let isNumber = host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    return host == "localhost" || host == "::1" || isNumber && host.hasPrefix("127.")
  }

  /// True if third parties on the network can read and change the messages: plain HTTP to another machine.
  var isUnprotected: Bool { !isSecure && !isOnLoopback }

  /// Returns the address of a percent-encoded path below the service.
  func appending(_ path: String) -> String { "\(text)/\(path)" }
}
