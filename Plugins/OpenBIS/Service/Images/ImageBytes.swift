/// What bytes of an image say of themselves.
enum ImageBytes {
  /// The format by the first bytes, such as `PNG`; nil if they are no image that is known.
  ///
  /// - Source: the signatures of PNG (ISO 15948, 5.2), JPEG (ITU-T T.81, B.1.1.3), GIF89a, TIFF 6.0, WebP (RFC 9649), BMP.
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

  /// Whether a text is a page, by its first tag.
  static func isPage(_ bytes: some Collection<UInt8>) -> Bool {
    let text = words(bytes.prefix(512))
    return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
  }

  private static func isSVG(_ head: [UInt8]) -> Bool {
    let text = words(head[...])
    if text.hasPrefix("<svg") { return true }
    guard text.hasPrefix("<?xml") || text.hasPrefix("<!--") || text.hasPrefix("<!doctype svg") else { return false }
    return text.utf8.count >= 900 || contains("<svg", in: text)
  }

  private static func contains(_ part: String, in text: String) -> Bool {
    let (all, wanted) = (Array(text.utf8), Array(part.utf8))
    return all.indices.contains { all[$0...].starts(with: wanted) }
  }

  /// In small letters, without blanks and the mark of UTF-8 at the beginning.
  private static func words(_ bytes: some Collection<UInt8>) -> String {
    var rest = Array(bytes)[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    return String(decoding: rest.drop { $0 <= 0x20 }, as: UTF8.self).lowercased()
  }

  /// The bytes of base64 text, blanks and line ends passed over; nil for others, such as those of the url-safe alphabet.
  ///
  /// - Source: RFC 4648, section 4.
  static func base64(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3 + 3)
    var (word, count, padding) = (0, 0, 0)
    for byte in text.utf8 {
      if byte == 0x20 || byte >= 0x09 && byte <= 0x0D { continue }
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      let value = Int(values[Int(byte)])
      guard value < 64, padding == 0 else { return nil }
      (word, count) = (word << 6 | value, count + 1)
      if count % 4 == 0 {
        bytes.append(UInt8(word >> 16 & 255))
        bytes.append(UInt8(word >> 8 & 255))
        bytes.append(UInt8(word & 255))
        word = 0
      }
    }
    switch count % 4 {
    case 1: return nil
    case 2: bytes.append(UInt8(word >> 4 & 255))
    case 3:
      bytes.append(UInt8(word >> 10 & 255))
      bytes.append(UInt8(word >> 2 & 255))
    default: break
    }
    return padding <= 2 ? bytes : nil
  }

  private static let values: [UInt8] = {
    var table = [UInt8](repeating: 255, count: 256)
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    for (value, letter) in letters.enumerated() { table[Int(letter)] = UInt8(value) }
    return table
  }()
}
