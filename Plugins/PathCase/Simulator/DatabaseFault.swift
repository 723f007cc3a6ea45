internal import PluginSimulation

/// A rule that decides when a simulated service produces a fault; its operation is the path of a document.
typealias DatabaseFaultRule = FaultRule<DatabaseFault>

/// A fault that a simulated service can produce.
enum DatabaseFault: String, SimulatedFault {
  /// The response is delayed.
  case delay
  /// The connection is reset during the response.
  case reset
  /// The connection ends during the response.
  case cut
  /// The stated length exceeds the actual one.
  case overstated
  /// Half of the document is sent as if it were complete.
  case shortBody = "short-body"
  /// The response stops after its first half.
  case stall
  /// The server fails.
  case error500 = "error-500"
  /// The server is busy.
  case busy503 = "busy-503"
  /// The server demands fewer requests.
  case tooMany429 = "too-many-429"
  /// The document does not exist.
  case missing404 = "missing-404"
  /// The address redirects to itself.
  case redirectLoop = "redirect-loop"
  /// One letter of the document is altered.
  case hashMismatch = "hash-mismatch"
  /// The document belongs to a later state of the database.
  case mixedSnapshot = "mixed-snapshot"
  /// A web page is sent with status 200.
  case webPage = "web-page"
  /// A fault of the service is sent in an envelope.
  case soapFault = "soap-fault"
  /// The bytes are sent a few at a time.
  case drip
  /// The address redirects to another one, which has the document.
  case redirect
  /// The document is truncated, and the manifest was computed from the truncated form.
  case malformed

  /// The description in one line.
  var summary: String {
    switch self {
    case .delay: "the response is delayed by '--delay'"
    case .reset: "the connection is reset during the response"
    case .cut: "the connection ends during the response"
    case .overstated: "the stated length exceeds the actual one"
    case .shortBody: "half of the document is sent as if it were complete"
    case .stall: "the response stops after its first half"
    case .error500: "the server fails with status 500"
    case .busy503: "the server is busy: status 503"
    case .tooMany429: "the server demands fewer requests: status 429"
    case .missing404: "the document does not exist: status 404"
    case .redirectLoop: "the address redirects to itself"
    case .hashMismatch: "one letter of the document is altered"
    case .mixedSnapshot: "the document belongs to a later version of the database"
    case .webPage: "a web page is sent with status 200"
    case .soapFault: "a fault of the service is sent in an envelope"
    case .drip: "the bytes are sent a few at a time"
    case .redirect: "the address redirects to another one, which has the document"
    case .malformed: "the document is truncated, and the manifest matches it"
    }
  }
}
