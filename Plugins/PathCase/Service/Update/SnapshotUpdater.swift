import PluginAPI
internal import PluginNet
internal import PluginText
internal import Synchronization

/// Fetches a snapshot, document by document, and links it.
///
/// With a cached manifest all documents can be requested at once: only linking has an order. The documents on which
/// most others depend are requested first. Unchanged documents are reused from the previous snapshot.
struct SnapshotUpdater: Sendable {
  let source: DocumentSource
  var options = UpdateOptions()
  /// The documents of the active snapshot.
  var known: [FetchedDocument] = []
  /// The entity tag of its manifest, if it is from the same source.
  var knownTag: String?

  /// Fetches and links a snapshot.
  ///
  /// If the documents do not match the manifest or each other, the database changed in the meantime. The update is then
  /// retried once from the beginning.
  /// - Parameter onProgress: Called at most thirty times a second, on any thread.
  /// - Throws: ``UpdateError``, ``SnapshotError``, ``ContractError``, ``LinkingError``, `HTTPError`;
  ///   `CancellationError` soon after the task is canceled.
  func run(onProgress: @escaping @Sendable (UpdateProgress) -> Void = { _ in }) async throws -> FetchedSnapshot {
    try await attempts(tag: nil, onProgress)
  }

  /// Fetches and links a snapshot unless the service reports that the cached manifest is current.
  ///
  /// - Returns: The snapshot; nil if the manifest is current.
  func runIfChanged(
    onProgress: @escaping @Sendable (UpdateProgress) -> Void = { _ in }
  ) async throws -> FetchedSnapshot? {
    do {
      return try await attempts(tag: knownTag, onProgress)
    } catch is UnchangedManifest {
      return nil
    }
  }

  /// Runs the whole update, and again if the database changed in the meantime.
  private func attempts(
    tag: String?, _ onProgress: @escaping @Sendable (UpdateProgress) -> Void
  ) async throws -> FetchedSnapshot {
    let end = ContinuousClock.now + .seconds(options.deadlineInSeconds)
    do {
      return try await attempt(until: end, tag: tag, onProgress)
    } catch is SnapshotError {
      return try await attempt(until: end, tag: nil, onProgress)
    }
  }

  /// Runs the whole update once.
  private func attempt(
    until end: ContinuousClock.Instant, tag: String?, _ onProgress: @escaping @Sendable (UpdateProgress) -> Void
  ) async throws -> FetchedSnapshot {
    let manifestPath = "manifest.xml"
    let request = DocumentRequest(path: manifestPath, limitInBytes: ContractPacking.limitInBytes, tag: tag)
    let fetch = DocumentFetch(source: source, options: options, end: end)
    guard let read = try await fetch.run([FetchJob(request: request)], onDocument: { _, _ in })[0] else {
      throw UpdateError.file(path: manifestPath, reason: "it does not exist")
    }
    let manifest = read.document.manifest
    let plan = try UpdatePlan(manifest, known: known, options: options, source: source.name)
    let gate = ProgressGate(onProgress)
    let total = plan.missing.reduce(0) { $0 + $1.bytes }
    let jobs = plan.jobs
    let fetched = try await fetch.run(jobs) { done, size in
      gate.pass(UpdateProgress(documents: done, totalDocuments: jobs.count, bytes: size, totalBytes: total))
    }
    try Task.checkCancellation()
    // With a single type it is another state than the manifest's, and gets its own digest.
    let digested =
      options.only == nil
      ? read.bytes : ContractWriter.document(of: DatabaseManifest(snapshot: manifest.snapshot, documents: plan.entries))
    var snapshot = try await CancelableWork.value {
      try link(plan, fetched.compactMap { $0 }, manifest, sha256: SHA256.hexadecimal(of: digested))
    }
    if options.only == nil { snapshot.tag = read.tag }
    return snapshot
  }

  /// Combines the documents in the order of the manifest.
  private func link(
    _ plan: UpdatePlan, _ fetched: [ReadDocument], _ manifest: DatabaseManifest, sha256: String
  ) throws -> FetchedSnapshot {
    var byPath: [Identifier: ReadDocument] = [:]
    for (entry, document) in zip(plan.missing, fetched) { byPath[Identifier(entry.path)] = document }
    for old in plan.reused {
      let document = try ContractReader().read(old.bytes, name: old.entry.path, expecting: old.entry.type)
      byPath[Identifier(old.entry.path)] = ReadDocument(bytes: old.bytes, document: document)
    }
    var records = DatabaseRecords(snapshot: manifest.snapshot)
    var places = RecordPlaces()
    var warnings = plan.warnings
    var documents: [FetchedDocument] = []
    for entry in plan.entries {
      guard let read = byPath[Identifier(entry.path)] else { continue }
      // Documents of a single type may be of another state than the rest, as the user requested.
      if options.only == nil, read.document.snapshot != manifest.snapshot {
        throw SnapshotError.mixed(
          document: entry.path, found: read.document.snapshot, expected: manifest.snapshot)
      }
      records.add(read.document.records)
      places.add(read.document.places)
      warnings += read.document.warnings
      documents.append(FetchedDocument(entry: entry, bytes: read.bytes))
    }
    let database = try DatabaseLinker.link(records, places: places)
    return FetchedSnapshot(
      database: database, sha256: sha256, documents: documents, tallies: plan.tallies(of: fetched), warnings: warnings)
  }
}

/// The division of a snapshot into documents to fetch and cached ones.
private struct UpdatePlan: Sendable {
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
        "the manifest of '\(source)' lists \(manifest.documents.count) documents of \(total) bytes, "
          + "which exceeds the limit",
        advice: "check that the address is that of a database", details: ["source": .text(source)])
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
          advice: "inform the operator of the service; the database in use is unchanged",
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
        "the manifest of '\(source)' lists no documents",
        advice: "check that the address is that of a database; the database in use is unchanged",
        details: ["source": .text(source)])
    }
    missing.sort { ($1.type?.dependents ?? 0, $1.bytes, $0.path) < ($0.type?.dependents ?? 0, $0.bytes, $1.path) }
    if !unknown.isEmpty {
      warnings.append(
        RecordIssue(
          code: .unknownContent,
          message: "the manifest lists unknown documents: "
            + unknown.prefix(5).map { "'\($0)'" }.joined(separator: ", ")))
    }
  }

  /// The documents to request.
  var jobs: [FetchJob] {
    // The limit is slightly above the stated size, so that a longer document is detected.
    missing.map { FetchJob(request: DocumentRequest(path: $0.path, limitInBytes: $0.bytes + 4096), entry: $0) }
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

/// The options of an update.
struct UpdateOptions: Sendable, Hashable {
  /// The number of documents fetched at the same time.
  var connections = 6
  /// The number of tries for a document before the update fails.
  var tries = 3
  /// The delay before the second try, in seconds; each later delay is twice as long, less a random part.
  var firstDelayInSeconds = 0.3
  /// The time limit for the whole update.
  var deadlineInSeconds = 120.0
  /// The only type to update, while others stay unchanged; nil for all.
  var only: ContractType?
  /// The maximum number of documents, and of their bytes, to fetch.
  var documentLimit = 100_000
  var sizeLimitInBytes = 1 << 30
}

/// The progress of an update.
struct UpdateProgress: Sendable, Hashable {
  var documents: Int
  var totalDocuments: Int
  var bytes: Int
  var totalBytes: Int
}

/// The work of an update for the documents of a type.
struct UpdateTally: Sendable, Hashable {
  var type: ContractType
  /// The number of documents fetched, and their bytes.
  var fetched = 0
  var bytes = 0
  /// The number of documents reused from the previous snapshot.
  var reused = 0
  /// The time from the first request until the last document was read.
  var took: Duration = .zero
}

/// A fetched and linked database that is ready to be stored.
struct FetchedSnapshot: Sendable {
  var database: MetabolicDatabase
  /// The digest of the manifest; if a single type was updated, that of the combined documents.
  var sha256: String
  /// All documents except the manifest, ordered by path.
  var documents: [FetchedDocument]
  /// The work by type, in linking order.
  var tallies: [UpdateTally]
  /// Problems in the documents that do not prevent their use; the database has its own warnings.
  var warnings: [RecordIssue]
  /// The entity tag of the manifest; nil if the service sent none or the snapshot is not the complete state.
  var tag: String?
}

extension ContractType {
  /// The number of types that depend on it in sequence: documents with most dependents are fetched first.
  var dependents: Int {
    switch self {
    case .manifest: 6
    case .tissues: 5
    case .compartments, .metabolites: 4
    case .pools: 3
    case .processes: 2
    case .pathways: 1
    case .smdapathways, .ranges, .layout: 0
    }
  }
}

/// Passes at most thirty reports a second, and always the last one.
final class ProgressGate: Sendable {
  private let last = Mutex<ContinuousClock.Instant?>(nil)
  private let report: @Sendable (UpdateProgress) -> Void
  private let now: @Sendable () -> ContinuousClock.Instant

  /// The minimum time between two reports.
  static let interval = Duration.milliseconds(34)

  init(
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
    _ report: @escaping @Sendable (UpdateProgress) -> Void
  ) {
    self.now = now
    self.report = report
  }

  func pass(_ progress: UpdateProgress) {
    let time = now()
    let isLast = progress.documents == progress.totalDocuments
    let passes = last.withLock { last in
      if let last, !isLast, last.duration(to: time) < Self.interval { return false }
      last = time
      return true
    }
    if passes { report(progress) }
  }
}

/// The errors of updating a database, beyond those of documents, network and folder.
enum UpdateError {
  /// The catalog of the errors of updates, including those of the network.
  static let errorCodes = all.map(\.catalogueEntry) + HTTPError.errorCodes

  private static let all: [DeclaredError] = [
    noServer, deadline, file, manifestTooLarge, emptyManifest, listedTwice, otherAddress,
  ]

  // MARK: The source

  static let noServer = DeclaredError(
    "pathcase.no-server", .usage, "no database server is set: give '--server' or set 'pathcase.server'")
  private static let otherAddress = DeclaredError(
    "pathcase.other-address", .usage, "databases are downloaded over HTTP and HTTPS only")

  static func otherAddress(_ address: String) -> ErrorReport {
    otherAddress(
      "'\(address)' is not the address of a database",
      advice: "give an address with http:// or https://, a folder or a .tar.gz file")
  }

  static let deadline = DeclaredError(
    "pathcase.net-005", .timedOut, "the update exceeded its time limit; the database is unchanged")
  static let file = DeclaredError(
    NetworkFileError.unreadable.code, .unusableInput, NetworkFileError.unreadable.summary)

  /// Returns the error of a file; a path that exists but is not a snapshot counts as unusable input.
  static func file(path: String, reason: SystemReason) -> ErrorReport {
    var report = file(
      "'\(path)' cannot be read: \(reason)",
      advice: "give a database: a folder, a .tar.gz file or an HTTP address", details: ["file": .text(path)])
    if reason.kind != .failure { report.kind = reason.kind }
    return report
  }

  // MARK: The manifest and the documents

  static let manifestTooLarge = DeclaredError(
    "pathcase.manifest-too-large", .unusableInput, "the manifest lists too many documents or bytes")
  static let emptyManifest = DeclaredError(
    "pathcase.manifest-empty", .unusableInput, "the manifest lists no documents of a known type")
  static let listedTwice = DeclaredError(
    "pathcase.listed-twice", .unusableInput, "the manifest lists a document twice")

  private static let damagedAtHand = DeclaredError(
    "pathcase.store-damaged", .failure, "a database file is damaged: roll back, or download it again")

  /// Returns the error of a document of the active database that is no longer as it was fetched.
  static func damagedAtHand(document: String) -> ErrorReport {
    damagedAtHand(
      "'\(document)' of the database in use is damaged", advice: "download it again with 'update' without '--only'",
      details: ["document": .text(document)])
  }
}
