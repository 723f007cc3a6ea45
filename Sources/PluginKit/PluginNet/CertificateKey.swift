internal import CTransfer

/// A reader of the public key in a certificate.
///
/// - Source: RFC 5280, section 4.1 (the fields), RFC 7469, section 2.4 (the pin); ITU-T X.690, section 8.1 (the encoding).
enum CertificateKey {
  /// Returns the base64-encoded SHA-256 of the key of a PEM certificate; nil if it is not one.
  static func pin(pem: String) -> String? {
    guard let key = der(pem: pem).flatMap(publicKey) else { return nil }
    var digest = [UInt8](repeating: 0, count: 32)
    guard transfer_digest(key, key.count, &digest) != 0 else { return nil }
    return base64(digest)
  }

  /// Returns the bytes of the first certificate in a PEM text; nil if there is none.
  static func der(pem: String) -> [UInt8]? {
    let lines = pem.utf8.split { $0 == 0x0A || $0 == 0x0D }.map { Array($0) }
    guard let start = lines.firstIndex(of: Array("-----BEGIN CERTIFICATE-----".utf8)) else { return nil }
    guard let end = lines[start...].firstIndex(of: Array("-----END CERTIFICATE-----".utf8)) else { return nil }
    return bytes(base64: lines[(start + 1)..<end].joined())
  }

  /// Returns the SubjectPublicKeyInfo of a certificate, with its tag and length; nil if the bytes are not a
  /// certificate.
  static func publicKey(_ certificate: [UInt8]) -> [UInt8]? {
    var outer = certificate[...]
    guard var whole = element(&outer, tag: 0x30)?.content, outer.isEmpty,
      var body = element(&whole, tag: 0x30)?.content
    else { return nil }
    // The oldest certificates omit the version.
    if body.first == 0xA0, element(&body, tag: 0xA0) == nil { return nil }
    // Serial number, algorithm, issuer, validity, subject.
    for tag: UInt8 in [0x02, 0x30, 0x30, 0x30, 0x30] where element(&body, tag: tag) == nil { return nil }
    return element(&body, tag: 0x30).map { Array($0.whole) }
  }

  /// Removes an element with a tag from the front; nil if there is another one, or if it extends beyond the end.
  private static func element(
    _ rest: inout ArraySlice<UInt8>, tag: UInt8
  ) -> (whole: ArraySlice<UInt8>, content: ArraySlice<UInt8>)? {
    guard rest.count >= 2, rest.first == tag else { return nil }
    var place = rest.startIndex + 2
    var length = Int(rest[rest.startIndex + 1])
    if length >= 0x80 {
      let count = length & 0x7F
      // A certificate does not need more than four bytes of length, and a missing length is not DER.
      guard (1...4).contains(count), rest.endIndex - place >= count else { return nil }
      length = rest[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
      place += count
    }
    guard rest.endIndex - place >= length else { return nil }
    defer { rest = rest[(place + length)...] }
    return (rest[rest.startIndex..<(place + length)], rest[place..<(place + length)])
  }

  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// - Source: RFC 4648, section 4.
  private static func base64(_ digest: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: digest.count, by: 3) {
      let count = min(3, digest.count - start)
      let word = (0..<3).reduce(0) { $0 << 8 | ($1 < count ? Int(digest[start + $1]) : 0) }
      for place in 0..<4 { text.append(place > count ? UInt8(ascii: "=") : letters[word >> (18 - 6 * place) & 63]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func bytes(base64 text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (word, bits) = (0, 0)
    for letter in text where letter != UInt8(ascii: "=") {
      guard let value = letters.firstIndex(of: letter) else { return nil }
      (word, bits) = ((word << 6 | value) & 0xFFFF, bits + 6)
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> bits))
      }
    }
    return bytes
  }
}
