import PluginAPI
import PluginText

/// The reason a text is not a sensor's address; never includes the text itself, which may hold a password.
enum AddressError: Error, Equatable, ReportableError {
  case empty
  /// It is longer than 2048 bytes.
  case tooLong
  /// Another scheme than http and https.
  case scheme(String)
  /// A user name or a password precedes the host.
  case credentials
  /// A query or a fragment is at its end.
  case extras
  /// The host is malformed: empty, or with characters that hosts cannot have.
  case host
  /// The port is not one from 1 to 65535.
  case port
  /// The path has characters that an address cannot have, or goes upward.
  case path
  /// There is a pin or a certificate for an address without encryption.
  case notSecure
  /// A pin is malformed.
  case pin
  /// A file with certificates or a key cannot be read; its path.
  case file(String)

  var report: ErrorReport {
    switch self {
    case .empty: make("the address of the sensor is empty", "name one, such as 'http://192.168.1.20:8000/Service'")
    case .tooLong: make("the address of the sensor is longer than 2048 bytes", "look at it")
    case .scheme(let scheme):
      make("'\(SanitizedText.line(scheme, limit: 20))' is no scheme of a sensor's address", "use http or https")
    case .credentials:
      make("the address of the sensor has a name or a password in it", "leave it out: sensors of WS-BD know neither")
    case .extras: make("the address of the sensor has a query or a fragment", "leave out what is behind '?' or '#'")
    case .host:
      make("the address of the sensor has no host that can be asked", "write a name in ASCII ('xn--…') or a number")
    case .port: make("the port of the sensor's address is no number from 1 to 65535", "look at what follows the ':'")
    case .notSecure:
      make("the sensor's address has a pin or certificates, and is not of https", "write it as 'https://…'")
    case .pin:
      make("the pin is not the 44 characters of a key's hash", "'workbench wsabi sensor certificate URI' shows it")
    case .file(let path):
      make("'\(SanitizedText.line(path, limit: 500))' cannot be read", "name a PEM file that this user can read")
    case .path:
      make("the path of the sensor's address has characters that need escapes", "write them as '%20' and the like")
    }
  }

  private func make(_ message: String, _ advice: String) -> ErrorReport {
    ErrorReport(code: "wsabi.bad-address", kind: .usage, message, advice: advice)
  }

  /// The stable codes.
  static let errorCodes = [ErrorCodeDescription("wsabi.bad-address", "the text is no address of a sensor")]
}
