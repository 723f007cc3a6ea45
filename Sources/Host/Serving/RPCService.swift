import PluginAPI

/// The methods of `serve` for one client.
@MainActor final class RPCService: ServedProtocol {
  /// The version of the protocol.
  static let protocolVersion = 1
  private static let longestTopic = 256

  /// The methods that are not commands.
  private enum Method: String, CaseIterable {
    case hello, call, cancel, commands, schema, subscribe, unsubscribe
  }

  private struct Subscription {
    var cancellable: any Cancellable
    /// The number of notifications that were left out since the last one that was sent.
    var missed = 0
  }

  private let commands: ServedCommands
  private var answersQuestions = false
  private var subscriptions: [String: Subscription] = [:]

  init(_ commands: ServedCommands) {
    self.commands = commands
  }

  nonisolated var answersCanceled: Bool { true }

  nonisolated func takesTurn(_ method: String) -> Bool {
    switch Method(rawValue: method) {
    case .call, .commands, .schema, nil: true
    case .hello, .cancel, .subscribe, .unsubscribe: false
    }
  }

  nonisolated func canceledRequest(by method: String, _ parameters: Value) -> Value? {
    // In '? :' beside a value, 'nil' would be the value null.
    guard Method(rawValue: method) == .cancel else { return nil }
    return parameters["id"]
  }

  nonisolated func decoded(_ parameters: Value, of method: String) throws(ErrorReport) -> Value {
    do throws(WireValue.Problem) {
      return try WireValue.value(parameters)
    } catch {
      throw ServeError.badParameters(method: method, error.message)
    }
  }

  func response(to request: ServedRequest) async throws -> [UInt8] {
    let parameters = request.parameters
    switch Method(rawValue: request.method) {
    case .hello: return JSONWriter.bytes(of: try hello(parameters))
    case .call: return try await call(fields(parameters, of: request, CallField.self), request)
    case .commands: return try list(fields(parameters, of: request, CommandsField.self))
    case .schema: return JSONWriter.bytes(of: try schema(fields(parameters, of: request, CommandField.self)))
    case .subscribe:
      return JSONWriter.bytes(of: try subscribe(fields(parameters, of: request, TopicField.self), request))
    case .unsubscribe: return JSONWriter.bytes(of: try unsubscribe(fields(parameters, of: request, TopicField.self)))
    case .cancel: return JSONWriter.bytes(of: ["canceled": false])
    case nil:
      let entry = try commands.entry(request.method)
      let (positional, named) = try values(parameters, in: request)
      let arguments = try ServedCommands.arguments(of: entry, positional: positional, named: named)
      return try await run(entry, arguments, ServedResult.Presentation(), size: nil, request)
    }
  }

  func end() {
    for subscription in subscriptions.values { subscription.cancellable.cancel() }
    subscriptions = [:]
  }

  private func hello(_ parameters: Value) throws -> Value {
    let version = parameters["protocol"]
    guard version.isNull || version == .integer(Self.protocolVersion) else {
      throw ServeError.otherProtocol(version.shortText)
    }
    answersQuestions = parameters["features"].list?.contains("ask") ?? false
    let limits = commands.limits.value
    return [
      "protocol": .integer(Self.protocolVersion), "version": .text(HostVersion.number),
      "contract": HostVersion.value["contract"], "features": ["ask", "emit", "progress", "subscribe", "wire"],
      "readOnly": .bool(commands.isReadOnly), "offline": .bool(commands.session.options.isOffline), "limits": limits,
    ]
  }
}

// MARK: - Calls

extension RPCService {
  private enum CallField: String, CaseIterable { case command, arguments, options, form, stream, size }
  private enum CommandsField: String, CaseIterable { case prefix }
  private enum CommandField: String, CaseIterable { case command }
  private enum TopicField: String, CaseIterable { case topic }

  private func call(_ fields: Value, _ request: ServedRequest) async throws -> [UInt8] {
    let entry = try commands.entry(try text(CallField.command, fields, request.method))
    let (positional, given) = try values(fields["arguments"], in: request)
    var named = given
    guard let options = fields["options"].isNull ? Record() : fields["options"].record else {
      throw ServeError.badParameters(method: request.method, "'options' is not an object")
    }
    for option in options.fields {
      guard named[option.name] == nil else {
        throw ServeError.badParameters(method: request.method, "'\(option.name)' is given twice")
      }
      named[option.name] = option.value
    }
    let arguments = try ServedCommands.arguments(of: entry, positional: positional, named: named)
    let (presentation, size) = try presentation(fields, entry)
    return try await run(entry, arguments, presentation, size: size, request)
  }

  private func presentation(
    _ fields: Value, _ entry: CommandEntry
  ) throws -> (ServedResult.Presentation, Size?) {
    var presentation = ServedResult.Presentation()
    if !fields["form"].isNull {
      guard let known = fields["form"].text.flatMap(ServedResult.Form.init(rawValue:)) else {
        throw ServeError.badParameters(method: "call", "'form' is neither 'json' nor 'wire'")
      }
      presentation.form = known
    }
    if !fields["stream"].isNull {
      guard let streams = fields["stream"].bool else {
        throw ServeError.badParameters(method: "call", "'stream' is neither true nor false")
      }
      presentation.streams = streams
    }
    if fields["size"].isNull { return (presentation, nil) }
    guard entry.declaration.givesPicture else {
      throw CommandLineError.notAPicture(option: "size", command: entry.words)
    }
    return (presentation, try GlobalOption.size(fields["size"].text ?? "", option: "size", least: 1))
  }

  private func run(
    _ entry: CommandEntry, _ arguments: Record, _ presentation: ServedResult.Presentation, size: Size?,
    _ request: ServedRequest
  ) async throws -> [UInt8] {
    var presentation = presentation
    presentation.answersQuestions = answersQuestions
    if entry.declaration.finishesWhenInterrupted { request.client.finishes(request.id) }
    let result = ServedResult(of: entry.declaration, for: request, presentation, pictures: commands.pictures)
    try await commands.run(entry, arguments, size: size, output: result)
    return await result.takeJSON()
  }

  /// Returns arguments by position and by name.
  private func values(_ parameters: Value, in request: ServedRequest) throws -> ([Value], Record) {
    if parameters.isNull { return ([], Record()) }
    if let list = parameters.list { return (list, Record()) }
    if let record = parameters.record { return ([], record) }
    throw ServeError.badParameters(method: request.method, "they are neither an object nor a list")
  }

  /// Returns the parameters of a method that is not a command.
  private func fields<Field: RawRepresentable & CaseIterable>(
    _ parameters: Value, of request: ServedRequest, _ known: Field.Type
  ) throws -> Value where Field.RawValue == String {
    guard let fields = parameters.isNull ? Record() : parameters.record else {
      throw ServeError.badParameters(method: request.method, "they are not an object")
    }
    let names = known.allCases.map(\.rawValue)
    for name in fields.names where !names.contains(name) {
      throw ServeError.badParameters(
        method: request.method, "there is no parameter '\(name)'; there are " + names.joined(separator: ", "))
    }
    return .record(fields)
  }

  private func text<Field: RawRepresentable>(_ field: Field, _ fields: Value, _ method: String) throws -> String
  where Field.RawValue == String {
    guard let text = fields[field.rawValue].text else {
      throw ServeError.badParameters(method: method, "'\(field.rawValue)' is not a text")
    }
    return text
  }
}

// MARK: - Descriptions

extension RPCService {
  private func list(_ fields: Value) throws -> [UInt8] {
    let word = fields["prefix"].isNull ? nil : try text(CommandsField.prefix, fields, "commands")
    return commands.description(beginningWith: word) { JSONWriter.bytes(of: .list($0.map(\.served))) }
  }

  private func schema(_ fields: Value) throws -> Value {
    let entry = try commands.entry(try text(CommandField.command, fields, "schema"))
    return [
      "parameters": .record(JSONSchema.parameters(of: entry.declaration)), "result": JSONSchema.document(of: entry),
    ]
  }
}

extension CommandEntry {
  /// The description of a command for programs: arguments and options are those of `plugin.json`.
  fileprivate var served: Value {
    let description = declaration.value
    return [
      "method": .text(method), "command": .text(words), "summary": description["summary"],
      "effects": description["effects"], "arguments": description["arguments"], "options": description["options"],
      "stream": .bool(declaration.output.isStream), "picture": .bool(declaration.givesPicture),
      "type": .optional(declaration.output.typeName),
    ]
  }
}

// MARK: - Subscriptions

extension RPCService {
  private func subscribe(_ fields: Value, _ request: ServedRequest) throws -> Value {
    let topic = try text(TopicField.topic, fields, request.method)
    try checkTopic(topic)
    if subscriptions[topic] != nil { return nil }
    let limit = commands.limits.subscriptions
    guard subscriptions.count < limit else { throw ServeError.busy("the client has \(limit) subscriptions") }
    let client = request.client
    let cancellable = commands.session.notifications.subscribe(topic) { [weak self] notification in
      self?.pass(notification, to: client)
    }
    subscriptions[topic] = Subscription(cancellable: cancellable)
    return nil
  }

  private func pass(_ notification: PluginAPI.Notification, to client: ServedClient) {
    guard let missed = subscriptions[notification.topic]?.missed else { return }
    let isSent = client.notify(
      "notified",
      [
        "topic": .text(notification.topic), "plugin": .text(notification.plugin), "payload": notification.payload,
        "missed": .integer(missed),
      ])
    subscriptions[notification.topic]?.missed = isSent ? 0 : missed + 1
  }

  private func unsubscribe(_ fields: Value) throws -> Value {
    let topic = try text(TopicField.topic, fields, "unsubscribe")
    subscriptions.removeValue(forKey: topic)?.cancellable.cancel()
    return nil
  }

  /// Checks that a plugin has a topic; topics of the host need no declaration.
  private func checkTopic(_ topic: String) throws(ErrorReport) {
    let plugin = String(topic.prefix { $0 != "." })
    guard topic.utf8.count <= Self.longestTopic, plugin.utf8.count < topic.utf8.count else {
      throw ServeError.unknownTopic(topic, known: [])
    }
    if plugin == "host" { return }
    let known = (commands.session.plugins.contributions(of: plugin)?.topics ?? []).map { plugin + "." + $0.name }
    guard known.contains(topic) else { throw ServeError.unknownTopic(topic, known: known) }
  }
}
