import PluginAPI

/// An error of a program's request, or in the start of `serve`.
enum ServeError: Error, Equatable, ReportableError {
  /// A line is not JSON; the text describes the problem.
  case notJSON(String)
  /// A message is not a request, or not one that can be used.
  case badRequest(String)
  /// A line has more bytes than allowed.
  case lineTooLong(limit: Int)
  /// The parameters do not have their form.
  case badParameters(method: String, String)
  /// Too many requests wait for their answers, or too many subscriptions.
  case busy(String)
  /// There is no such method; `known` are methods with the same beginning.
  case unknownMethod(String, known: [String])
  /// The command cannot be called by programs.
  case notServed(String)
  /// The command changes something, and the client may only read.
  case readOnly(String)
  /// The call was canceled.
  case canceled
  /// The result is too large to be sent as a whole.
  case resultTooLarge(limit: Int)
  /// A parameter names standard input or output.
  case standardStream(parameter: String, String)
  /// The client speaks another version of the protocol.
  case otherProtocol(String)
  /// No plugin has this topic.
  case unknownTopic(String, known: [String])
  /// The options of `serve` do not fit each other.
  case options(String, advice: String)
  /// The socket cannot be made.
  case badSocket(String, reason: String, advice: String)
  /// Another process listens on the socket.
  case socketInUse(String)

  var report: ErrorReport {
    switch self {
    case .notJSON(let problem):
      ErrorReport(
        code: "host.serve-not-json", kind: .usage, problem, advice: "send one JSON document in UTF-8 on each line")
    case .badRequest(let problem):
      ErrorReport(
        code: "host.serve-bad-request", kind: .usage, problem,
        advice: #"send {"jsonrpc": "2.0", "id": 1, "method": "version"}"#)
    case .lineTooLong(let limit):
      ErrorReport(
        code: "host.serve-line-too-long", kind: .usage, "a line is longer than \(limit) bytes",
        advice: "write large data to a file, and name the file")
    case .badParameters(let method, let problem):
      ErrorReport(
        code: "host.serve-bad-parameters", kind: .usage,
        "the parameters of '\(Self.short(method))' are wrong: \(problem)",
        advice: "see the documentation of 'workbench serve'")
    case .busy(let what):
      ErrorReport(
        code: "host.serve-busy", kind: .refused, what, advice: "wait for responses before sending more",
        isRetryable: true)
    case .unknownMethod(let method, let known):
      ErrorReport(
        code: "host.unknown-command", kind: .usage, "there is no method '\(Self.short(method))'",
        advice: Suggestion.advice(for: Self.short(method), in: known) ?? "list methods with the method 'commands'")
    case .notServed(let method):
      ErrorReport(
        code: "host.serve-not-served", kind: .usage,
        "'\(method)' cannot be called by programs: it shows screens, runs other commands or writes in a form of its own",
        advice: "list methods with the method 'commands'")
    case .readOnly(let method):
      ErrorReport(
        code: "host.serve-read-only", kind: .refused, "'\(method)' changes something, and this server only reads",
        advice: "start 'workbench serve' without '--read-only'")
    case .canceled: ErrorReport(code: "host.serve-canceled", kind: .interrupted, "the call was canceled")
    case .resultTooLarge(let limit):
      ErrorReport(
        code: "host.serve-result-too-large", kind: .failure, "the result is larger than \(limit >> 20) MiB",
        advice: "use 'call' with 'stream', or ask for less")
    case .standardStream(let parameter, let path):
      ErrorReport(
        code: "host.serve-standard-stream", kind: .usage,
        "'\(path)' of '\(parameter)' is a standard stream, which programs cannot use", advice: "name a file")
    case .otherProtocol(let version):
      ErrorReport(
        code: "host.serve-other-protocol", kind: .usage,
        "the client speaks version \(version) of the protocol; this workbench speaks version 1",
        advice: "use a client for this version, or another workbench")
    case .unknownTopic(let topic, let known):
      ErrorReport(
        code: "host.serve-unknown-topic", kind: .notFound, "there is no topic '\(Self.short(topic))'",
        advice: Suggestion.advice(for: Self.short(topic), in: known)
          ?? (known.isEmpty ? nil : "topics are " + known.joined(separator: ", ")))
    case .options(let problem, let advice):
      ErrorReport(code: "host.serve-options", kind: .usage, problem, advice: advice)
    case .badSocket(let path, let reason, let advice):
      ErrorReport(
        code: "host.serve-bad-socket", kind: .refused, "cannot listen on '\(path)': \(reason)", advice: advice,
        details: ["path": .text(path)])
    case .socketInUse(let path):
      ErrorReport(
        code: "host.serve-socket-in-use", kind: .refused, "another process listens on '\(path)'",
        advice: "connect to it, end it, or name another path", details: ["path": .text(path)])
    }
  }

  /// The number of the error in JSON-RPC; nil for that of its kind.
  var number: Int? {
    switch self {
    case .notJSON: RPCFailure.notJSON
    case .badRequest, .lineTooLong: RPCFailure.badRequest
    case .unknownMethod, .notServed: RPCFailure.unknownMethod
    case .canceled: RPCFailure.canceled
    case .badParameters, .busy, .readOnly, .resultTooLarge, .standardStream, .otherProtocol, .unknownTopic, .options,
      .badSocket, .socketInUse:
      nil
    }
  }

  /// Returns a name that a program sent, shortened for a message.
  private static func short(_ name: String) -> String {
    name.utf8.count <= 100 ? name : String(name.unicodeScalars.prefix(100).map(Character.init)) + "…"
  }

  /// The stable codes.
  static let codes: [ErrorCodeDescription] = [
    .init("host.serve-not-json", "a line of a program is not JSON"),
    .init("host.serve-bad-request", "a message of a program is not a request, or its id is in use"),
    .init("host.serve-line-too-long", "a line of a program is too long"),
    .init("host.serve-bad-parameters", "the parameters of a method do not have their form"),
    .init("host.serve-busy", "a program has too many unanswered requests or subscriptions"),
    .init("host.serve-not-served", "the command cannot be called by programs"),
    .init("host.serve-read-only", "the command changes something, and the server only reads"),
    .init("host.serve-canceled", "the program canceled its call"),
    .init("host.serve-result-too-large", "the result is too large to be sent as a whole"),
    .init("host.serve-standard-stream", "programs cannot pass '-' as a file"),
    .init("host.serve-other-protocol", "the program speaks another version of the protocol"),
    .init("host.serve-unknown-topic", "no plugin has this topic"),
    .init("host.serve-options", "the options of 'serve' do not fit each other"),
    .init("host.serve-bad-socket", "the socket cannot be made, or its folder is not safe"),
    .init("host.serve-socket-in-use", "another process listens on the socket"),
  ]
}

extension ErrorReport {
  /// The error as programs see it.
  var served: Value {
    [
      "code": .text(code), "message": .text(message), "advice": .optional(advice), "details": .record(details),
      "retryable": .bool(isRetryable), "status": .integer(Int(exitStatus)),
    ]
  }
}
