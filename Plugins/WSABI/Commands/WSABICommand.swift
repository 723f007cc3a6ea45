import PluginAPI

/// A command of this plugin: its declaration and its implementation.
struct WSABICommand: Sendable {
  let declaration: CommandDescription
  private let body: @Sendable (CommandCall, Station) async throws -> Void

  init(
    _ declaration: CommandDescription, _ body: @escaping @Sendable (CommandCall, Station) async throws -> Void
  ) {
    self.declaration = declaration
    self.body = body
  }

  /// Returns the command for the host; each run of it is recorded in the interaction log.
  func bound(to station: Station) -> any Command {
    StationCommand(declaration: declaration) { [body, declaration] call in
      var outcome = "ok"
      defer {
        station.note(
          .command, call.presentation.isInteractive ? "screen" : "command-line", declaration.name,
          target: Self.target(call), outcome: outcome, call.context)
      }
      do {
        try await body(call, station)
      } catch {
        outcome = Self.code(error)
        throw error
      }
    }
  }

  /// Returns the numbers of records that a call names, without any other values.
  private static func target(_ call: CommandCall) -> String {
    let names = ["person", "item", "user", "number"]
    return names.compactMap { name in call[name].integer.map { "\(name) \($0)" } }.joined(separator: ", ")
  }

  private static func code(_ error: any Error) -> String {
    if error is CancellationError { return "cancelled" }
    return (error as? any ReportableError)?.report.code ?? "failed"
  }

  /// All commands, in the order help shows them.
  static let all: [WSABICommand] = {
    var all = StoreCommands.all
    all += UserCommands.all
    all += PersonCommands.all
    all.append(EnrollCommand.command)
    all += ItemCommands.all
    all += AnnotationCommands.all
    all += ReviewCommands.all
    all += ExchangeCommands.all
    all += SensorCommands.all
    all.append(DiscoverCommand.command)
    all += ProtocolCommands.all
    all.append(SetupCommand.command)
    all.append(CaptureCommand.command)
    all.append(PreviewCommand.command)
    all += OperationCommands.all
    all += LogCommands.all
    all.append(SimulateSensorCommand.command)
    all.append(CameraCommand.command)
    return all
  }()
}

/// A command with access to the state it shares with the others.
private struct StationCommand: Command {
  let declaration: CommandDescription
  let body: @Sendable (CommandCall) async throws -> Void

  func run(_ call: CommandCall) async throws { try await body(call) }
}
