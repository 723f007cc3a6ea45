import PluginAPI
import PluginText

@testable import WSABI

/// Records that tests put into stores.
enum StoreSamples {
  static func biography(_ first: String, _ last: String = "") -> Biography {
    var biography = Biography()
    (biography.firstName, biography.lastName) = (first, last)
    return biography
  }

  /// Returns a biography with text in every field, each with its own word.
  static func full(_ mark: String) -> Biography {
    Biography(
      firstName: mark + "first", middleName: mark + "middle", lastName: mark + "last", otherName: mark + "other",
      aliases: [mark + "alias1", mark + "alias2"], datesOfBirth: ["1970-01-02", mark + "date"],
      placesOfBirth: [mark + "place"], gender: mark + "gender", hairColor: mark + "hair", race: mark + "race",
      eyeColor: mark + "eye", height: mark + "height", weight: mark + "weight", notes: mark + "notes\nof two lines")
  }

  static func device(_ name: String = "desk", port: Int = 8000, edited: Int64 = 1) -> DeviceDefinition {
    DeviceDefinition(
      name: name, address: "http://127.0.0.1:\(port)",
      configuration: WireDictionary([.init("submodality", .string("RightThumbFlat"))]), edited: Instant(seconds: edited)
    )
  }

  static func draft(
    _ person: Int, _ word: String = "RightThumbFlat", device: DeviceDefinition = device()
  ) -> DraftItem {
    let submodality = Submodality(wire: word)
    return DraftItem(
      person: person, modality: submodality.modality ?? .other, submodality: submodality, device: device)
  }

  static let address = SensorAddress(
    text: "http://127.0.0.1:8000/Service", host: "127.0.0.1", port: 8000, isSecure: false)

  static func uuid(_ number: Int) -> SensorUUID {
    let text = "0A000000-0000-4000-8000-" + Hexadecimal.text(UInt(number), digits: 12)
    guard let id = SensorUUID(text) else { preconditionFailure("'\(text)' is a UUID") }
    return id
  }

  static func intent(_ item: Int) -> CaptureIntent {
    CaptureIntent(
      item: item, address: address, session: uuid(0xFFFF),
      configuration: WireDictionary([.init("submodality", .string("RightThumbFlat"))]))
  }

  /// Bytes that do not repeat.
  static func data(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 24)
    }
  }

  static func download(
    _ id: SensorUUID, _ metadata: WireDictionary? = nil, contentType: String? = "image/png", data: SensorData? = nil
  ) -> FinishedDownload {
    FinishedDownload(
      id: id,
      answer: SensorAnswer(
        status: .success, metadata: metadata, contentType: contentType, data: data, namespace: .bioserv), start: [])
  }
}

extension RecordStore {
  /// Returns a person with an item.
  func samplePerson(_ name: String = "Ada") async throws -> BiometricItem {
    let person = try await addPerson(StoreSamples.biography(name), at: StoreFolder.time)
    return try await addItem(StoreSamples.draft(person.id), at: StoreFolder.time)
  }

  /// Files an imported capture under an existing item, as the import of a person files each of its acts.
  func keepImported(_ sink: any DataSink, for item: Int, _ described: CaptureRecord) async throws -> CaptureRecord {
    guard let sink = sink as? CaptureSink else { throw VaultError.sinkClosed }
    let written = try sink.finish()
    let kept = try await change(.importRecords) { scope in
      let capture = ImportedPerson.Capture(record: described, sink: sink)
      let owner = try ItemRow.item(item, scope.connection, scope.keys).item
      try Self.insert(ImportedAct(pictures: [(capture, written)], losses: []), of: owner, scope)
      return try CaptureRow.all(of: item, scope.connection, scope.keys).first?.record
    }
    guard let kept else { throw VaultError.noItem(item) }
    sink.settle()
    return kept
  }

  /// Captures data for an item, from the request to the end.
  @discardableResult
  func sampleCapture(
    _ item: Int, _ id: SensorUUID, _ data: [UInt8], metadata: WireDictionary? = nil
  ) async throws -> CaptureRecord {
    let number = try await begin(StoreSamples.intent(item))
    try await captured(number, ids: [id])
    let sink = try await sink(number, id)
    try data.withUnsafeBytes { try sink.write($0) }
    let record = try await keep(number, sink, StoreSamples.download(id, metadata))
    try await end(number, .captured)
    return record
  }

  /// Captures several pictures for an item in one response; the last of them arrives first.
  ///
  /// - Parameter pictures: An id with its data, nil for a lost one, and the part the sensor reports.
  /// - Returns: The stored captures, in the order of the ids.
  @discardableResult
  func sampleAct(
    _ item: Int, _ pictures: [(id: Int, data: [UInt8]?, part: String)]
  ) async throws -> [CaptureRecord] {
    let number = try await begin(StoreSamples.intent(item))
    try await captured(number, ids: pictures.map { StoreSamples.uuid($0.id) })
    var kept: [CaptureRecord] = []
    for picture in pictures.reversed() {
      let id = StoreSamples.uuid(picture.id)
      guard let data = picture.data else {
        try await lost(number, id, because: "the service no longer has the data (invalidId)")
        continue
      }
      let sink = try await sink(number, id)
      try data.withUnsafeBytes { try sink.write($0) }
      let said = picture.part.isEmpty ? [] : [WireDictionary.Item("submodality", .string(picture.part))]
      kept.insert(try await keep(number, sink, StoreSamples.download(id, WireDictionary(said))), at: 0)
    }
    try await end(number, .captured)
    return kept
  }
}
