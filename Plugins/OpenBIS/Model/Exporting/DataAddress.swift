import PluginText

/// Addresses that hold the bytes of an image themselves: `data:image/png;base64,…`.
///
/// - Source: RFC 2397 (data URLs).
enum DataAddress {
  /// Returns the address of an image; nil if browsers do not display its format.
  static func of(image bytes: [UInt8]) -> String? {
    mediaType(bytes).map { "data:\($0);base64,\(Base64.text(bytes))" }
  }

  /// Returns the media type of an image by its first bytes; nil if they do not belong to a known format.
  static func mediaType(_ bytes: [UInt8]) -> String? {
    let starts: [([UInt8], String)] = [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"),
      (Array("GIF8".utf8), "image/gif"), (Array("BM".utf8), "image/bmp"),
    ]
    if let known = starts.first(where: { bytes.starts(with: $0.0) }) { return known.1 }
    let head = String(decoding: bytes.prefix(1024), as: UTF8.self)
    let trimmed = head.drop { $0.isWhitespace || $0 == "\u{FEFF}" as Character }
    guard trimmed.first == "<" else { return nil }
    let isVector = HTMLTokens(head).contains { if case .tag("svg", false) = $0 { true } else { false } }
    return isVector ? "image/svg+xml" : nil
  }
}
