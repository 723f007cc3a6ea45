import PluginAPI

/// The content, users and faults of a simulated server.
struct SimulatorConfiguration: Sendable {
  /// A user who may log in.
  struct User: Sendable, Hashable {
    var name: String
    var password: String
    /// The PERM_IDs, categories, types and spaces that this user may not see.
    var hidden: Set<String> = []
  }

  /// The security of the connection.
  enum Security: String, Sendable, CaseIterable, ParameterValue {
    case off
    /// HTTPS with a self-signed certificate, created at the start.
    case on
    /// HTTPS with a certificate that expired yesterday.
    case expired
    /// HTTPS with a certificate for another host.
    case wrongHost = "wrong-host"
  }

  var shape = SimulatorShape.demo
  /// The numbers of entities and categories of a plain lab.
  var entities = 1000
  var categories = 4
  /// The number of entities of a plain lab in one import, all with the same time.
  var importSize = 1
  var dialect = SimulatorDialect.final
  var seed: UInt64 = 1
  /// The port; 0 for any free one.
  var port = 0
  var security = Security.off
  var users = [User(name: "alice", password: "wonderland")]
  var faults: [SimulatorFaultRule] = []
  var dataStores = ["DSS1"]
  /// The refresh interval in CLIENT_PREFS, in seconds.
  var refreshInterval = "1800"
  /// The time after which an idle session expires, in seconds.
  var sessionTimeoutInSeconds = 43_200
  /// The number of calls after which a session expires; nil for no limit.
  var sessionCalls: Int?
  /// A Boolean value indicating whether the log keeps the parameters of calls.
  var keepsParameters = true
  /// The size of pieces in slow responses, about a row, and the time between them.
  var dripBytes = 400
  var dripMilliseconds = 1000
  /// The size of large data made by a fault: the number of ids in a cell, a tenth of the bytes in a property, and so
  /// on.
  var largeSize = 1_000_000
  /// The size of the chunks of the fast download, in bytes, as in the real data store.
  var chunkBytes = 1 << 20
  /// The interval between automatic changes, in seconds; nil for none.
  var changesEverySeconds: Double?

  /// A Boolean value indicating whether repeated samples in a V3 response are the same object for all fetch options, so
  /// that graphs have cycles.
  var sharesObjects = false

  init(shape: SimulatorShape = .demo) {
    self.shape = shape
    sharesObjects = shape == .tagBrowser
  }
}
