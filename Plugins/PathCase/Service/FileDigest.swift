import PluginStore

/// Identifies files by their bytes.
enum FileDigest {
  /// Returns the SHA-256 digest of bytes as 64 lowercase hexadecimal digits.
  static func hexadecimal(of bytes: [UInt8]) -> String { SHA256.hexadecimal(of: bytes) }
}
