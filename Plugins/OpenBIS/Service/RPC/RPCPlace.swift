/// The method and server of a failed call.
struct RPCPlace: Sendable, Hashable, CustomStringConvertible {
  var method: String
  /// The server's address, without secrets.
  var server: String
  /// A Boolean value indicating whether the call went to a data store server, not to the application server.
  var isOfDataStore = false

  var description: String { "'\(method)' of '\(server)'" }
}
