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
    case .bytes: ("unusable", "its bytes were not kept")
    }
  }

  /// Returns the images in bytes; none if they are damaged.
  static func images(_ bytes: [UInt8]) -> [EntityImage] {
    guard let texts = PackedTexts(encoded: bytes) else { return [] }
    return stride(from: 0, to: texts.count - texts.count % 4, by: 4).map { place in
      let source: EntityImage.Source =
        switch texts[place + 1] {
        case "address": .address(texts[place + 2])
        case "stored": .stored(texts[place + 2])
        default: .unusable(texts[place + 2])
        }
      return EntityImage(
        role: EntityImage.Role(rawValue: texts[place]) ?? .tiled, source: source, format: texts[place + 3])
    }
  }
}
