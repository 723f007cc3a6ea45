import PluginAPI

/// A writer of a record's content as bytes: numbers in 8 bytes, little-endian; texts and lists after their length.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  /// Starts with the number of the form, so that later forms can be distinguished.
  init(form: UInt8) { bytes.append(form) }

  mutating func put(_ number: Int) {
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  mutating func put(_ byte: UInt8) { bytes.append(byte) }

  mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  mutating func put(_ text: String) {
    var text = text
    text.withUTF8 {
      put($0.count)
      bytes.append(contentsOf: $0)
    }
  }

  mutating func put(_ content: [UInt8]) {
    put(content.count)
    bytes.append(contentsOf: content)
  }

  mutating func put(_ texts: [String]) {
    put(texts.count)
    for text in texts { put(text) }
  }

  /// Writes a flag for the presence of a value, then the value.
  mutating func put<Value>(optional value: Value?, _ put: (inout ByteWriter, Value) -> Void) {
    self.put(value != nil)
    if let value { put(&self, value) }
  }
}

/// A reader of bytes written by ``ByteWriter``; every length is checked against the remaining bytes.
struct ByteReader {
  /// An error for bytes that do not match the written form.
  struct Problem: Error {}

  private let bytes: [UInt8]
  private var position = 0
  /// The form that was written.
  private(set) var form: UInt8 = 0

  /// Starts reading; throws an error for an unknown form.
  init(_ bytes: [UInt8], forms: ClosedRange<UInt8> = 1...1) throws(Problem) {
    self.bytes = bytes
    form = try byte()
    guard forms.contains(form) else { throw Problem() }
  }

  mutating func byte() throws(Problem) -> UInt8 {
    guard position < bytes.count else { throw Problem() }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func flag() throws(Problem) -> Bool {
    switch try byte() {
    case 0: false
    case 1: true
    default: throw Problem()
    }
  }

  mutating func number() throws(Problem) -> Int {
    guard bytes.count - position >= 8 else { throw Problem() }
    var number: UInt64 = 0
    for index in (0..<8).reversed() { number = number << 8 | UInt64(bytes[position + index]) }
    position += 8
    return Int(truncatingIfNeeded: number)
  }

  /// Returns the number of elements that follow, each at least one byte long.
  mutating func count() throws(Problem) -> Int {
    let count = try number()
    guard count >= 0, count <= bytes.count - position else { throw Problem() }
    return count
  }

  mutating func content() throws(Problem) -> [UInt8] {
    let count = try count()
    defer { position += count }
    return Array(bytes[position..<(position + count)])
  }

  mutating func text() throws(Problem) -> String {
    let count = try count()
    defer { position += count }
    return String(decoding: bytes[position..<(position + count)], as: UTF8.self)
  }

  mutating func texts() throws(Problem) -> [String] {
    let count = try count()
    var texts: [String] = []
    for _ in 0..<count { texts.append(try text()) }
    return texts
  }

  mutating func optional<Value>(_ read: (inout ByteReader) throws(Problem) -> Value) throws(Problem) -> Value? {
    try flag() ? try read(&self) : nil
  }

  /// Throws an error unless all bytes were read.
  func checkEnd() throws(Problem) {
    if position != bytes.count { throw Problem() }
  }
}

// Encodings of records before they are sealed. A released form never changes: a new one gets a new number.

extension ByteWriter {
  mutating func put(_ instant: Instant) {
    put(Int(instant.seconds))
    put(Int(instant.nanoseconds))
  }

  mutating func put(_ biography: Biography) {
    for text in [biography.firstName, biography.middleName, biography.lastName, biography.otherName] { put(text) }
    for texts in [biography.aliases, biography.datesOfBirth, biography.placesOfBirth] { put(texts) }
    for text in [biography.gender, biography.hairColor, biography.race, biography.eyeColor] { put(text) }
    for text in [biography.height, biography.weight, biography.notes] { put(text) }
  }

  mutating func put(_ device: DeviceDefinition) {
    put(device.name)
    put(device.address)
    put(device.configuration)
    put(device.edited)
    put(device.trust)
  }

  /// Writes an address without its trust, which has its own place in each record.
  mutating func put(_ address: SensorAddress) {
    put(address.text)
    put(address.host)
    put(address.port)
    put(address.isSecure)
  }

  mutating func put(_ trust: SensorTrust) {
    put(trust.pins)
    for path in [trust.authorities, trust.clientCertificate, trust.clientKey] { put(path) }
  }

  mutating func put(_ annotation: Annotation) {
    put(annotation.conditions.map(\.rawValue))
    put(annotation.notes)
  }

  mutating func put(_ id: SensorUUID) { put(id.text) }
}

extension ByteReader {
  mutating func instant() throws(Problem) -> Instant {
    let (seconds, nanoseconds) = (try number(), try number())
    guard (0..<1_000_000_000).contains(nanoseconds) else { throw Problem() }
    return Instant(seconds: Int64(seconds), nanoseconds: Int32(nanoseconds))
  }

  mutating func biography() throws(Problem) -> Biography {
    var biography = Biography()
    biography.firstName = try text()
    biography.middleName = try text()
    biography.lastName = try text()
    biography.otherName = try text()
    biography.aliases = try texts()
    biography.datesOfBirth = try texts()
    biography.placesOfBirth = try texts()
    biography.gender = try text()
    biography.hairColor = try text()
    biography.race = try text()
    biography.eyeColor = try text()
    biography.height = try text()
    biography.weight = try text()
    biography.notes = try text()
    return biography
  }

  mutating func device() throws(Problem) -> DeviceDefinition {
    let (name, address) = (try text(), try text())
    let configuration = try dictionary()
    var device = DeviceDefinition(name: name, address: address, configuration: configuration, edited: try instant())
    // The first form did not contain it.
    if form >= 2 { device.trust = try trust() }
    return device
  }

  /// Reads an address without its trust.
  mutating func address() throws(Problem) -> SensorAddress {
    let (text, host) = (try text(), try text())
    let (port, isSecure) = (try number(), try flag())
    return SensorAddress(text: text, host: host, port: port, isSecure: isSecure)
  }

  mutating func trust() throws(Problem) -> SensorTrust {
    var trust = SensorTrust(pins: try texts())
    trust.authorities = try text()
    trust.clientCertificate = try text()
    trust.clientKey = try text()
    return trust
  }

  mutating func annotation() throws(Problem) -> Annotation {
    var conditions: [PartCondition] = []
    for word in try texts() {
      guard let condition = PartCondition(rawValue: word) else { throw Problem() }
      conditions.append(condition)
    }
    return Annotation(conditions: conditions, notes: try text())
  }

  mutating func uuid() throws(Problem) -> SensorUUID {
    guard let id = SensorUUID(try text()) else { throw Problem() }
    return id
  }
}

/// Returns the content of a record; throws an error that names the record as damaged if it cannot be read.
func decoded<Value>(
  _ bytes: [UInt8], forms: ClosedRange<UInt8> = 1...1, as place: RecordPlace,
  _ read: (inout ByteReader) throws(ByteReader.Problem) -> Value
) throws -> Value {
  try decoded(bytes, forms: forms, named: place.words, read)
}

/// Returns the content of a record that messages call by a name.
func decoded<Value>(
  _ bytes: [UInt8], forms: ClosedRange<UInt8> = 1...1, named name: @autoclosure () -> String,
  _ read: (inout ByteReader) throws(ByteReader.Problem) -> Value
) throws -> Value {
  do {
    var reader = try ByteReader(bytes, forms: forms)
    let value = try read(&reader)
    try reader.checkEnd()
    return value
  } catch {
    throw VaultError.damaged(name())
  }
}

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
    case .null: put(UInt8(0))
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
