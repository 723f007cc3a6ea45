import PluginAPI

/// An error between the host and a plugin with a process of its own.
enum ProgramError {
  /// The process of a plugin, with the plugin's id.
  enum Subject {
    case program(String)
    /// A child that opens the plugin's library, as with `--isolate`.
    case isolatedLibrary(String)

    /// Creates the subject whose messages have a form.
    init(_ id: String, _ form: RPCForm) {
      switch form {
      case .lines: self = .program(id)
      case .frames: self = .isolatedLibrary(id)
      }
    }

    fileprivate var id: String {
      switch self {
      case .program(let id), .isolatedLibrary(let id): id
      }
    }

    fileprivate var text: String {
      switch self {
      case .program(let id): "the program of plugin '\(id)'"
      case .isolatedLibrary(let id): "the isolated process of plugin '\(id)'"
      }
    }
  }

  private static let log = "its messages are in workbench.log"
  static let noProgram = DeclaredError(
    "host.plugin-no-program", .pluginFailed, "the program that a plugin's plugin.json names is not installed")
  static func noProgram(plugin id: String, _ program: String) -> ErrorReport {
    noProgram(
      "plugin '\(id)' needs the program '\(program)', which is not installed",
      advice: "install it, or correct 'run' in the plugin's plugin.json",
      details: ["plugin": .text(id), "program": .text(program)])
  }
  static let notStarted = DeclaredError(
    "host.plugin-not-started", .pluginFailed, "the program of a plugin cannot be started")
  static func notStarted(plugin id: String, program: String, reason: String) -> ErrorReport {
    notStarted("cannot start '\(program)' of plugin '\(id)': \(reason)", details: ["plugin": .text(id)])
  }
  static let otherProtocol = DeclaredError(
    "host.plugin-other-protocol", .pluginFailed, "the program of a plugin speaks another version of the protocol")
  static func otherProtocol(plugin id: String, _ reason: String) -> ErrorReport {
    otherProtocol(
      "cannot use the program of plugin '\(id)': \(reason)",
      advice: "get another version of the plugin, or a newer workbench", details: ["plugin": .text(id)])
  }
  static let ended = DeclaredError(
    "host.plugin-ended", .pluginFailed,
    "the program or isolated process of a plugin ended before it responded; its messages are in workbench.log")
  static func ended(_ subject: Subject, during doing: String, how: String) -> ErrorReport {
    ended(
      "\(subject.text) ended during \(doing): \(how)", advice: log,
      details: ["plugin": .text(subject.id), "during": .text(doing), "end": .text(how)])
  }
  static let badMessage = DeclaredError(
    "host.plugin-bad-message", .pluginFailed,
    "the program or isolated process of a plugin wrote something that the protocol does not allow")
  static func badMessage(_ subject: Subject, _ reason: String) -> ErrorReport {
    badMessage(
      "\(subject.text) was ended: \(reason)", advice: "report this to the plugin's author",
      details: ["plugin": .text(subject.id)])
  }
  static let notResponding = DeclaredError(
    "host.plugin-not-responding", .pluginFailed,
    "the program or isolated process of a plugin does not respond in time")
  static func notResponding(_ subject: Subject, during doing: String, seconds: Double) -> ErrorReport {
    notResponding(
      "\(subject.text) did not respond within \(GenericText.inline(.number(seconds))) s during \(doing)",
      advice: log, details: ["plugin": .text(subject.id), "during": .text(doing)])
  }
}

extension RPCMessage.Problem {
  /// Returns the problem of a response to a request that was not made or is answered already.
  ///
  /// - Parameter open: The ids of the requests that wait for a response.
  static func unexpectedResponse(to id: Value, open: [Int]) -> Self {
    let name = id.text.map { "'\($0)'" } ?? (id.isNull ? "null" : id.shortText)
    let numbers = open.prefix(3).map(String.init).joined(separator: ", ") + (open.count > 3 ? ", …" : "")
    let hint = open.isEmpty ? "" : open.count == 1 ? "; request \(numbers) is" : "; requests \(numbers) are"
    return Self(
      message: "it responded to request \(name), which is not pending" + hint)
  }
}
