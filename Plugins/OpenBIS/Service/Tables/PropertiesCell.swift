import PluginAPI
import PluginJSON

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
  private enum Place {
    case start, list, element, key, label, value, object, member
  }

  private(set) var properties: [Property] = []
  private var (objects, others) = (0, 0)
  private var place = Place.start
  private var property = Property(key: "", label: "", value: "")

  /// A Boolean value indicating whether the list has elements, but none of them is a property.
  var hasOthersOnly: Bool { objects == 0 && others > 0 }

  func take(_ event: JSONEvent) throws -> JSONFlow {
    switch place {
    case .start: try begin(event)
    case .list: return takeInList(event)
    case .element: return takeInElement(event)
    case .object:
      guard case .key(let name) = event else { break }
      (property, place) = (Property(key: name.string, label: name.string, value: ""), .member)
    case .key, .label, .value, .member: return takeValue(event)
    }
    return .more
  }

  private func begin(_ event: JSONEvent) throws {
    switch event {
    case .beginArray: place = .list
    case .beginObject: place = .object
    default: throw UselessResult("they are no list")
    }
  }

  private func takeInList(_ event: JSONEvent) -> JSONFlow {
    switch event {
    case .beginObject:
      (place, property) = (.element, Property(key: "", label: "", value: ""))
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
    case .key("key"): place = .key
    case .key("label"): place = .label
    case .key("value"): place = .value
    case .key: return .skip
    case .endObject:
      if property.label.isEmpty { property.label = property.key }
      if property.key.isEmpty { property.key = property.label }
      if !property.key.isEmpty || !property.value.isEmpty { properties.append(property) }
      place = .list
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
    switch place {
    case .key: property.key = text
    case .label: property.label = text
    default: property.value = PropertyText.readable(text)
    }
    if place == .member {
      properties.append(property)
      place = .object
    } else {
      place = .element
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
      return value.isNull ? "" : String(decoding: RPCParameter.value(value), as: UTF8.self)
    }.joined(separator: ", ")
  }
}
