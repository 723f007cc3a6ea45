import PluginAPI

/// The failure of a request.
struct RPCFailure: Error, Sendable, Equatable {
  /// The number of the kind of failure.
  var code: Int
  /// A sentence for people.
  var message: String
  /// The error as users and scripts see it; nil if the other side made none.
  var report: ErrorReport?

  /// The code of a method that the receiver does not have.
  static let unknownMethod = -32_601
  /// The code of parameters that the receiver cannot use.
  static let badParameters = -32_602
  /// The code of an error that is described by its report.
  static let reported = -32_000
  /// The code of a request that was canceled.
  ///
  /// - Source: Language Server Protocol 3.17, `RequestCancelled`.
  static let canceled = -32_800

  /// Creates a failure.
  init(code: Int, _ message: String, report: ErrorReport? = nil) {
    (self.code, self.message, self.report) = (code, message, report)
  }

  /// Creates the failure for an error of the host or of another plugin.
  init(_ error: any Error) {
    if error is CancellationError {
      self.init(code: Self.canceled, "canceled")
    } else {
      let report = ErrorReport(error)
      self.init(code: Self.reported, report.message, report: report)
    }
  }

  /// Reads the failure; missing parts get defaults.
  init(json: Value) {
    self.init(
      code: json["code"].integer ?? Self.reported, json["message"].text ?? "unknown error",
      report: (try? WireValue.value(json["data"])).flatMap { try? ErrorReport(value: $0) })
  }

  var json: Value {
    var record: Record = ["code": .integer(code), "message": .text(message)]
    record["data"] = report.map { WireValue.json($0.value) }
    return .record(record)
  }
}
