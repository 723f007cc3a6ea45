import PluginAPI

/// An error of a program's request, or in the start of `serve`.
enum ServeError {
  private static let notJSON = DeclaredError("host.serve-not-json", .usage, "a program sent a line that is not JSON")
  /// A line is not JSON; the text describes the problem.
  static func notJSON(_ problem: String) -> ErrorReport {
    notJSON(problem, advice: "send one JSON document in UTF-8 on each line")
  }
  private static let badRequest = DeclaredError(
    "host.serve-bad-request", .usage, "a program sent a message that is not a request, or whose id is in use")
  static func badRequest(_ problem: String) -> ErrorReport {
    badRequest(problem, advice: #"send {"jsonrpc": "2.0", "id": 1, "method": "version"}"#)
  }
  private static let lineTooLong = DeclaredError(
    "host.serve-line-too-long", .usage, "a program sent a line that is too long")
  static func lineTooLong(limit: Int) -> ErrorReport {
    lineTooLong("a line is longer than \(limit) bytes", advice: "write large data to a file, and name the file")
  }
  private static let badParameters = DeclaredError(
    "host.serve-bad-parameters", .usage, "the parameters of a method have the wrong form")
  static func badParameters(method: String, _ problem: String) -> ErrorReport {
    badParameters(
      "the parameters of '\(method.shortened())' are wrong: \(problem)",
      advice: "see the documentation of 'workbench serve'"
    )
  }
  private static let busy = DeclaredError(
    "host.serve-busy", .refused, "a program has too many unanswered requests or subscriptions")
  static func busy(_ what: String) -> ErrorReport {
    busy(what, advice: "wait for responses before sending more", isRetryable: true)
  }
  private static let readOnly = DeclaredError(
    "host.serve-read-only", .refused, "the command changes something, and the server only reads")
  static func readOnly(_ method: String) -> ErrorReport {
    readOnly(
      "'\(method)' changes something, and this server only reads",
      advice: "start 'workbench serve' without '--read-only'")
  }
  private static let canceledCode = DeclaredError("host.serve-canceled", .interrupted, "the program canceled its call")
  static let canceled = canceledCode("the call was canceled")
  private static let resultTooLarge = DeclaredError(
    "host.serve-result-too-large", .failure, "the result is too large to be sent as a whole")
  static func resultTooLarge(limit: Int) -> ErrorReport {
    resultTooLarge("the result is larger than \(limit >> 20) MiB", advice: "use 'call' with 'stream', or ask for less")
  }
  private static let standardStream = DeclaredError(
    "host.serve-standard-stream", .usage, "programs cannot pass '-' as a file")
  static func standardStream(parameter: String, _ path: String) -> ErrorReport {
    standardStream("'\(path)' of '\(parameter)' is a standard stream, which programs cannot use", advice: "name a file")
  }
  private static let otherProtocol = DeclaredError(
    "host.serve-other-protocol", .usage, "the program speaks another version of the protocol")
  static func otherProtocol(_ version: String) -> ErrorReport {
    otherProtocol(
      "the client speaks version \(version) of the protocol; this workbench speaks version 1",
      advice: "use a client for this version, or another workbench")
  }
  private static let unknownTopic = DeclaredError("host.serve-unknown-topic", .notFound, "no plugin has this topic")
  static func unknownTopic(_ topic: String, known: [String]) -> ErrorReport {
    unknownTopic(
      "there is no topic '\(topic.shortened())'",
      advice: Suggestion.advice(for: topic.shortened(), in: known)
        ?? (known.isEmpty ? nil : "topics are " + known.joined(separator: ", ")))
  }
  static let options = DeclaredError("host.serve-options", .usage, "the options of 'serve' contradict each other")
  private static let badSocket = DeclaredError(
    "host.serve-bad-socket", .refused, "the socket cannot be created, or its folder is not safe")
  static func badSocket(_ path: String, reason: String, advice: String) -> ErrorReport {
    badSocket("cannot listen on '\(path)': \(reason)", advice: advice, details: ["path": .text(path)])
  }
  private static let socketInUse = DeclaredError(
    "host.serve-socket-in-use", .refused, "another process listens on the socket")
  static func socketInUse(_ path: String) -> ErrorReport {
    socketInUse(
      "another process listens on '\(path)'", advice: "connect to it, end it, or name another path",
      details: ["path": .text(path)])
  }

  fileprivate static let notServed = DeclaredError(
    "host.serve-not-served", .usage, "the command cannot be called by programs")

  /// Returns the number of an error in JSON-RPC; nil for that of its kind.
  static func number(of error: ErrorReport) -> Int? {
    switch error.code {
    case notJSON.code: RPCFailure.notJSON
    case badRequest.code, lineTooLong.code: RPCFailure.badRequest
    case canceledCode.code: RPCFailure.canceled
    default: nil
    }
  }

  /// The stable codes.
  static let codes = [
    notJSON, badRequest, lineTooLong, badParameters, busy, notServed, readOnly, canceledCode, resultTooLarge,
    standardStream, otherProtocol, unknownTopic, options, badSocket, socketInUse,
  ].map(\.catalogueEntry)
}

/// An error of a request whose method names no command for programs.
enum MethodError: Error, Equatable, ReportableError {
  /// There is no such method; `known` are methods with the same beginning.
  case unknown(String, known: [String])
  /// The command cannot be called by programs.
  case notServed(String)

  var report: ErrorReport {
    switch self {
    case .unknown(let method, let known):
      CommonHostError.unknownCommand(
        "there is no method '\(method.shortened())'",
        advice: Suggestion.advice(for: method.shortened(), in: known)
          ?? "list methods with the method 'commands'")
    case .notServed(let method):
      ServeError.notServed(
        "'\(method)' cannot be called by programs: it shows screens, runs other commands or writes in a form of its own",
        advice: "list methods with the method 'commands'")
    }
  }
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
