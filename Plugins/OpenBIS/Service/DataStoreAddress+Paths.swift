import PluginNet

extension DataStoreAddress {
  /// Returns true if an address is one of a data store's files: same protocol, host and port, and the path of data
  /// stores.
  ///
  /// The token is sent to no other address.
  static func contains(_ address: String, in store: String) -> Bool {
    guard let address = normalized(address), let store = normalized(store) else { return false }
    return address.hasPrefix(files(store) + "/")
  }

  /// Returns protocol, host, port and path of an address; nil if it is not a web address, or leads upwards.
  static func normalized(_ address: String) -> String? {
    let host = HTTPAddress.hostAndPort(of: address)
    if host.isEmpty { return nil }
    let path = address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let segments = String(Substring(path)).split(separator: "/").dropFirst(2)
    if segments.contains("..") || segments.contains(".") { return nil }
    let scheme = address.lowercased().hasPrefix("https:") ? "https://" : "http://"
    return ([scheme + host] + segments.map(String.init)).joined(separator: "/")
  }
}
