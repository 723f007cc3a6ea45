import PluginAPI

/// A call received by a simulated server.
struct SimulatedCall: Sendable {
  /// The interfaces of the server.
  enum Interface: String, Sendable, Hashable {
    case query = "/openbis/openbis/rmi-query-v1.json"
    case generalInformation = "/openbis/openbis/rmi-general-information-v1.json"
    case dataStoreV1 = "/datastore_server/rmi-dss-api-v1.json"
    case application = "/openbis/openbis/rmi-application-server-v3.json"
    case dataStore = "/datastore_server/rmi-data-store-server-v3.json"
  }

  /// The number of the call, counted from 1 across all interfaces.
  var number: Int
  var interface: Interface
  var method: String
  /// The request key of a table client; nil in other calls.
  var requestKey: String?
  /// The token of the call; empty if there is none.
  var token = ""
  /// The parameters without the token.
  var parameters: [Value] = []
  /// The fault that affected the call.
  var fault: SimulatorFault?
}
