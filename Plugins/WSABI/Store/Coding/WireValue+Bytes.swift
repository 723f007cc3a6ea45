extension ByteWriter {
  /// The maximum nesting depth of values; deeper ones are rejected as too deep.
  ///
  /// No service of the standard nests values.
  private static let mostLevels = 64

  mutating func put(_ dictionary: WireDictionary) { put(dictionary, level: 0) }

  private mutating func put(_ dictionary: WireDictionary, level: Int) {
    put(dictionary.items.count)
    for item in dictionary.items {
      put(item.key)
      put(item.value, level: level)
    }
  }

  private mutating func put(optional value: WireValue?, level: Int) {
    put(value != nil)
    if let value { put(value, level: level) }
  }

  private mutating func put(_ value: WireValue, level: Int) {
    guard level < Self.mostLevels else { return put(.other("", type: "too-deep"), level: 0) }
    switch value {
    case .null, .string, .boolean, .integer, .decimal, .double, .dateTime, .bytes, .uri, .other: putPlain(value)
    case .range(let range):
      put(UInt8(20))
      put(optional: range.minimum, level: level + 1)
      put(optional: range.maximum, level: level + 1)
      put(optional: range.minimumIsExclusive) { $0.put($1) }
      put(optional: range.maximumIsExclusive) { $0.put($1) }
    case .resolution(let resolution):
      put(UInt8(21))
      put(resolution.width)
      put(resolution.height)
      put(optional: resolution.unit) { $0.put($1) }
    case .resource(let resource):
      put(UInt8(22))
      put(resource.uri)
      put(optional: resource.contentType) { $0.put($1) }
      put(optional: resource.relationship) { $0.put($1) }
    case .parameter(let parameter): put(parameter, level: level + 1)
    case .array(let elements, let type):
      put(UInt8(24))
      put(type)
      put(elements.count)
      for element in elements { put(element, level: level + 1) }
    case .dictionary(let dictionary):
      put(UInt8(25))
      put(dictionary, level: level + 1)
    }
  }

  private mutating func putPlain(_ value: WireValue) {
    switch value {
    case .string(let text): put(kind: 1, text)
    case .boolean(let flag):
      put(UInt8(2))
      put(flag)
    case .integer(let number, let type):
      put(kind: 3, type)
      put(number)
    case .decimal(let text, let type):
      put(kind: 4, type)
      put(text)
    case .double(let number, let type):
      put(kind: 5, type)
      put(Int(truncatingIfNeeded: number.bitPattern))
    case .dateTime(let text): put(kind: 6, text)
    case .bytes(let content):
      put(UInt8(7))
      put(content)
    case .uri(let text): put(kind: 8, text)
    case .other(let text, let type):
      put(kind: 9, type)
      put(text)
    default: put(UInt8(0))
    }
  }

  private mutating func put(kind: UInt8, _ text: String) {
    put(kind)
    put(text)
  }

  private mutating func put(_ parameter: SensorParameter, level: Int) {
    put(UInt8(23))
    put(parameter.name)
    put(parameter.type)
    put(parameter.isReadOnly)
    put(parameter.supportsMultiple)
    put(parameter.defaultValue, level: level)
    put(parameter.allowedValues.count)
    for value in parameter.allowedValues { put(value, level: level) }
  }
}

extension ByteReader {
  private static let mostLevels = 66

  mutating func dictionary() throws(Problem) -> WireDictionary { try dictionary(level: 0) }

  private mutating func dictionary(level: Int) throws(Problem) -> WireDictionary {
    var items: [WireDictionary.Item] = []
    for _ in 0..<(try count()) {
      let key = try text()
      items.append(WireDictionary.Item(key, try value(level: level)))
    }
    return WireDictionary(items)
  }

  private mutating func value(level: Int) throws(Problem) -> WireValue {
    guard level < Self.mostLevels else { throw Problem() }
    let kind = try byte()
    switch kind {
    case 0..<20: return try plain(kind)
    case 20: return .range(try range(level: level + 1))
    case 21:
      let (width, height) = (try text(), try text())
      return .resolution(
        WireResolution(width: width, height: height, unit: try optional { reader throws(Problem) in try reader.text() })
      )
    case 22:
      let uri = try text()
      let type = try optional { reader throws(Problem) in try reader.text() }
      let relationship = try optional { reader throws(Problem) in try reader.text() }
      return .resource(WireResource(uri: uri, contentType: type, relationship: relationship))
    case 23: return .parameter(try parameter(level: level + 1))
    case 24:
      let type = try text()
      return .array(try values(level: level + 1), type: type)
    case 25: return .dictionary(try dictionary(level: level + 1))
    default: throw Problem()
    }
  }

  private mutating func values(level: Int) throws(Problem) -> [WireValue] {
    var values: [WireValue] = []
    for _ in 0..<(try count()) { values.append(try value(level: level)) }
    return values
  }

  private mutating func plain(_ kind: UInt8) throws(Problem) -> WireValue {
    switch kind {
    case 0: return .null
    case 1: return .string(try text())
    case 2: return .boolean(try flag())
    case 6: return .dateTime(try text())
    case 7: return .bytes(try content())
    case 8: return .uri(try text())
    case 3, 4, 5, 9: break
    default: throw Problem()
    }
    let type = try text()
    switch kind {
    case 3: return .integer(try number(), type: type)
    case 4: return .decimal(try text(), type: type)
    case 5: return .double(Double(bitPattern: UInt64(bitPattern: Int64(try number()))), type: type)
    default: return .other(try text(), type: type)
    }
  }

  private mutating func range(level: Int) throws(Problem) -> WireRange {
    let minimum = try flag() ? try value(level: level) : nil
    let maximum = try flag() ? try value(level: level) : nil
    let isAbove = try optional { reader throws(Problem) in try reader.flag() }
    let isBelow = try optional { reader throws(Problem) in try reader.flag() }
    return WireRange(minimum: minimum, maximum: maximum, minimumIsExclusive: isAbove, maximumIsExclusive: isBelow)
  }

  private mutating func parameter(level: Int) throws(Problem) -> SensorParameter {
    var parameter = SensorParameter(name: try text(), type: try text())
    parameter.isReadOnly = try flag()
    parameter.supportsMultiple = try flag()
    parameter.defaultValue = try value(level: level)
    parameter.allowedValues = try values(level: level)
    return parameter
  }
}
