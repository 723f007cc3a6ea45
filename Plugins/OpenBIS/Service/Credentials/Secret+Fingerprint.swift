import PluginStore

extension Secret {
  /// A short text that is different for each secret, and does not reveal it.
  ///
  /// - Returns: Ten hexadecimal digits of its SHA-256.
  var fingerprint: String { String(SHA256.hexadecimal(of: Array(text.utf8)).prefix(10)) }
}
