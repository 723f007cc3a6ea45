/// Addresses of data store servers as servers write them: with or without a slash or `/datastore_server` at the end.
enum DataStoreAddress {
  /// Returns the address without either ending.
  static func base(_ address: String) -> String {
    var address = address
    while address.hasSuffix("/") { address.removeLast() }
    if address.hasSuffix("/datastore_server") { address.removeLast("/datastore_server".count) }
    return address
  }

  /// Returns the address of files and images, with `/datastore_server` at the end.
  static func files(_ address: String) -> String { base(address) + "/datastore_server" }
}
