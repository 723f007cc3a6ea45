import OpenBISSimulator
import PluginAPI

/// The command that serves a simulated openBIS, for trying the plugin and for tests.
enum SimulateCommand {
  static let command = OpenBISCommand(
    CommandDescription(
      "simulate", "serves a made-up openBIS on this machine until it is interrupted",
      output: .init(.text, isStream: true),
      effects: [.network]
    ).taking(
      shape, entities, importSize, categories, dialect, port, security, seed, users, faults, sessionCalls,
      sessionTimeout, changes
    ).explained(
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
      ])
  ) { call, _ in try await simulate(call) }

  private static let shape = Option(
    "shape", SimulatorShape.self, "what the lab holds; demo unless a number of entities is given, then plain")
  private static let entities = Option(
    "entities", Int.self, kind: .integer(minimum: 0, maximum: 10_000_000), "how many entities a plain lab has")
  private static let importSize = Option(
    "import-size", in: 1...10_000_000, "number of entities of a plain lab with the same times", default: 1)
  private static let categories = Option("categories", in: 1...1000, "in how many categories they are", default: 4)
  private static let dialect = Option(
    "dialect", "which dialect of the tables it speaks", default: SimulatorDialect.final)
  private static let port = Option("port", in: 0...65_535, "the port; 0 for any that is free", default: 0)
  private static let security = Option(
    "tls", "HTTPS with a certificate of its own; expired, or for a wrong host",
    default: SimulatorConfiguration.Security.off)
  private static let seed = Option("seed", in: 0...Int.max, "where the made-up texts begin", default: 1)
  private static let users = Option("user", list: String.self, "who may log in, as NAME:PASSWORD")
  private static let faults = Option("fault", list: String.self, "what goes wrong; 'list' shows the names")
  private static let sessionCalls = Option(
    "session-calls", Int.self, kind: .integer(minimum: 1, maximum: .max), "how many calls a session lives")
  private static let sessionTimeout = Option(
    "session-seconds", in: 1...Int.max, "how long a session may rest", unit: "second", default: 43_200)
  private static let changes = Option(
    "changes", Double.self, kind: .number(minimum: 0.01, maximum: 1e9), "something in the lab changes so often",
    unit: "second")

  private static func simulate(_ call: CommandCall) async throws {
    var configuration = SimulatorConfiguration()
    configuration.shape = call[shape] ?? (call[entities] == nil ? .demo : .plain)
    configuration.categories = call[categories]
    configuration.importSize = call[importSize]
    configuration.dialect = call[dialect]
    configuration.port = call[port]
    configuration.security = call[security]
    configuration.seed = UInt64(call[seed])
    configuration.sessionCalls = call[sessionCalls]
    configuration.sessionTimeoutInSeconds = call[sessionTimeout]
    configuration.changesEverySeconds = call[changes]
    try await OpenBISSimulator.simulate(
      configuration, entities: call[entities], users: call[users], faults: call[faults],
      print: { try await call.emit(.text($0)) })
  }
}
