import PluginAPI

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
  do {
    var reader = try ByteReader(bytes, forms: forms)
    let value = try read(&reader)
    try reader.checkEnd()
    return value
  } catch {
    throw VaultError.damaged(place.words)
  }
}
