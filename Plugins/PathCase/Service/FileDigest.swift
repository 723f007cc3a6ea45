import PluginStore

/// Tells files apart by their bytes.
enum FileDigest {
  /// The SHA-256 of bytes in 64 small hexadecimal digits.
  static func hexadecimal(of bytes: [UInt8]) -> String { SHA256.hexadecimal(of: bytes) }
}
