// The byte forms of events, effects, messages and reports, with which a screen can run in another process than the
// terminal.

extension Key: ValueConvertible {
  /// `host.key`.
  public static var typeName: String { "host.key" }

  /// Creates a key from its value form.
  public init(value: Value) throws {
    guard let key = value.text.flatMap(Key.init) else {
      throw ValueDecodingError.unexpectedShape(path: "key", expected: "a key such as 'ctrl-a'")
    }
    self = key
  }

  /// The key as text, such as `ctrl-a`.
  public var value: Value { .text(description) }
}

extension Mouse: ValueConvertible {
  /// `host.mouse`.
  public static var typeName: String { "host.mouse" }

  /// Creates a mouse event from its value form.
  public init(value: Value) throws {
    let action: Action =
      switch try value.requiredText("action") {
      case "press": .press(clicks: try value.requiredInteger("clicks"))
      case "drag": .drag
      case "release": .release
      case "scroll": .scroll(try value.requiredInteger("rows"))
      default: throw ValueDecodingError.unexpectedShape(path: "action", expected: "an action of the mouse")
      }
    let button: Button =
      switch try value.requiredText("button") {
      case "left": .left
      case "middle": .middle
      case "right": .right
      default: .none
      }
    self.init(
      action, button: button, at: Point(x: try value.requiredInteger("x"), y: try value.requiredInteger("y")),
      modifiers: Key.Modifiers(rawValue: UInt8(clamping: value["modifiers"].integer ?? 0)))
  }

  /// The mouse event as a record.
  public var value: Value {
    var record: Record = [:]
    switch action {
    case .press(let clicks):
      record["action"] = "press"
      record["clicks"] = .integer(clicks)
    case .drag: record["action"] = "drag"
    case .release: record["action"] = "release"
    case .scroll(let rows):
      record["action"] = "scroll"
      record["rows"] = .integer(rows)
    }
    record["button"] =
      switch button {
      case .none: "none"
      case .left: "left"
      case .middle: "middle"
      case .right: "right"
      }
    record["x"] = .integer(position.x)
    record["y"] = .integer(position.y)
    record["modifiers"] = .integer(Int(modifiers.rawValue))
    return .record(record)
  }
}

extension ScreenGeometry: ValueConvertible {
  /// `host.geometry`.
  public static var typeName: String { "host.geometry" }

  /// Creates a geometry from its value form.
  public init(value: Value) throws {
    self.init(
      size: try Size(value: value["size"]), pixelsPerCell: try Size(value: value["pixelsPerCell"]),
      background: Color(packed: UInt32(clamping: try value.requiredInteger("background"))))
  }

  /// The geometry as a record.
  public var value: Value {
    [
      "size": size.value, "pixelsPerCell": pixelsPerCell.value, "background": .integer(Int(background.packed)),
    ]
  }
}

extension Size {
  /// Creates a size from a list of width and height.
  init(value: Value) throws(ValueDecodingError) {
    guard let sides = value.list?.compactMap(\.integer), sides.count == 2 else {
      throw .unexpectedShape(path: "size", expected: "width and height")
    }
    self.init(width: sides[0], height: sides[1])
  }

  /// A list of width and height.
  var value: Value { [.integer(width), .integer(height)] }
}

extension Event: ValueConvertible {
  /// `host.event`.
  public static var typeName: String { "host.event" }

  /// Creates an event from its value form.
  public init(value: Value) throws {
    switch try value.requiredText("is") {
    case "key": self = .key(try Key(value: value["key"]))
    case "mouse": self = .mouse(try Mouse(value: value["mouse"]))
    case "paste": self = .paste(try value.requiredText("text"))
    case "resize": self = .resize(try ScreenGeometry(value: value["geometry"]))
    case "focus": self = .focus(value["on"].bool ?? false)
    case "visible": self = .visible(value["on"].bool ?? false)
    default: throw ValueDecodingError.unexpectedShape(path: "is", expected: "an event")
    }
  }

  /// The event as a record.
  public var value: Value {
    switch self {
    case .key(let key): ["is": "key", "key": key.value]
    case .mouse(let mouse): ["is": "mouse", "mouse": mouse.value]
    case .paste(let text): ["is": "paste", "text": .text(text)]
    case .resize(let geometry): ["is": "resize", "geometry": geometry.value]
    case .focus(let isOn): ["is": "focus", "on": .bool(isOn)]
    case .visible(let isOn): ["is": "visible", "on": .bool(isOn)]
    }
  }
}

extension EffectID: ValueConvertible {
  /// `host.effect-id`.
  public static var typeName: String { "host.effect-id" }

  /// Creates an id from its value form.
  public init(value: Value) throws {
    guard let name = value.text else { throw ValueDecodingError.unexpectedShape(path: "id", expected: "text") }
    self.init(name)
  }

  /// The name as text.
  public var value: Value { .text(name) }
}

extension ScreenRequest: ValueConvertible {
  /// `host.screen-request`.
  public static var typeName: String { "host.screen-request" }

  /// Creates a request from its value form.
  public init(value: Value) throws {
    self.init(
      try value.requiredText("screen"), plugin: value["plugin"].text, arguments: value["arguments"].record ?? Record())
  }

  /// The request as a record.
  public var value: Value {
    ["screen": .text(screen), "plugin": .optional(plugin), "arguments": .record(arguments)]
  }
}

extension PromptRequest: ValueConvertible {
  /// `host.prompt`.
  public static var typeName: String { "host.prompt" }

  /// Creates a question from its value form.
  public init(value: Value) throws {
    self.init(
      try value.requiredText("title"), text: value["text"].text ?? "", isSecret: value["isSecret"].bool ?? false)
  }

  /// The question as a record.
  public var value: Value { ["title": .text(title), "text": .text(text), "isSecret": .bool(isSecret)] }
}

extension ChoiceRequest: ValueConvertible {
  /// `host.choice`.
  public static var typeName: String { "host.choice" }

  /// Creates a sheet from its value form.
  public init(value: Value) throws {
    self.init(
      try value.requiredText("title"),
      choices: try (value["choices"].list ?? []).map {
        Choice(
          id: try $0.requiredText("id"), title: try $0.requiredText("title"), detail: $0["detail"].text ?? "")
      }, selected: value["selected"].text, isDestructive: value["isDestructive"].bool ?? false)
  }

  /// The sheet as a record.
  public var value: Value {
    [
      "title": .text(title),
      "choices": .list(
        choices.map { ["id": .text($0.id), "title": .text($0.title), "detail": .text($0.detail)] }),
      "selected": .optional(selected), "isDestructive": .bool(isDestructive),
    ]
  }
}

extension Effect {
  /// Creates an effect from its value form.
  ///
  /// - Throws: ``ValueDecodingError`` if a required field is missing or has the wrong shape.
  public init(value: Value) throws {
    func request() throws -> ScreenRequest { try ScreenRequest(value: value["request"]) }
    switch try value.requiredText("is") {
    case "run":
      self = .run(
        try EffectID(value: value["id"]), command: try value.requiredText("command"),
        arguments: value["arguments"].record ?? Record())
    case "cancel": self = .cancel(try EffectID(value: value["id"]))
    case "timer":
      self = .timer(
        try EffectID(value: value["id"]), seconds: value["seconds"].number ?? 0, repeats: value["repeats"].bool ?? false
      )
    case "push": self = .push(try request())
    case "detail": self = .detail(try request())
    case "present": self = .present(try request())
    case "replace": self = .replace(try request())
    case "pop": self = .pop(value["value"])
    case "notify": self = .notify(topic: try value.requiredText("topic"), value["payload"])
    case "status": self = .status(try Diagnostic(value: value["diagnostic"]))
    case "copy": self = .copy(try value.requiredText("text"))
    case "quit": self = .quit
    default: throw ValueDecodingError.unexpectedShape(path: "is", expected: "an effect")
    }
  }

  /// The effect as a record; nil if it holds functions of the screen, which only its own process can call.
  public var value: Value? {
    switch self {
    case .run(let run):
      ["is": "run", "id": run.id.value, "command": .text(run.command), "arguments": .record(run.arguments)]
    case .cancel(let id): ["is": "cancel", "id": id.value]
    case .timer(let timer):
      ["is": "timer", "id": timer.id.value, "seconds": .number(timer.seconds), "repeats": .bool(timer.repeats)]
    case .push(let request): ["is": "push", "request": request.value]
    case .detail(let request): ["is": "detail", "request": request.value]
    case .present(let request): ["is": "present", "request": request.value]
    case .replace(let request): ["is": "replace", "request": request.value]
    case .pop(let value): ["is": "pop", "value": value]
    case .notify(let notice): ["is": "notify", "topic": .text(notice.topic), "payload": notice.payload]
    case .status(let diagnostic): ["is": "status", "diagnostic": diagnostic.value]
    case .copy(let text): ["is": "copy", "text": .text(text)]
    case .quit: ["is": "quit"]
    case .load, .question: nil
    }
  }
}

extension Message: ValueConvertible {
  /// `host.message`.
  public static var typeName: String { "host.message" }

  /// Creates a message from its value form.
  public init(value: Value) throws {
    func id() throws -> EffectID { try EffectID(value: value["id"]) }
    switch try value.requiredText("is") {
    case "progress": self = .progress(try id(), try Progress(value: value["progress"]))
    case "emitted": self = .emitted(try id(), value["value"])
    case "finished": self = .finished(try id())
    case "failed": self = .failed(try id(), try ErrorReport(value: value["error"]))
    case "cancelled": self = .cancelled(try id())
    case "timer": self = .timer(try id())
    case "returned": self = .returned(screen: try value.requiredText("screen"), value["value"])
    case "notification": self = .notification(try Notification(value: value["notification"]))
    default: throw ValueDecodingError.unexpectedShape(path: "is", expected: "a message")
    }
  }

  /// The message as a record.
  public var value: Value {
    switch self {
    case .progress(let id, let progress): ["is": "progress", "id": id.value, "progress": progress.value]
    case .emitted(let id, let value): ["is": "emitted", "id": id.value, "value": value]
    case .finished(let id): ["is": "finished", "id": id.value]
    case .failed(let id, let report): ["is": "failed", "id": id.value, "error": report.value]
    case .cancelled(let id): ["is": "cancelled", "id": id.value]
    case .timer(let id): ["is": "timer", "id": id.value]
    case .returned(let screen, let value): ["is": "returned", "screen": .text(screen), "value": value]
    case .notification(let notification): ["is": "notification", "notification": notification.value]
    }
  }
}

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
