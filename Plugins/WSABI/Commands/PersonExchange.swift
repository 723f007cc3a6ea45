import PluginAPI
import Synchronization

/// An export of a person of the store.
struct PersonExport: Sendable {
  /// The result of an export.
  struct Outcome: Sendable {
    var files = 0
    var captures = 0
    var sizeInBytes = 0
    /// Items that are not in the export, with the reason.
    var leftOut: [(item: BiometricItem, reason: String)] = []
    /// Items with pictures that are not in the export, with the number and the reason: lost, still at their sensor, or
    /// without room.
    var incomplete: [(item: BiometricItem, reason: String)] = []
    /// Fields of the biography that are not in the export, or not whole.
    var uncoded: [EBTSCodes.Uncoded] = []
  }

  let records: RecordStore
  let person: Int
  let exported: Instant

  /// Writes a folder or a ZIP archive with all data of the person, from which an import restores the same.
  ///
  /// If the export cannot be completed, nothing is left at its destination.
  func write(_ form: ExchangeFiles.Form, to path: String, _ onProgress: (Double) -> Void) async throws -> Outcome {
    try await records.beginExport(of: person, as: form.rawValue)
    let items = try await records.items(of: person)
    let manifest = try await manifest(items)
    let target = try await OnThread.value { () throws -> any ExchangeTarget in
      if form == .zip { try ArchiveTarget(path) } else { try FolderTarget(path) }
    }
    do {
      var outcome = try await write(manifest, to: target, onProgress)
      outcome.incomplete = await incomplete(items)
      try await OnThread.value { try target.finish() }
      return outcome
    } catch {
      try await OnThread.value { target.abandon() }
      throw error
    }
  }

  /// Returns the manifest of the person with all captures of the items.
  ///
  /// Data still awaited at the time of the export is listed as lost, so that a later reader knows what is missing.
  func manifest(_ items: [BiometricItem]) async throws -> ExchangeManifest {
    var exported: [ExchangeManifest.Item] = []
    for item in items {
      let answers = try await records.answers(of: item.id, waitingAs: Self.waitingWords)
      exported.append(.init(item, answers.captures, answers.losses))
    }
    return ExchangeManifest(
      exported: self.exported, software: "workbench wsabi \(WSABIPlugin.version)",
      person: try await records.person(person), items: exported)
  }

  private static let waitingWords = "its data was still at the sensor at the time of the export"

  /// Returns the incomplete items: those with pictures that were lost or are still at their sensor.
  private func incomplete(_ items: [BiometricItem]) async -> [(item: BiometricItem, reason: String)] {
    // A damaged journal, perhaps of another person, does not prevent the export.
    let unfinished = (try? await records.unfinished()) ?? []
    return items.flatMap { item in
      let count = unfinished.filter { $0.intent.item == item.id }.reduce(0) { $0 + $1.waiting.count }
      let text =
        "\(count) \(count == 1 ? "picture is" : "pictures are") still at the sensor: 'operations resume' downloads "
        + (count == 1 ? "it" : "them")
      return ((item.lossWords.map { [$0] } ?? []) + (count == 0 ? [] : [text])).map { (item, $0) }
    }
  }

  private func write(
    _ manifest: ExchangeManifest, to target: any ExchangeTarget, _ onProgress: (Double) -> Void
  ) async throws -> Outcome {
    let captures = manifest.items.flatMap(\.captures)
    let total = captures.reduce(1) { $0 + $1.record.sizeInBytes }
    var outcome = Outcome()
    var sums: [(name: String, sha256: [UInt8])] = []
    for capture in captures {
      try Task.checkCancellation()
      try await OnThread.value { try target.begin(capture.file, sizeInBytes: capture.record.sizeInBytes) }
      // The store checks every byte against the hash that was taken when it was received.
      try await records.read(capture.record) { try target.write($0) }
      sums.append((capture.file, try await OnThread.value { try target.end() }))
      outcome.sizeInBytes += capture.record.sizeInBytes
      outcome.captures += 1
      onProgress(Double(outcome.sizeInBytes) / Double(total))
    }
    let bytes = ExchangeFiles.bytes(manifest)
    sums.append(
      (ExchangeManifest.fileName, try await OnThread.value { try target.write(ExchangeManifest.fileName, bytes) }))
    let list = ExchangeFiles.bytes(sums)
    _ = try await OnThread.value { try target.write(ExchangeFiles.sums, list) }
    outcome.sizeInBytes += bytes.count + list.count
    outcome.files = captures.count + 2
    return outcome
  }

  /// Writes a transaction of ANSI/NIST-ITL with all pictures of the newest capture of each item.
  func writeTransaction(to path: String, _ envelope: ITLExport.Envelope) async throws -> Outcome {
    try await records.beginExport(of: person, as: (envelope.coding == .ebts ? ExchangeFiles.Form.ebts : .an2k).rawValue)
    let items = try await records.items(of: person)
    let biography = try await records.person(person).biography
    var outcome = Outcome()
    var exchanged = try await self.exchanged(items, all: true)
    let export: ITLExport
    do {
      export = try ITLExport(biography, exchanged.records.map(\.record), envelope)
    } catch {
      guard case .tooMany = error, exchanged.records.count > items.count else { throw error }
      // One picture of each item is better than none.
      exchanged = try await self.exchanged(items, all: false)
      export = try ITLExport(biography, exchanged.records.map(\.record), envelope)
      for item in items where !item.otherPictures.isEmpty {
        let count = item.pictures.count
        let text = "\(count - 1) of its \(count) pictures were left out, as the transaction is full"
        outcome.incomplete.append((item, text))
      }
    }
    outcome.captures = exchanged.records.count { $0.record.image != nil }
    for (index, reason) in export.leftOut.sorted(by: { $0.key < $1.key }) {
      if exchanged.records[index].record.image != nil { outcome.captures -= 1 }
      outcome.leftOut.append((exchanged.records[index].item, exchanged.unfit[index] ?? reason))
    }
    outcome.incomplete += await incomplete(items)
    outcome.uncoded = export.uncoded
    let bytes = export.transaction.encoded()
    try await OnThread.value { try ExchangeFiles.write(bytes, to: path) }
    (outcome.files, outcome.sizeInBytes) = (1, bytes.count)
    return outcome
  }

  /// Returns the pictures of items in transaction form, and the reasons why some cannot be included, by index.
  ///
  /// - Parameter all: True to include all pictures of an item; false for the first one only.
  private func exchanged(
    _ items: [BiometricItem], all: Bool
  ) async throws -> (records: [(item: BiometricItem, record: ExchangedItem)], unfit: [Int: String]) {
    var exchanged: [(item: BiometricItem, record: ExchangedItem)] = []
    var unfit: [Int: String] = [:]
    for item in items {
      var hasNotes = false
      let pictures = item.pictures.isEmpty ? [nil] : item.pictures.prefix(all ? .max : 1).map(Optional.some)
      for (index, picture) in pictures.enumerated() {
        try Task.checkCancellation()
        var image: ExchangedImage?
        do {
          if let picture {
            image = try CapturePicture.exchanged(
              try await records.data(of: picture), statedPixelsPerInch: picture.statedPixelsPerInch)
          }
        } catch let error as PictureError {
          unfit[exchanged.count] = error.report.message
        }
        // Notes are of the item: one of its records has them.
        let isLast = index == pictures.count - 1
        let notes = hasNotes || image == nil && !isLast ? "" : item.annotation.notes
        hasNotes = hasNotes || !notes.isEmpty
        exchanged.append((item, Self.exchanged(item, picture, image, notes: notes)))
      }
    }
    return (exchanged, unfit)
  }

  /// Returns items in the form of a transaction: the picture with its subject and condition, or no picture if there is
  /// none.
  private static func exchanged(
    _ item: BiometricItem, _ picture: CaptureRecord?, _ image: ExchangedImage?, notes: String
  ) -> ExchangedItem {
    let shown = picture.map(item.shown) ?? item.submodality
    return ExchangedItem(
      submodality: shown, annotation: Annotation(conditions: item.conditions(of: shown), notes: notes), image: image,
      captured: picture?.received ?? item.modified, modality: item.modality,
      shown: picture?.metadata["submodality"]?.plainText ?? "")
  }
}

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
      for (index, item) in read.items.enumerated() {
        imported.items.append(.init(item: self.item(item, index), captures: []))
        guard let image = item.image else { continue }
        let (bytes, type) = try CapturePicture.file(image)
        let digest = SHA256Digest.of(bytes)
        let count = counts[digest, default: 0]
        counts[digest] = count + 1
        guard let id = SHA256Digest.id(count == 0 ? digest : SHA256Digest.of(digest + Array("\(count)".utf8))) else {
          throw ExchangeError.badFile("the picture", reason: "the picture has no hash")
        }
        imported.items[index].captures.append(try await take(bytes, digest, id, type, of: item))
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

  private func item(_ item: ITLImport.Item, _ index: Int) -> BiometricItem {
    let device = DeviceDefinition(
      name: item.source.isEmpty ? "Import" : item.source, address: "", configuration: WireDictionary(), edited: now)
    return BiometricItem(
      id: 0, person: 0, index: index, submodality: item.submodality, modality: item.submodality.modality ?? .other,
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
    } catch VaultRefusal.knownCaptureID(let item) {
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
