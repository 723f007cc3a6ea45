/// What of a snapshot has to be fetched, and what is at hand.
struct UpdatePlan: Sendable {
  /// All documents that count, in the order of the manifest; with one type alone those of others come first.
  private(set) var entries: [ManifestDocument] = []
  /// Those to be fetched: what most others wait for first, then the large ones.
  private(set) var missing: [ManifestDocument] = []
  /// Those that are at hand.
  private(set) var reused: [FetchedDocument] = []
  private(set) var warnings: [RecordIssue] = []

  /// - Parameters:
  ///   - known: The documents of the snapshot in use.
  ///   - source: For messages.
  init(
    _ manifest: DatabaseManifest, known: [FetchedDocument], options: UpdateOptions, source: String
  ) throws(UpdateError) {
    let total = manifest.documents.reduce(0) { $0.addingReportingOverflow($1.bytes).partialValue }
    let isTooMuch = manifest.documents.contains { $0.bytes > ContractPacking.limitInBytes }
    if manifest.documents.count > options.documentLimit || isTooMuch || total > options.sizeLimitInBytes {
      throw .manifestTooLarge(
        source: source, reason: "\(manifest.documents.count) documents of \(total) bytes, which is more than is fetched"
      )
    }
    let atHand = Dictionary(known.map { ($0.entry.sha256, $0) }, uniquingKeysWith: { first, _ in first })
    var wanted = manifest.documents
    if let only = options.only, !known.isEmpty {
      // All others stay as they are, also those that the service has no more.
      reused = known.filter { $0.entry.type != only }
      if let damaged = reused.first(where: { !SnapshotError.isWhole($0) }) {
        throw .damagedAtHand(document: damaged.entry.path)
      }
      entries = reused.map(\.entry)
      wanted.removeAll { $0.type != only }
    }
    var unknown: [String] = []
    // Paths are told apart by their bytes, as ids are.
    var seen: Set<Identifier> = []
    for entry in wanted {
      guard let type = entry.type, type != .manifest else {
        unknown.append(entry.path)
        continue
      }
      guard seen.insert(Identifier(entry.path)).inserted else {
        throw .listedTwice(source: source, document: entry.path)
      }
      entries.append(entry)
      // A disk may have changed what was kept, and what is damaged would be damaged for ever.
      if let old = atHand[entry.sha256], SnapshotError.isWhole(FetchedDocument(entry: entry, bytes: old.bytes)) {
        reused.append(FetchedDocument(entry: entry, bytes: old.bytes))
      } else {
        missing.append(entry)
      }
    }
    if entries.isEmpty { throw .emptyManifest(source: source) }
    missing.sort { ($1.type?.dependants ?? 0, $1.bytes, $0.path) < ($0.type?.dependants ?? 0, $0.bytes, $1.path) }
    if !unknown.isEmpty {
      warnings.append(
        RecordIssue(
          code: .unknownContent,
          message: "the manifest lists documents that are not known: "
            + unknown.prefix(5).map { "'\($0)'" }.joined(separator: ", ")))
    }
  }

  /// What is asked for.
  var sheet: FetchSheet {
    // A little more than stated, so that a longer document is told from a whole one.
    FetchSheet(paths: missing.map(\.path), limits: missing.map { $0.bytes + 4096 }, entries: missing.map { $0 })
  }

  /// What was done for each type that has documents.
  ///
  /// - Parameter fetched: The documents that were missing, in their order.
  func tallies(of fetched: [ReadDocument]) -> [UpdateTally] {
    (ContractType.single + [.layout]).compactMap { type in
      let new = missing.filter { $0.type == type }
      let old = reused.filter { $0.entry.type == type }
      if new.isEmpty, old.isEmpty { return nil }
      let work = zip(missing, fetched).filter { $0.0.type == type }.compactMap(\.1.work)
      let start = work.map(\.lowerBound).min()
      let end = work.map(\.upperBound).max()
      return UpdateTally(
        type: type, fetched: new.count, bytes: new.reduce(0) { $0 + $1.bytes }, reused: old.count,
        took: start.flatMap { start in end.map { start.duration(to: $0) } } ?? .zero)
    }
  }
}
