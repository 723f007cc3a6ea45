// The byte forms of effects and messages.

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
