/// The position of an entity in lists, as bytes to compare: loaded ones first, then category descending, header in
/// natural order, id.
enum SortKey {
  /// The length at which longer parts are cut, in bytes: an index holds this key for every list with the entity.
  static let longestPart = 200

  /// Appends the key of an entity to bytes.
  static func append(category: String, header: String, permID: String, isLoaded: Bool, to out: inout [UInt8]) {
    out.append(isLoaded ? 0 : 1)
    if isLoaded { appendCategory(category, to: &out) }
    let start = out.count
    NaturalOrder.append(header.isEmpty ? permID : header, to: &out)
    if out.count - start > longestPart { out.removeLast(out.count - start - longestPart) }
    out.append(0)
    out.append(contentsOf: permID.utf8.prefix(longestPart))
  }

  /// Returns the common prefix of the keys of all loaded entities in a category, which no other key has.
  static func prefix(ofCategory category: String) -> [UInt8] {
    var out: [UInt8] = [0]
    appendCategory(category, to: &out)
    return out
  }

  /// Appends the inverted bytes of a category, so that the last one sorts first, and an end mark greater than any of
  /// them.
  private static func appendCategory(_ category: String, to out: inout [UInt8]) {
    for byte in category.utf8.prefix(longestPart) { out.append(~max(byte, 1)) }
    out.append(0xFF)
  }
}
