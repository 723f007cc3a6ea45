import PluginAPI

/// What makes an answer of V3 useless.
enum GraphError: Error, Equatable, ReportableError {
  /// A reference to an object that did not come before.
  case forwardReference(String, id: String)
  /// Two objects with the same number.
  case repeatedID(String)
  /// A value of another form than promised.
  case otherShape(expected: String, found: String)

  var report: ErrorReport {
    switch self {
    case .forwardReference(let member, let id):
      ErrorReport(
        code: "openbis.graph-forward-reference", kind: .network,
        "the server's answer refers to object \(id) in '\(member)' before it wrote it",
        advice: "try again; if it stays so, tell who runs the server", details: ["member": .text(member)])
    case .repeatedID(let id):
      ErrorReport(
        code: "openbis.graph-repeated-id", kind: .network, "the server's answer has two objects numbered \(id)",
        advice: "try again; if it stays so, tell who runs the server")
    case .otherShape(let expected, let found):
      ErrorReport(
        code: "openbis.graph-shape", kind: .network, "the server's answer has \(found) where \(expected) should be",
        advice: "look whether the server is an openBIS of version 18 or later")
    }
  }

  /// The stable codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("openbis.graph-forward-reference", "an answer of V3 refers to an object that it did not write before"),
    .init("openbis.graph-repeated-id", "an answer of V3 has two objects of the same number"),
    .init("openbis.graph-shape", "an answer of V3 has another form than the method promises"),
  ]
}
