/// Where an entity stands in a list, as bytes that are compared: loaded ones first, then category descending, header in
/// natural order, id.
enum SortKey {
  /// Longer parts are cut here: an index holds this key for every list an entity is in.
  static let longestPart = 200

  /// Puts the key of an entity behind bytes.
  static func append(category: String, header: String, permID: String, isLoaded: Bool, to out: inout [UInt8]) {
    out.append(isLoaded ? 0 : 1)
    if isLoaded { appendCategory(category, to: &out) }
    let start = out.count
    NaturalOrder.append(header.isEmpty ? permID : header, to: &out)
    if out.count - start > longestPart { out.removeLast(out.count - start - longestPart) }
    out.append(0)
    out.append(contentsOf: permID.utf8.prefix(longestPart))
  }

  /// The beginning of the keys of all loaded entities of a category, which no other key has.
  static func prefix(ofCategory category: String) -> [UInt8] {
    var out: [UInt8] = [0]
    appendCategory(category, to: &out)
    return out
  }

  /// The bytes upside down, so that the last comes first; behind them what is more than any.
  private static func appendCategory(_ category: String, to out: inout [UInt8]) {
    for byte in category.utf8.prefix(longestPart) { out.append(~max(byte, 1)) }
    out.append(0xFF)
  }
}
