import OpenBISSimulator
import PluginAPI

/// The command that serves a simulated openBIS, for trying the plugin and for tests.
enum SimulateCommand {
  static let command = OpenBISCommand(
    CommandDescription(
      "simulate", "Run a simulated openBIS server until interrupted",
      output: .init(.text, isStream: true),
      effects: [.network]
    ).taking(
      shape, entities, importSize, categories, dialect, port, security, seed, users, faults, sessionCalls,
      sessionTimeout, changes
    ).explained(
      """
      The server runs on this machine and supports the tables of V1 and the objects of V3, with synthetic data, images \
      and files. When it is ready, the first line shows its address, user and password. A fault is a name that can be \
      followed by the affected calls and a number of times. '@7' is the seventh call, '@7-' that call and all later \
      ones, '@ROOT' a request key, '@searchSamples' a method, and 'x2' means twice. A fault in effect from the start, \
      such as 'rights-change', is only a name.
      """,
      examples: [
        .init("simulate", "The demo lab: targets, compounds and probes"),
        .init(
          "simulate --shape yeastlab --port 8443 --tls on",
          "A yeast laboratory over HTTPS with a self-signed certificate"),
        .init("simulate --entities 1000000", "A million entities"),
        .init("simulate --fault expire-session@7 --fault slow-rows@ROOT", "A server with two faults"),
        .init("simulate --fault list", "List the faults"),
      ])
  ) { call, _ in try await simulate(call) }

  private static let shape = Option(
    "shape", SimulatorShape.self, "Kind of lab; by default demo, or plain with '--entities'")
  private static let entities = Option(
    "entities", Int.self, kind: .integer(minimum: 0, maximum: 10_000_000), "Number of entities of a plain lab")
  private static let importSize = Option(
    "import-size", in: 1...10_000_000, "Number of entities of a plain lab that share their times", default: 1)
  private static let categories = Option("categories", in: 1...1000, "Number of categories of a plain lab", default: 4)
  private static let dialect = Option(
    "dialect", "Dialect of the tables", default: SimulatorDialect.final)
  private static let port = Option("port", in: 0...65_535, "Port; 0 for any free port", default: 0)
  private static let security = Option(
    "tls", "HTTPS with a self-signed certificate, which can be expired or for another host",
    default: SimulatorConfiguration.Security.off)
  private static let seed = Option("seed", in: 0...Int.max, "Seed of the random data", default: 1)
  private static let users = Option("user", list: String.self, "User who can log in, as NAME:PASSWORD")
  private static let faults = Option("fault", list: String.self, "Fault to simulate; 'list' lists all")
  private static let sessionCalls = Option(
    "session-calls", Int.self, kind: .integer(minimum: 1, maximum: .max),
    "Number of calls after which a session expires")
  private static let sessionTimeout = Option(
    "session-seconds", in: 1...Int.max, "Time without calls after which a session expires", unit: "second",
    default: 43_200)
  private static let changes = Option(
    "changes", Double.self, kind: .number(minimum: 0.01, maximum: 1e9), "Time between changes of the lab's data",
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
