internal import CHost

/// SHA-256 of contents, by libsodium.
///
/// - Source: FIPS 180-4.
enum ContentHash {
  /// Returns the hash as 64 hexadecimal digits; nil if libsodium is not installed.
  static func of(_ bytes: [UInt8]) -> String? {
    var digest = [UInt8](repeating: 0, count: 32)
    guard chost_sha256(bytes, bytes.count, &digest) else { return nil }
    return digits(digest[...])
  }

  /// Bytes as hexadecimal digits, two for each.
  static func digits(_ bytes: ArraySlice<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
