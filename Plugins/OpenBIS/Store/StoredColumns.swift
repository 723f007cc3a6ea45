/// The columns of a stored entity that rows may change.
struct StoredColumns {
  var permID = ""
  var flags: EntityFlags = []
  var hasChildren = false
  var digest: Int?
  var sort: [UInt8] = []
  var category = ""
  var header = ""
  var summary = ""
  var identifier: String?
  var refcon: String?
  var properties: [UInt8]?
  var images: [UInt8]?

  /// Appends the entity's text for the word index to bytes.
  func appendWords(to out: inout [UInt8]) {
    EntityWords.append(
      header: header, summary: summary, identifier: identifier ?? "", category: category,
      properties: properties.map(EntityCoding.properties) ?? [], to: &out)
  }
}

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

/// The encoding of an entity's properties and images as bytes: all their texts, concatenated.
enum EntityCoding {
  /// Returns properties as bytes, with three texts each: key, label, value.
  static func bytes(_ properties: [Property]) -> [UInt8] {
    var out: [UInt8] = []
    var size = 0
    for property in properties {
      size += property.key.utf8.count + property.label.utf8.count + property.value.utf8.count + 9
    }
    out.reserveCapacity(size)
    for property in properties {
      PackedTexts.appendEncoded(property.key, to: &out)
      PackedTexts.appendEncoded(property.label, to: &out)
      PackedTexts.appendEncoded(property.value, to: &out)
    }
    return out
  }

  /// Returns the properties in bytes; none if they are damaged.
  static func properties(_ bytes: [UInt8]) -> [Property] {
    guard let texts = PackedTexts(encoded: bytes) else { return [] }
    return stride(from: 0, to: texts.count - texts.count % 3, by: 3).map {
      Property(key: texts[$0], label: texts[$0 + 1], value: texts[$0 + 2])
    }
  }

  /// Returns images as bytes, with four texts each: role, kind of source, source, format.
  ///
  /// - Parameter images: The images; those sent with their bytes must be in the store already.
  static func bytes(_ images: [EntityImage]) -> [UInt8] {
    var texts = PackedTexts()
    for image in images {
      texts.append(image.role.rawValue)
      let (kind, source) = parts(image.source)
      texts.append(kind)
      texts.append(source)
      texts.append(image.format)
    }
    return texts.encoded
  }

  private static func parts(_ source: EntityImage.Source) -> (String, String) {
    switch source {
    case .address(let address): ("address", address)
    case .stored(let hash): ("stored", hash)
    case .unusable(let reason): ("unusable", reason)
    case .bytes: ("unusable", "its bytes were not stored")
    }
  }

  /// Returns the images in bytes; none if they are damaged.
  static func images(_ bytes: [UInt8]) -> [EntityImage] {
    guard let texts = PackedTexts(encoded: bytes) else { return [] }
    return stride(from: 0, to: texts.count - texts.count % 4, by: 4).map { index in
      let source: EntityImage.Source =
        switch texts[index + 1] {
        case "address": .address(texts[index + 2])
        case "stored": .stored(texts[index + 2])
        default: .unusable(texts[index + 2])
        }
      return EntityImage(
        role: EntityImage.Role(rawValue: texts[index]) ?? .tiled, source: source, format: texts[index + 3])
    }
  }
}
