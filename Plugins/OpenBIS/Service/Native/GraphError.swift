import PluginAPI

/// Errors that make a V3 response useless.
enum GraphError: Error, Equatable, ReportableError {
  /// A reference to an object that was not sent before.
  case forwardReference(String, id: String)
  /// Two objects with the same number.
  case repeatedID(String)
  /// A value of an unexpected form.
  case otherShape(expected: String, found: String)

  /// The predicate of a sentence about the response.
  var words: String {
    switch self {
    case .forwardReference(let member, let id): "refers to object \(id) in '\(member)' before it was written"
    case .repeatedID(let id): "has two objects numbered \(id)"
    case .otherShape(let expected, let found): "has \(found) where \(expected) should be"
    }
  }

  var report: ErrorReport { report("the server's answer \(words)") }

  /// Returns the report on the response to a call.
  func report(on place: RPCPlace) -> ErrorReport {
    var report = report("the answer to \(place) \(words)")
    report.details = ["method": .text(place.method), "server": .text(place.server)]
    return report
  }

  private func report(_ message: String) -> ErrorReport {
    let code =
      switch self {
      case .forwardReference: "forward-reference"
      case .repeatedID: "repeated-id"
      case .otherShape: "shape"
      }
    return ErrorReport(
      code: "openbis.graph-" + code, kind: .network, message,
      advice: "try again; if it stays so, look whether the server is an openBIS of version 18 or later")
  }

  /// The stable error codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("openbis.graph-forward-reference", "an answer of V3 refers to an object that it did not write before"),
    .init("openbis.graph-repeated-id", "an answer of V3 has two objects of the same number"),
    .init("openbis.graph-shape", "an answer of V3 has another form than the method promises"),
  ]
}
