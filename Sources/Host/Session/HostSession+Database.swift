import PluginPostgres

extension HostSession {
  /// Returns the address of a database to connect to.
  ///
  /// - Throws: ``PostgresError``, also if the user turned off the network.
  func database(_ text: String) throws(PostgresError) -> PostgresAddress {
    let address = try PostgresAddress(text)
    if options.isOffline { throw .offline(server: address.name) }
    return address
  }
}
