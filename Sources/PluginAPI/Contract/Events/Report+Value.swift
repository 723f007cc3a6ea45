// The byte forms of progress, diagnostics, errors and notifications.

extension Progress: ValueConvertible {
  /// `host.progress`.
  public static var typeName: String { "host.progress" }

  /// Creates a progress from its value form.
  public init(value: Value) throws {
    self.init(try value.requiredText("label"), fraction: value["fraction"].number)
  }

  /// The progress as a record.
  public var value: Value { ["label": .text(label), "fraction": .optional(fraction)] }
}

extension Diagnostic: ValueConvertible {
  /// `host.diagnostic`.
  public static var typeName: String { "host.diagnostic" }

  /// Creates a diagnostic from its value form.
  public init(value: Value) throws {
    guard let severity = value["severity"].text.flatMap(Severity.init(rawValue:)) else {
      throw ValueDecodingError.unexpectedShape(path: "severity", expected: "a severity")
    }
    self.init(
      severity, code: try value.requiredText("code"), try value.requiredText("message"), line: value["line"].integer,
      column: value["column"].integer, advice: value["advice"].text)
  }

  /// The diagnostic as a record.
  public var value: Value {
    [
      "severity": .text(severity.rawValue), "code": .text(code), "message": .text(message), "line": .optional(line),
      "column": .optional(column), "advice": .optional(advice),
    ]
  }
}

extension ErrorReport: ValueConvertible {
  /// `host.error`.
  public static var typeName: String { "host.error" }

  /// Creates a report from its value form; a kind that this contract does not know becomes ``Kind/failure``.
  public init(value: Value) throws {
    self.init(
      code: try value.requiredText("code"), kind: value["kind"].text.flatMap(Kind.init(rawValue:)) ?? .failure,
      try value.requiredText("message"), advice: value["advice"].text, details: value["details"].record ?? Record(),
      isRetryable: value["isRetryable"].bool ?? false)
  }

  /// The report as a record.
  public var value: Value {
    [
      "code": .text(code), "kind": .text(kind.rawValue), "message": .text(message), "advice": .optional(advice),
      "details": .record(details), "isRetryable": .bool(isRetryable),
    ]
  }
}

extension Notification: ValueConvertible {
  /// `host.notification`.
  public static var typeName: String { "host.notification" }

  /// Creates a notification from its value form.
  public init(value: Value) throws {
    self.init(
      topic: try value.requiredText("topic"), plugin: try value.requiredText("plugin"), payload: value["payload"])
  }

  /// The notification as a record.
  public var value: Value { ["topic": .text(topic), "plugin": .text(plugin), "payload": payload] }
}
