import PluginAPI

extension ErrorReport {
  /// Creates a report from its value form.
  init(value: Value) throws {
    guard let code = value["code"].text, let message = value["message"].text else {
      throw ValueDecodingError.unexpectedShape(path: "error", expected: "an error report")
    }
    self.init(
      code: code, kind: value["kind"].text.flatMap(Kind.init(rawValue:)) ?? .pluginFailed, message,
      advice: value["advice"].text, details: value["details"].record ?? Record(),
      isRetryable: value["isRetryable"].bool ?? false)
  }

  /// The report as a record, for registry and probe.
  var value: Value {
    [
      "code": .text(code), "kind": .text(kind.rawValue), "message": .text(message), "advice": .optional(advice),
      "details": .record(details), "isRetryable": .bool(isRetryable),
    ]
  }
}
