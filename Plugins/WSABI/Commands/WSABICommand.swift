import PluginAPI

/// A command that uses the state shared by the commands and screens of the plugin.
typealias WSABICommand = StatefulCommand<Station>

extension WSABICommand {
  /// Returns the command with its state; each run is recorded in the interaction log.
  func recorded(at station: Station) -> CommandPart {
    let part = bound(to: station)
    return CommandPart(part.declaration) { call in
      var outcome = "ok"
      defer {
        station.note(
          .command, call.presentation.isInteractive ? "screen" : "command-line", part.declaration.name,
          target: Self.target(call), outcome: outcome, call.context)
      }
      do {
        try await part.run(call)
      } catch {
        outcome = Self.code(error)
        throw error
      }
    }
  }

  /// Returns the numbers of records that a call names, without any other values.
  private static func target(_ call: CommandCall) -> String {
    let names = ["person", "item", "user", "number"]
    return names.compactMap { name in call.arguments[name]?.integer.map { "\(name) \($0)" } }.joined(separator: ", ")
  }

  private static func code(_ error: any Error) -> String {
    if error is CancellationError { return "cancelled" }
    return (error as? any ReportableError)?.report.code ?? "failed"
  }
}

/// The commands of this plugin.
enum WSABICommands {
  /// All commands, in the order help shows them.
  static let all: [WSABICommand] = {
    var all = StoreCommands.all
    all += UserCommands.all
    all += PersonCommands.all
    all.append(EnrollCommand.command)
    all += ItemCommands.all
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

extension Parameter.Kind {
  /// The number of a record.
  static var recordNumber: Parameter.Kind { .integer(minimum: 1, maximum: .max) }
}

extension CommandDescription.Output {
  /// Returns an output of a list of models.
  static func list<Element: Model>(of type: Element.Type, typeName: String? = nil) -> CommandDescription.Output {
    CommandDescription.Output([Element].schema, typeName: typeName)
  }
}

extension CommandCall {
  /// Asks a question that the user confirms with 'yes'; returns false where the user cannot be asked.
  func isConfirmed(_ question: String) async throws -> Bool {
    try await ask(PromptRequest(question))?.lowercased() == "yes"
  }

  /// Emits a list of models to the caller.
  func emit<Element: Model>(list elements: [Element], typeName: String? = nil) async throws {
    try await emit(Value(.list(elements.map(\.fieldValue)), typeName: typeName))
  }
}

/// The settings of this plugin.
enum WSABISettings {
  static let idleLock = Setting(
    "idle-lock", in: 1...1440, "Time without use after which the store is locked", unit: "minute", default: 15)
  static let scorer = Setting(
    "scorer", "Absolute path of a program that scores captures; empty for the built-in scorers", default: "")
  static let allowedSensors = Setting(
    "allowed-sensors",
    "Hosts allowed as sensors, separated by commas: names, '*.lab.example', '192.168.20.0/24'; empty for all",
    default: "")
  static let retries = Setting(
    "capture-retries", in: 0...100, "Retries of a capture that failed at the sensor or has a low quality", default: 0)
  static let minimumQuality = Setting(
    "minimum-quality", in: 0...100, "Lowest quality that is not retried; 0 to accept every capture", default: 0)
  static let largestCapture = Setting(
    "largest-capture", in: 16...4095, "Maximum size of a capture; larger data is left at the sensor", unit: "megabyte",
    default: 512)
  static let cancelOnDismiss = Setting(
    flag: "cancel-capture-on-dismiss", "Cancel a running capture when its card is closed")
  static let discoveryType = Setting(
    "discovery-type", "Service type of sensors for discovery", default: DiscoveryType.usual)
  static let cameraPort = Setting(
    "camera-port", in: 1024...65_535, "Loopback port of the service for this machine's cameras",
    default: CameraPlace.usualPort)

  static let all =
    [
      idleLock.parameter, scorer.parameter, allowedSensors.parameter, retries.parameter, minimumQuality.parameter,
      largestCapture.parameter, cancelOnDismiss.parameter, discoveryType.parameter, cameraPort.parameter,
    ] + Interaction.Kind.allCases.map(\.setting.parameter)
}

extension SensorAccess {
  /// Creates the access to sensors that the user's settings allow.
  init(_ context: any PluginContext) {
    var limits = SensorLimits()
    limits.dataInBytes = context[WSABISettings.largestCapture] << 20
    self.init(
      isOffline: context.isOffline,
      allowed: AllowedHosts(context[WSABISettings.allowedSensors]), limits: limits)
  }
}
