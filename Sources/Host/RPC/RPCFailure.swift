import PluginAPI

/// The failure of a request: of the host to a program or a client of `serve`, and of a program to the host.
struct RPCFailure: Error, Sendable, Equatable {
  /// The number of the kind of failure.
  var code: Int
  /// A sentence for people.
  var message: String
  /// The error for programs, as JSON; null for none.
  var data: Value

  /// The code of text that is not JSON.
  ///
  /// - Source: JSON-RPC 2.0 specification, section 5.1.
  static let notJSON = -32_700
  /// The code of JSON that is not a request.
  static let badRequest = -32_600
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
  init(code: Int, _ message: String, data: Value = nil) {
    (self.code, self.message, self.data) = (code, message, data)
  }

  /// Creates the failure for an error of the host or of another plugin.
  init(_ error: any Error) {
    if error is CancellationError {
      self.init(code: Self.canceled, "canceled")
    } else {
      var report = ErrorReport(error)
      if report.value.isNested(deeperThan: Value.maximumDepth) { report.details = Record() }
      self.init(code: Self.reported, report.message, data: WireValue.json(report.value))
    }
  }

  /// Creates the failure for an error in a request of a client of `serve`.
  init(served error: any Error) {
    if let failure = error as? RPCFailure {
      self = failure
      return
    }
    let report = error is CancellationError ? ServeError.canceled : ErrorReport(error)
    let number = error is MethodError ? Self.unknownMethod : ServeError.number(of: report)
    self.init(
      code: number ?? (report.kind == .usage ? Self.badParameters : Self.reported), report.message, data: report.served)
  }

  /// Reads the failure; missing parts get defaults.
  init(json: Value) {
    self.init(
      code: json["code"].integer ?? Self.reported, json["message"].text ?? "unknown error", data: json["data"])
  }

  /// The error as users and scripts see it; nil if the other side sent none that can be read.
  var report: ErrorReport? { (try? WireValue.value(data)).flatMap { try? ErrorReport(value: $0) } }

  /// Returns the error for the caller of a plugin's program.
  func error(of plugin: String) -> any Error {
    if code == Self.canceled { return CancellationError() }
    return report
      ?? ErrorReport(
        code: "host.plugin-threw", kind: .pluginFailed, "plugin '\(plugin)' failed: \(message)",
        details: ["plugin": .text(plugin)])
  }

  /// The failure as a JSON object.
  var json: Value {
    var record: Record = ["code": .integer(code), "message": .text(message)]
    if !data.isNull { record["data"] = data }
    return .record(record)
  }
}
