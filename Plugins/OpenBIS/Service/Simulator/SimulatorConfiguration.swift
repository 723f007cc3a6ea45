/// What a simulated server holds, whom it lets in, and what goes wrong with it.
struct SimulatorConfiguration: Sendable {
  /// Who may log in.
  struct User: Sendable, Hashable {
    var name: String
    var password: String
    /// PERM_IDs, categories, types and spaces this user may not see.
    var hidden: Set<String> = []
  }

  /// How it is reached.
  enum Security: String, Sendable, CaseIterable {
    case off
    /// HTTPS with a certificate made at the start that nobody signed.
    case on
    /// Of yesterday.
    case expired
    /// For another host.
    case wrongHost = "wrong-host"
  }

  var shape = SimulatorShape.demo
  /// How many entities a plain lab has, and in how many categories.
  var entities = 1000
  var categories = 4
  /// The number of entities of a plain lab in one import, all of the same time.
  var importSize = 1
  var dialect = SimulatorDialect.final
  var seed: UInt64 = 1
  /// 0 for any that is free.
  var port = 0
  var security = Security.off
  var users = [User(name: "alice", password: "wonderland")]
  var faults: [SimulatorFaultRule] = []
  var dataStores = ["DSS1"]
  /// What CLIENT_PREFS says, in seconds.
  var refreshInterval = "1800"
  /// How long a session may rest before it ends.
  var sessionTimeoutInSeconds = 43_200
  /// How many calls a session lives; nil for any number.
  var sessionCalls: Int?
  /// Whether the log keeps the parameters of calls.
  var keepsParameters = true
  /// How large pieces are where rows come slowly, about a row, and how far apart they come.
  var dripBytes = 400
  var dripMilliseconds = 1000
  /// How large what is large by a fault is: so many ids in a cell, ten times as many bytes in a property, and so on.
  var largeSize = 1_000_000
  /// The size of the chunks of the fast download, as of the real data store.
  var chunkBytes = 1 << 20
  /// How often something changes by itself; nil for never.
  var changesEverySeconds: Double?

  /// Whether a sample that is met again in a V3 answer is the same object however it was fetched, so that graphs have
  /// rings.
  var sharesObjects = false

  init(shape: SimulatorShape = .demo) {
    self.shape = shape
    sharesObjects = shape == .tagBrowser
  }
}
