import PluginAPI
import PluginJSON
import PluginText

/// A parser of CHILDREN cells: a list of ids, as JSON in a text.
enum ChildrenCell {
  /// Returns the ids, and the number of elements left out because they are not ids.
  static func read(_ cell: UnsafeBufferPointer<UInt8>) -> (EntityRow.Children, dropped: Int) {
    if cell.allSatisfy(isBlank) { return (.ids([]), 0) }
    if let plain = plainList(cell) { return (.ids(plain), 0) }
    return anyList(cell)
  }

  @inline(__always)
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D && byte != 0x0B }

  /// Parses a list of texts without escapes, the usual case; returns nil for anything else.
  private static func plainList(_ cell: UnsafeBufferPointer<UInt8>) -> PackedTexts? {
    var ids = PackedTexts()
    var offset = 0
    func skipBlanks() { while offset < cell.count, isBlank(cell[offset]) { offset += 1 } }
    func take(_ mark: UInt8) -> Bool {
      guard offset < cell.count, cell[offset] == mark else { return false }
      offset += 1
      return true
    }
    skipBlanks()
    guard take(UInt8(ascii: "[")) else { return nil }
    skipBlanks()
    var isFirst = true
    while !take(UInt8(ascii: "]")) {
      if !isFirst {
        guard take(UInt8(ascii: ",")) else { return nil }
        skipBlanks()
      }
      isFirst = false
      guard take(UInt8(ascii: "\"")) else { return nil }
      let start = offset
      while offset < cell.count, cell[offset] != UInt8(ascii: "\"") {
        if cell[offset] == UInt8(ascii: "\\") || cell[offset] < 0x20 { return nil }
        offset += 1
      }
      guard offset < cell.count, offset > start else { return nil }
      ids.append(UnsafeBufferPointer(rebasing: cell[start..<offset]))
      offset += 1
      skipBlanks()
    }
    skipBlanks()
    return offset == cell.count ? ids : nil
  }

  /// Parses any JSON as a stream.
  private static func anyList(_ cell: UnsafeBufferPointer<UInt8>) -> (EntityRow.Children, dropped: Int) {
    var ids = PackedTexts()
    var (isOpen, dropped) = (false, 0)
    do {
      let reader = try JSONReader { event in
        guard isOpen else {
          guard case .beginArray = event else { throw UselessResult("it is not a list") }
          isOpen = true
          return .more
        }
        switch event {
        case .text(let text) where !text.bytes.isEmpty: ids.append(text.bytes)
        case .beginArray, .beginObject:
          dropped += 1
          return .skip
        case .endArray: break
        default: dropped += 1
        }
        return .more
      }
      try reader.push(UnsafeRawBufferPointer(cell))
      try reader.finish()
    } catch {
      return (.unreadable, 0)
    }
    return (.ids(ids), dropped)
  }
}

/// A parser of PROPERTIES cells: a list of objects with key, label and value, as JSON in a text.
enum PropertiesCell {
  /// Returns the properties; nil if the cell is unreadable: not a list, or a list of other elements.
  static func read(_ cell: UnsafeBufferPointer<UInt8>) -> [Property]? {
    if cell.allSatisfy({ $0 <= 0x20 }) { return [] }
    let taker = PropertyTaker()
    do {
      let reader = try JSONReader { event in try taker.take(event) }
      try reader.push(UnsafeRawBufferPointer(cell))
      try reader.finish()
    } catch {
      return nil
    }
    if taker.hasOthersOnly { return nil }
    return taker.properties
  }
}

/// A receiver of the events of a list of properties, or of an object whose members are the properties.
private final class PropertyTaker {
  private enum State {
    case start, list, element, key, label, value, object, member
  }

  private(set) var properties: [Property] = []
  private var (objects, others) = (0, 0)
  private var state = State.start
  private var property = Property(key: "", label: "", value: "")

  /// A Boolean value indicating whether the list has elements, but none of them is a property.
  var hasOthersOnly: Bool { objects == 0 && others > 0 }

  func take(_ event: JSONEvent) throws -> JSONFlow {
    switch state {
    case .start: try begin(event)
    case .list: return takeInList(event)
    case .element: return takeInElement(event)
    case .object:
      guard case .key(let name) = event else { break }
      (property, state) = (Property(key: name.string, label: name.string, value: ""), .member)
    case .key, .label, .value, .member: return takeValue(event)
    }
    return .more
  }

  private func begin(_ event: JSONEvent) throws {
    switch event {
    case .beginArray: state = .list
    case .beginObject: state = .object
    default: throw UselessResult("they are not a list")
    }
  }

  private func takeInList(_ event: JSONEvent) -> JSONFlow {
    switch event {
    case .beginObject:
      (state, property) = (.element, Property(key: "", label: "", value: ""))
      objects += 1
    case .beginArray:
      others += 1
      return .skip
    case .endArray: break
    default: others += 1
    }
    return .more
  }

  private func takeInElement(_ event: JSONEvent) -> JSONFlow {
    switch event {
    case .key("key"): state = .key
    case .key("label"): state = .label
    case .key("value"): state = .value
    case .key: return .skip
    case .endObject:
      if property.label.isEmpty { property.label = property.key }
      if property.key.isEmpty { property.key = property.label }
      if !property.key.isEmpty || !property.value.isEmpty { properties.append(property) }
      state = .list
    default: break
    }
    return .more
  }

  private func takeValue(_ event: JSONEvent) -> JSONFlow {
    let text: String
    switch event {
    case .beginArray, .beginObject: return .raw
    case .text(let value), .number(let value): text = value.string
    case .raw(let value): text = Self.text(ofRaw: value)
    case .bool(let flag): text = flag ? "true" : "false"
    default: text = ""
    }
    switch state {
    case .key: property.key = text
    case .label: property.label = text
    case .value, .member: property.value = PropertyText.readable(text)
    case .start, .list, .element, .object: break
    }
    if state == .member {
      properties.append(property)
      state = .object
    } else {
      state = .element
    }
    return .more
  }

  /// Returns a list as its elements separated by commas, and an object as JSON.
  private static func text(ofRaw json: JSONText) -> String {
    let bytes = Array(json.bytes)
    guard bytes.first == UInt8(ascii: "["),
      let values = try? Value(json: bytes, depth: 64, sizeInBytes: bytes.count).list
    else { return json.string }
    return values.map { value in
      if let text = value.text { return text }
      return value.isNull ? "" : String(decoding: value.json, as: UTF8.self)
    }.joined(separator: ", ")
  }
}

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
      return EntityImage(role: role, source: .unusable("the server gives no address"))
    }
    let stated = data["FORMAT"].text ?? ""
    guard let bytes = Base64.bytes(text, requiresPadding: false), !bytes.isEmpty else {
      return EntityImage(role: role, source: .unusable("its bytes are not in Base64"), format: stated)
    }
    guard let format = ImageBytes.format(bytes) else {
      return EntityImage(role: role, source: .unusable("its bytes are not an image of a known format"), format: stated)
    }
    return EntityImage(role: role, source: .bytes(bytes), format: format)
  }

  private static func source(_ address: String) -> EntityImage.Source {
    if address.isEmpty { return .unusable("the server gives no address") }
    guard let scheme = scheme(address), scheme != "http", scheme != "https" else { return .address(address) }
    return .unusable("its address is '\(scheme):', not http or https")
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
