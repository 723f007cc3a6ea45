import PluginAPI

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

  private static let waitingWords = "it was at its sensor still when this was exported"

  /// Returns the incomplete items: those with pictures that were lost or are still at their sensor.
  private func incomplete(_ items: [BiometricItem]) async -> [(item: BiometricItem, reason: String)] {
    // A damaged journal, perhaps of another person, does not prevent the export.
    let unfinished = (try? await records.unfinished()) ?? []
    return items.flatMap { item in
      let count = unfinished.filter { $0.intent.item == item.id }.reduce(0) { $0 + $1.waiting.count }
      let words =
        "\(count) \(count == 1 ? "picture is" : "pictures are") at the sensor still: 'operations resume' fetches "
        + (count == 1 ? "it" : "them")
      return ((item.lossWords.map { [$0] } ?? []) + (count == 0 ? [] : [words])).map { (item, $0) }
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
      for item in items where !item.rest.isEmpty {
        let count = item.pictures.count
        let words = "\(count - 1) of its \(count) pictures are left out, as a transaction has no room for them"
        outcome.incomplete.append((item, words))
      }
    }
    outcome.captures = exchanged.records.count { $0.record.image != nil }
    for (place, reason) in export.leftOut.sorted(by: { $0.key < $1.key }) {
      if exchanged.records[place].record.image != nil { outcome.captures -= 1 }
      outcome.leftOut.append((exchanged.records[place].item, exchanged.unfit[place] ?? reason))
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
      for (place, picture) in pictures.enumerated() {
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
        let isLast = place == pictures.count - 1
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
