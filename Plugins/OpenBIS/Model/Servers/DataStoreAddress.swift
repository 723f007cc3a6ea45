/// Addresses of data store servers, as servers write them: with and without a slash or `/datastore_server` at the end.
enum DataStoreAddress {
  /// The address without either.
  static func base(_ address: String) -> String {
    var address = address
    while address.hasSuffix("/") { address.removeLast() }
    if address.hasSuffix("/datastore_server") { address.removeLast("/datastore_server".count) }
    return address
  }

  /// Where files and images of the server lie: with `/datastore_server` at the end.
  static func files(_ address: String) -> String { base(address) + "/datastore_server" }
}
