import PluginAPI

/// The command that serves a simulated openBIS, for trying the plugin and for tests.
enum SimulateCommand {
  static let command = OpenBISCommand(
    CommandDescription(
      "simulate", "serves a made-up openBIS on this machine until it is interrupted",
      output: .init(.text, isStream: true),
      effects: [.network]
    ).taking(options: options).explained(
      """
      It speaks the tables of V1 and the objects of V3, with pictures and files, all made up. The address and the user stand on \
      the first line once it is ready. A fault is a name, with '@7' for the seventh call, '@7-' for it and all later ones, \
      '@ROOT' for a request key or '@searchSamples' for a method, and 'x2' for the number of times; 'list' shows all names.
      """,
      examples: [
        .init("simulate", "the demonstration: targets, compounds and probes"),
        .init("simulate --shape yeastlab --port 8443 --tls on", "a yeast laboratory over HTTPS, certificate unsigned"),
        .init("simulate --entities 1000000", "a million entities"),
        .init("simulate --fault expire-session@7 --fault slow-rows@ROOT", "a server with two faults"),
        .init("simulate --fault list", "the faults there are"),
      ]), simulate)

  private static let options = [
    Parameter(
      "shape", .choice(SimulatorShape.allCases.map(\.rawValue)),
      "what the lab holds; demo unless a number of entities is given, then plain"),
    Parameter("entities", .integer(minimum: 0, maximum: 10_000_000), "how many entities a plain lab has"),
    Parameter(
      "import-size", .integer(minimum: 1, maximum: 10_000_000), "number of entities of a plain lab with the same times",
      defaultValue: 1),
    Parameter("categories", .integer(minimum: 1, maximum: 1000), "in how many categories they are", defaultValue: 4),
    Parameter(
      "dialect", .choice(SimulatorDialect.allCases.map(\.rawValue)), "which dialect of the tables it speaks",
      defaultValue: .text(SimulatorDialect.final.rawValue)),
    Parameter("port", .integer(minimum: 0, maximum: 65_535), "the port; 0 for any that is free", defaultValue: 0),
    Parameter(
      "tls", .choice(SimulatorConfiguration.Security.allCases.map(\.rawValue)),
      "HTTPS with a certificate of its own; expired, or for a wrong host", defaultValue: "off"),
    Parameter("seed", .integer(minimum: 0, maximum: .max), "where the made-up texts begin", defaultValue: 1),
    Parameter("user", .text, "who may log in, as NAME:PASSWORD", isRepeatable: true),
    Parameter("fault", .text, "what goes wrong; 'list' shows the names", isRepeatable: true),
    Parameter("session-calls", .integer(minimum: 1, maximum: .max), "how many calls a session lives"),
    Parameter(
      "session-seconds", .integer(minimum: 1, maximum: .max), "how long a session may rest", unit: "second",
      defaultValue: 43_200),
    Parameter(
      "changes", .number(minimum: 0.01, maximum: 1e9), "something in the lab changes so often", unit: "second"),
  ]

  @Sendable private static func simulate(_ call: CommandCall) async throws {
    if call.texts("fault").contains("list") {
      for fault in SimulatorFault.allCases {
        let blanks = String(repeating: " ", count: max(1, 28 - fault.rawValue.utf8.count))
        try await call.emit(.text(fault.rawValue + blanks + fault.summary))
      }
      return
    }
    let server = try SimulatorServer(configuration(call))
    do {
      for user in server.configuration.users {
        try await call.emit(.text("\(server.url) user \(user.name) password \(user.password)"))
      }
      while true { try await Task.sleep(for: .seconds(3600)) }
    } catch {
      await server.stop()
      throw error
    }
  }

  private static func configuration(_ call: CommandCall) throws(SimulatorError) -> SimulatorConfiguration {
    var configuration = SimulatorConfiguration()
    configuration.shape =
      SimulatorShape(rawValue: call.text("shape")) ?? (call["entities"].integer == nil ? .demo : .plain)
    if call["entities"].integer != nil, configuration.shape != .plain {
      throw .fixedSize(shape: configuration.shape.rawValue)
    }
    configuration.entities = call["entities"].integer ?? 1000
    configuration.categories = call["categories"].integer ?? 4
    configuration.importSize = call["import-size"].integer ?? 1
    configuration.dialect = SimulatorDialect(rawValue: call.text("dialect")) ?? .final
    configuration.port = call["port"].integer ?? 0
    configuration.security = SimulatorConfiguration.Security(rawValue: call.text("tls")) ?? .off
    configuration.seed = UInt64(call["seed"].integer ?? 1)
    configuration.sessionCalls = call["session-calls"].integer
    configuration.sessionTimeoutInSeconds = call["session-seconds"].integer ?? 43_200
    configuration.changesEverySeconds = call["changes"].number
    configuration.keepsParameters = false
    let users = call.texts("user")
    if !users.isEmpty { configuration.users = try users.map(user) }
    configuration.faults = try call.texts("fault").map(rule)
    return configuration
  }

  private static func user(_ text: String) throws(SimulatorError) -> SimulatorConfiguration.User {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { throw .badUser }
    return .init(name: String(parts[0]), password: String(parts[1]))
  }

  private static func rule(_ text: String) throws(SimulatorError) -> SimulatorFaultRule {
    guard let rule = SimulatorFaultRule(text) else {
      let name = String(text.prefix { $0 != "@" })
      throw .unknownFault(name, nearest: Suggestion.nearest(to: name, in: SimulatorFault.allCases.map(\.rawValue)))
    }
    return rule
  }
}
