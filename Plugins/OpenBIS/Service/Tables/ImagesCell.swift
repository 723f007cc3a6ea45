import PluginAPI
import PluginJSON
import PluginText

/// A parser of IMAGES cells: an object with MARQUEE and TILED, as JSON in a text.
///
/// - Source: the app's readme, section "Images"; the sources of openBIS, its V1 and V3 interfaces
enum ImagesCell {
  /// Returns the images, unusable ones with the reason; nil if the cell is unreadable.
  static func read(_ cell: UnsafeBufferPointer<UInt8>) -> [EntityImage]? {
    if cell.allSatisfy({ $0 <= 0x20 }) { return [] }
    guard let record = try? Value(json: Array(cell), depth: 16, sizeInBytes: cell.count).record else { return nil }
    var images: [EntityImage] = []
    if let marquee = record["MARQUEE"], !marquee.isNull { images.append(image(marquee, .marquee)) }
    for specification in record["TILED"]?.list ?? [] { images.append(image(specification, .tiled)) }
    return images
  }

  /// Returns the single image of the older column IMAGE_URL.
  static func marquee(address: String) -> [EntityImage] {
    address.isEmpty ? [] : [EntityImage(role: .marquee, source: source(address))]
  }

  private static func image(_ specification: Value, _ role: EntityImage.Role) -> EntityImage {
    if let address = specification.text { return EntityImage(role: role, source: source(address)) }
    if let address = specification["URL"].text { return EntityImage(role: role, source: source(address)) }
    let data = specification["DATA"]
    guard let text = data["BASE64"].text else {
      return EntityImage(role: role, source: .unusable("the server names no address for it"))
    }
    let stated = data["FORMAT"].text ?? ""
    guard let bytes = Base64.bytes(text, requiresPadding: false), !bytes.isEmpty else {
      return EntityImage(role: role, source: .unusable("its bytes are not written in base64"), format: stated)
    }
    guard let format = ImageBytes.format(bytes) else {
      return EntityImage(role: role, source: .unusable("its bytes are no image that is known"), format: stated)
    }
    return EntityImage(role: role, source: .bytes(bytes), format: format)
  }

  private static func source(_ address: String) -> EntityImage.Source {
    if address.isEmpty { return .unusable("the server names no address for it") }
    guard let scheme = scheme(address), scheme != "http", scheme != "https" else { return .address(address) }
    return .unusable("addresses of '\(scheme):' are not fetched, only http and https")
  }

  /// Returns the scheme of an address, in lower case; nil for relative addresses.
  ///
  /// - Source: RFC 3986, section 3.1.
  private static func scheme(_ address: String) -> String? {
    let word = address.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard word.count < address.utf8.count, !word.isEmpty, word.count <= 20 else { return nil }
    let isScheme = word.allSatisfy { byte in
      let letter = byte | 0x20
      return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
        || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "+-.".utf8.contains(byte)
    }
    return isScheme ? String(Substring(word)).lowercased() : nil
  }
}
