/// Where something went wrong: which method of which server.
struct RPCPlace: Sendable, Hashable, CustomStringConvertible {
  var method: String
  /// The server's address, without secrets.
  var server: String
  /// True for a data store server, false for the application server.
  var isOfDataStore = false

  var description: String { "'\(method)' of '\(server)'" }
}
