import PluginText

/// The data that an image's bytes contain about themselves.
enum ImageBytes {
  /// Returns the format by the first bytes, such as `PNG`; nil if they are not a known image format.
  ///
  /// - Source: the signatures of PNG (ISO 15948, 5.2), JPEG (ITU-T T.81, B.1.1.3), GIF89a, TIFF 6.0, WebP (RFC 9649),
  ///   BMP.
  static func format(_ bytes: some Collection<UInt8>) -> String? {
    let head = Array(bytes.prefix(1024))
    func begins(_ signature: [UInt8]) -> Bool { head.starts(with: signature) }
    if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "PNG" }
    if begins([0xFF, 0xD8, 0xFF]) { return "JPEG" }
    if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) { return "GIF" }
    if begins([0x49, 0x49, 0x2A, 0x00]) || begins([0x4D, 0x4D, 0x00, 0x2A]) { return "TIFF" }
    if begins(Array("RIFF".utf8)), head.dropFirst(8).starts(with: "WEBP".utf8) { return "WEBP" }
    if begins(Array("BM".utf8)), head.count > 26 { return "BMP" }
    return isSVG(head) ? "SVG" : nil
  }

  /// Returns true if a text is an HTML page, judging by its first tag.
  static func isPage(_ bytes: some Collection<UInt8>) -> Bool {
    let text = words(bytes.prefix(512))
    return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
  }

  private static func isSVG(_ head: [UInt8]) -> Bool {
    let text = words(head[...])
    if text.hasPrefix("<svg") { return true }
    guard text.hasPrefix("<?xml") || text.hasPrefix("<!--") || text.hasPrefix("<!doctype svg") else { return false }
    return text.utf8.count >= 900 || ByteSearch.contains("<svg".utf8, in: text.utf8)
  }

  /// Returns bytes as text in lower case, without blanks and the byte order mark of UTF-8 at the beginning.
  private static func words(_ bytes: some Collection<UInt8>) -> String {
    var rest = Array(bytes)[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    return String(decoding: rest.drop { $0 <= 0x20 }, as: UTF8.self).lowercased()
  }
}
