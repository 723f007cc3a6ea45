import PluginStore

extension Secret {
  /// A short text that is another one for any other secret, and from which nobody can tell the secret.
  ///
  /// - Returns: Ten hexadecimal digits of its SHA-256.
  var fingerprint: String { String(SHA256.hexadecimal(of: Array(text.utf8)).prefix(10)) }
}
