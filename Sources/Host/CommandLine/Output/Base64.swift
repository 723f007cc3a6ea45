/// Bytes as text of 64 safe characters.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns the base64 form, padded with `=`, without line breaks.
  ///
  /// - Source: RFC 4648 section 4.
  static func encoded(_ data: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity((data.count + 2) / 3 * 4)
    for start in stride(from: 0, to: data.count, by: 3) {
      let group = data[start..<min(start + 3, data.count)]
      let joined = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let bits = joined << UInt32(8 * (3 - group.count))
      for position in 0..<4 {
        let isPadding = position > group.count
        result.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> (18 - 6 * UInt32(position)) & 63)])
      }
    }
    return result
  }
}
