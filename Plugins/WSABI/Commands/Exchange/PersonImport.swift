import PluginAPI
import Synchronization

/// Imports an export into the store: all of it or nothing.
struct PersonImport: Sendable {
  /// The result of an import.
  struct Outcome: Sendable {
    var person: Int
    var items: Int
    var captures: Int
    var sizeInBytes: Int
    /// Records of a transaction that are not taken, with the reason.
    var leftOut: [(record: Int, reason: String)] = []
  }

  /// The most bytes of a capture that are held to make its thumbnail.
  private static let mostHeld = 64 << 20

  let records: RecordStore
  /// True if data is accepted that the store already holds, for any person.
  let takesKnownData: Bool
  let now: Instant

  /// Imports a folder, a ZIP archive or a transaction.
  func read(_ path: String, _ onProgress: @escaping @Sendable (Double) -> Void) async throws -> Outcome {
    let form = try ExchangeFiles.form(of: path)
    if form == .an2k { return try await readTransaction(path) }
    let opened = try await OnThread.value { try ExchangeFiles.open(path, form) }
    let captures = opened.manifest.items.flatMap(\.captures)
    try await check(Set(captures.map(\.record.sha256)))
    let total = opened.manifest.sizeInBytes
    try ExchangeFiles.checkRoom(for: total, in: records.folder)
    var imported = ImportedPerson(person: opened.manifest.person, items: [])
    var done = 0
    do {
      for item in opened.manifest.items {
        imported.items.append(.init(item: item.item, captures: [], losses: item.losses))
        for capture in item.captures {
          try Task.checkCancellation()
          imported.items[imported.items.count - 1].captures.append(try await take(capture, of: opened))
          done += capture.record.sizeInBytes
          onProgress(Double(done) / Double(max(1, total)))
        }
      }
      return try await keep(imported, form)
    } catch {
      abandon(imported)
      throw error
    }
  }

  /// Reads the data of a capture into the store, where it does not count yet.
  private func take(_ capture: ExchangeManifest.Capture, of opened: OpenedExchange) async throws
    -> ImportedPerson.Capture
  {
    let sink = try await records.importSink()
    do {
      let thumbnail = try await OnThread.value { () throws -> [UInt8]? in
        var held: [UInt8] = []
        let isHeld = capture.record.sizeInBytes <= Self.mostHeld
        try opened.read(capture) { piece in
          try sink.write(piece)
          if isHeld { held.append(contentsOf: piece) }
        }
        return isHeld ? CapturePicture.thumbnail(held) : nil
      }
      return ImportedPerson.Capture(record: capture.record, sink: sink, thumbnail: thumbnail)
    } catch {
      sink.abandon()
      throw error
    }
  }

  private func readTransaction(_ path: String) async throws -> Outcome {
    let read = ITLImport(try await OnThread.value { try ExchangeFiles.transaction(path) })
    var imported = ImportedPerson(
      person: Person(id: 0, biography: read.biography, created: now, modified: now), items: [])
    // Pictures with the same bytes are distinguished by their order.
    var counts: [[UInt8]: Int] = [:]
    do {
      for (place, item) in read.items.enumerated() {
        imported.items.append(.init(item: self.item(item, place), captures: []))
        guard let image = item.image else { continue }
        let (bytes, type) = try CapturePicture.file(image)
        let digest = SHA256Digest.of(bytes)
        let count = counts[digest, default: 0]
        counts[digest] = count + 1
        guard let id = SHA256Digest.id(count == 0 ? digest : SHA256Digest.of(digest + Array("\(count)".utf8))) else {
          throw ExchangeError.badFile("the picture", reason: "it has no hash")
        }
        imported.items[place].captures.append(try await take(bytes, digest, id, type, of: item))
      }
      try await check(Set(imported.items.flatMap(\.captures).map(\.record.sha256)))
      var outcome = try await keep(imported, .an2k)
      outcome.leftOut = read.leftOut.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      return outcome
    } catch {
      abandon(imported)
      throw error
    }
  }

  private func item(_ item: ITLImport.Item, _ place: Int) -> BiometricItem {
    let device = DeviceDefinition(
      name: item.source.isEmpty ? "Import" : item.source, address: "", configuration: WireDictionary(), edited: now)
    return BiometricItem(
      id: 0, person: 0, index: place, submodality: item.submodality, modality: item.submodality.modality ?? .other,
      device: device, annotation: item.annotation, capture: nil, created: now, modified: now)
  }

  /// Writes a picture of a transaction into a sink of the store, as a file of its type.
  private func take(
    _ bytes: [UInt8], _ digest: [UInt8], _ id: SensorUUID, _ type: String, of item: ITLImport.Item
  ) async throws -> ImportedPerson.Capture {
    let sink = try await records.importSink()
    do {
      try await OnThread.value { try bytes.withUnsafeBytes { try sink.write($0) } }
    } catch {
      sink.abandon()
      throw error
    }
    let day = item.day.count == 8 ? Array(item.day) : []
    let text = day.isEmpty ? "" : "\(String(day[..<4]))-\(String(day[4..<6]))-\(String(day[6...]))T00:00:00Z"
    let record = CaptureRecord(
      id: 0, item: 0, captureID: id, address: "", sizeInBytes: bytes.count, sha256: digest, claimedType: type,
      sniffedType: SniffedType.of(Array(bytes.prefix(64))), metadata: WireDictionary(),
      received: ExactInstant.instant(text) ?? now, quality: nil,
      subject: CaptureSubject(modality: item.submodality.modality ?? .other, submodality: item.submodality))
    return ImportedPerson.Capture(record: record, sink: sink, thumbnail: CapturePicture.thumbnail(bytes))
  }

  /// Stores everything in one change of the store.
  private func keep(_ imported: ImportedPerson, _ form: ExchangeFiles.Form) async throws -> Outcome {
    let captures = imported.items.flatMap(\.captures)
    do {
      let person = try await records.importPerson(imported, from: form.rawValue)
      return Outcome(
        person: person, items: imported.items.count, captures: captures.count,
        sizeInBytes: captures.reduce(0) { $0 + $1.record.sizeInBytes })
    } catch VaultError.captureIDTaken(let item) {
      throw ExchangeError.alreadyThere(person: try await records.person(ofItem: item) ?? 0, item: item)
    }
  }

  private func check(_ hashes: Set<[UInt8]>) async throws {
    guard !takesKnownData, !hashes.isEmpty, let known = try await records.item(withDataOf: hashes) else { return }
    throw ExchangeError.alreadyThere(person: known.person, item: known.item)
  }

  private func abandon(_ imported: ImportedPerson) {
    for capture in imported.items.flatMap(\.captures) { capture.sink.abandon() }
  }
}
