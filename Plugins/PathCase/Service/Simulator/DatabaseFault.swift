/// What a simulated service does wrong.
enum DatabaseFault: String, Sendable, CaseIterable {
  /// The answer comes after a while.
  case delay
  /// The connection is reset within the answer.
  case reset
  /// The connection ends within the answer.
  case cut
  /// The length is stated as more than there is.
  case overstated
  /// Half of the document comes as if it were all.
  case shortBody = "short-body"
  /// Nothing more comes after the first bytes.
  case stall
  /// The server fails.
  case error500 = "error-500"
  /// The server is busy.
  case busy503 = "busy-503"
  /// The server wants fewer requests.
  case tooMany429 = "too-many-429"
  /// The document is not there.
  case missing404 = "missing-404"
  /// The address leads to itself.
  case redirectLoop = "redirect-loop"
  /// A letter of the document is another one.
  case hashMismatch = "hash-mismatch"
  /// The document belongs to a later state of the database.
  case mixedSnapshot = "mixed-snapshot"
  /// A web page comes with status 200.
  case webPage = "web-page"
  /// A failure of the service comes in an envelope.
  case soapFault = "soap-fault"
}

/// When a simulated service does something wrong.
struct DatabaseFaultRule: Sendable, Hashable {
  var fault: DatabaseFault
  /// The document; nil for each.
  var path: String?
  /// How often, for each document; nil for ever.
  var times: Int?

  /// Whether it holds for a request.
  ///
  /// - Parameter number: How often the document was asked for before.
  func holds(for path: String, number: Int) -> Bool {
    (self.path == nil || self.path == path) && (times.map { number < $0 } ?? true)
  }
}
