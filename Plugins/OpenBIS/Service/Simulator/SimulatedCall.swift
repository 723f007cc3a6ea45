import PluginAPI

/// A call a simulated server was asked for.
struct SimulatedCall: Sendable {
  /// The interfaces it has.
  enum Interface: String, Sendable, Hashable {
    case query = "/openbis/openbis/rmi-query-v1.json"
    case generalInformation = "/openbis/openbis/rmi-general-information-v1.json"
    case dataStoreV1 = "/datastore_server/rmi-dss-api-v1.json"
    case application = "/openbis/openbis/rmi-application-server-v3.json"
    case dataStore = "/datastore_server/rmi-data-store-server-v3.json"
  }

  /// Counted from 1, by all interfaces together.
  var number: Int
  var interface: Interface
  var method: String
  /// What a table client asks for; nil in other calls.
  var requestKey: String?
  /// The token it came with; empty for none.
  var token = ""
  /// Without the token.
  var parameters: [Value] = []
  /// Which fault it met.
  var fault: SimulatorFault?
}
