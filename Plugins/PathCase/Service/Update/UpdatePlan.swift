import PluginAPI

/// The division of a snapshot into documents to fetch and cached ones.
struct UpdatePlan: Sendable {
  /// All relevant documents, in the order of the manifest; with a single type, those of other types come first.
  private(set) var entries: [ManifestDocument] = []
  /// The documents to fetch: those with most dependents first, then the large ones.
  private(set) var missing: [ManifestDocument] = []
  /// The cached documents.
  private(set) var reused: [FetchedDocument] = []
  private(set) var warnings: [RecordIssue] = []

  /// - Parameters:
  ///   - known: The documents of the active snapshot.
  ///   - source: The source, for messages.
  init(
    _ manifest: DatabaseManifest, known: [FetchedDocument], options: UpdateOptions, source: String
  ) throws(ErrorReport) {
    let total = manifest.documents.reduce(0) { $0.addingReportingOverflow($1.bytes).partialValue }
    let isTooMuch = manifest.documents.contains { $0.bytes > ContractPacking.limitInBytes }
    if manifest.documents.count > options.documentLimit || isTooMuch || total > options.sizeLimitInBytes {
      throw UpdateError.manifestTooLarge(
        "the manifest of '\(source)' lists \(manifest.documents.count) documents of \(total) bytes, which is more than "
          + "is fetched",
        advice: "look whether the address is that of a database", details: ["source": .text(source)])
    }
    let atHand = Dictionary(known.map { ($0.entry.sha256, $0) }, uniquingKeysWith: { first, _ in first })
    var wanted = manifest.documents
    if let only = options.only, !known.isEmpty {
      // All others stay unchanged, even those that the service no longer has.
      reused = known.filter { $0.entry.type != only }
      if let damaged = reused.first(where: { !SnapshotError.isWhole($0) }) {
        throw UpdateError.damagedAtHand(document: damaged.entry.path)
      }
      entries = reused.map(\.entry)
      wanted.removeAll { $0.type != only }
    }
    var unknown: [String] = []
    // Paths are compared by their bytes, like ids.
    var seen: Set<Identifier> = []
    for entry in wanted {
      guard let type = entry.type, type != .manifest else {
        unknown.append(entry.path)
        continue
      }
      guard seen.insert(Identifier(entry.path)).inserted else {
        throw UpdateError.listedTwice(
          "the manifest of '\(source)' lists '\(entry.path)' twice",
          advice: "tell who runs the service; the database in use stays as it was",
          details: ["source": .text(source), "document": .text(entry.path)])
      }
      entries.append(entry)
      // A disk may have altered a cached file; without this check the damage would be permanent.
      if let old = atHand[entry.sha256], SnapshotError.isWhole(FetchedDocument(entry: entry, bytes: old.bytes)) {
        reused.append(FetchedDocument(entry: entry, bytes: old.bytes))
      } else {
        missing.append(entry)
      }
    }
    if entries.isEmpty {
      throw UpdateError.emptyManifest(
        "the manifest of '\(source)' lists no document",
        advice: "look whether the address is that of a database; the one in use stays as it was",
        details: ["source": .text(source)])
    }
    missing.sort { ($1.type?.dependants ?? 0, $1.bytes, $0.path) < ($0.type?.dependants ?? 0, $0.bytes, $1.path) }
    if !unknown.isEmpty {
      warnings.append(
        RecordIssue(
          code: .unknownContent,
          message: "the manifest lists documents that are not known: "
            + unknown.prefix(5).map { "'\($0)'" }.joined(separator: ", ")))
    }
  }

  /// The documents to request.
  var sheet: FetchSheet {
    // The limit is slightly above the stated size, so that a longer document is detected.
    FetchSheet(paths: missing.map(\.path), limits: missing.map { $0.bytes + 4096 }, entries: missing.map { $0 })
  }

  /// Returns the work for each type that has documents.
  ///
  /// - Parameter fetched: The documents that were missing, in the same order.
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
