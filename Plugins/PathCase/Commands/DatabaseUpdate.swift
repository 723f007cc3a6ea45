import PluginAPI

/// Commands that activate another version of the database.
enum UpdateCommands {
  static let all: [PathCaseCommand] = [update, rollback]

  private static let server = Option(
    "server", String.self, "Address, folder or .tar.gz file; the setting 'server' by default")
  private static let only = Option(
    "only", ContractType.self, kind: .choice((ContractType.single + [.layout]).map(\.rawValue)),
    "Type of records to update; all by default")

  private static let update = PathCaseCommand(
    CommandDescription(
      "update", "Download changes to the database", output: .table(of: UpdateOutcome.TypeOutcome.self),
      effects: [.reads, .writes, .network]
    ).taking(server, only).explained(
      """
      Only changed documents are downloaded, several at a time. The new database takes effect in one step when it is \
      complete. If the update fails or is interrupted, the current database stays unchanged.
      """,
      examples: [
        .init("update", "From the server in the settings"),
        .init("update --server https://example.org/maw", "From another server"),
        .init("update --server snapshot.tar.gz --only processes", "One type of record from a file"),
      ])
  ) { call, shelf in
    let request = DatabaseUpdate.Request(server: call[server], only: call[only])
    let outcome = try await DatabaseUpdate.run(shelf, call.context, request) { call.report($0) }
    for issue in outcome.warnings.prefix(RecordIssue.kept) {
      call.warn(Diagnostic(.warning, code: issue.code.errorCode, issue.text))
    }
    call.warn(outcome.note)
    try await call.emit(table: outcome.types)
  }

  private struct ActiveDatabase: Model {
    var database: MetabolicDatabase
    var origin: SnapshotOrigin?

    static let typeName = "pathcase.active-database"
    static let fields = Fields<Self> {
      Field("snapshot", \.database.snapshot, "Version in use now, as named by its publisher")
      Field("source", \.origin?.source, "Source of the download; null for the bundled database")
      Field("fetchedAt", { $0.origin.map { Instant(seconds: Int64($0.fetchedAt)) } }, "Time of the download")
      Field("pathways", \.database.pathways.count, "Number of pathways")
    }
  }

  private static let rollback = PathCaseCommand(
    CommandDescription(
      "rollback", "Return to the database before the last update", output: .model(ActiveDatabase.self),
      effects: [.reads, .writes]
    ).explained(
      "A second rollback restores the later database. Your own layouts, observations and scenarios are kept.",
      examples: [.init("rollback", "The database before the last update")])
  ) { call, shelf in
    let store = PathwayShelf.snapshots(call.context)
    try await call.compute("rollback") { _ in try store.rollback() }
    await shelf.databaseReplaced(call.context, reason: "rollback")
    let opened = try await shelf.opened(call.context)
    try await call.emit(ActiveDatabase(database: opened.database, origin: opened.origin))
  }
}

extension ContractType: ParameterValue {}

/// Updates the database: fetches the changes, links them, and activates the result in one step.
///
/// Commands and screens use the same update. If it fails or is canceled, the active database stays unchanged.
struct DatabaseUpdate: Sendable {
  /// The parameters of an update.
  struct Request: Sendable, Hashable {
    /// An address, a folder or an archive; nil for the one in the settings.
    var server: String?
    /// The only type to update; nil for all.
    var only: ContractType?
  }

  private let shelf: PathwayShelf
  private let context: any PluginContext
  private let request: Request
  private let settings: UpdateSettings
  private let onProgress: @Sendable (Progress) -> Void

  /// Updates the database.
  ///
  /// - Parameter onProgress: Called at most thirty times a second, on any thread.
  /// - Throws: ``UpdateError``, ``SnapshotStoreError``, ``SnapshotError``, ``ContractError``, ``LinkingError``, network
  ///   and file errors; `CancellationError` soon after the task is canceled.
  static func run(
    _ shelf: PathwayShelf, _ context: any PluginContext, _ request: Request = Request(),
    onProgress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws -> UpdateOutcome {
    let update = DatabaseUpdate(
      shelf: shelf, context: context, request: request, settings: UpdateSettings(context), onProgress: onProgress)
    return try await update.run()
  }

  private func run() async throws -> UpdateOutcome {
    let start = ContinuousClock.now
    guard let server = request.server ?? settings.server else {
      throw UpdateError.noServer(
        "no database server is set",
        advice: "give one with '--server', or set one with 'workbench config set pathcase.server ADDRESS'")
    }
    let store = PathwayShelf.snapshots(context)
    let lock = try store.lock()
    defer { lock.release() }
    let before = try await PriorDatabase.read(context)
    let source = try DocumentSource.named(server, settings.access)
    var outcome = UpdateOutcome(source: source.name, snapshot: before.database.snapshot, sha256: before.sha256)
    guard let fetched = try await fetch(from: source, before) else {
      outcome.took = start.duration(to: .now)
      return outcome
    }
    outcome.take(fetched, since: before.database)
    if !before.isWhole || !before.has(fetched.documents) {
      let origin = SnapshotOrigin(
        sha256: fetched.sha256, source: source.name, fetchedAt: Int(context.now().seconds), tag: fetched.tag)
      onProgress(Progress("saving the new database"))
      try await context.eventLoop.compute("update") { work in
        try store.install(
          fetched.database, origin: origin, documents: fetched.documents, holding: lock
        ) { work.isCancelled }
      }
      outcome.isChanged = true
      lock.release()
      await shelf.databaseReplaced(context, reason: "update")
    }
    outcome.took = start.duration(to: .now)
    return outcome
  }

  /// Fetches and links the changes; returns nil if the service reports that there are none.
  private func fetch(from source: DocumentSource, _ before: PriorDatabase) async throws -> FetchedSnapshot? {
    var updater = SnapshotUpdater(source: source, options: settings.options, known: before.documents)
    updater.options.only = request.only
    // A damaged snapshot is fetched again, whatever the service reports.
    if request.only == nil, before.isWhole, before.origin?.source == source.name {
      updater.knownTag = before.origin?.tag
    }
    onProgress(Progress("requesting the list of documents from '\(source.name)'"))
    let onProgress = onProgress
    return try await updater.runIfChanged { done in
      onProgress(
        Progress(
          "\(done.documents) of \(done.totalDocuments) documents, \(done.bytes >> 10) of \(done.totalBytes >> 10) KiB",
          fraction: Double(done.documents) / Double(max(1, done.totalDocuments))))
    }
  }
}

/// The active database before an update, without the user's layouts.
private struct PriorDatabase: Sendable {
  var database: MetabolicDatabase
  var documents: [FetchedDocument]
  /// The SHA-256 digest of its manifest.
  var sha256: String
  /// The source from which it was fetched; nil for the bundled database.
  var origin: SnapshotOrigin?
  /// A Boolean value indicating whether the active database is readable and consists of the fetched documents.
  var isWhole = true

  /// Returns whether it consists of the same documents.
  func has(_ others: [FetchedDocument]) -> Bool {
    func digests(_ documents: [FetchedDocument]) -> Set<[String]> {
      Set(documents.map { [$0.entry.path, $0.entry.sha256] })
    }
    return digests(documents) == digests(others)
  }

  /// Reads the active database; a damaged snapshot is treated as one that was never fetched.
  static func read(_ context: any PluginContext) async throws -> PriorDatabase {
    try await context.eventLoop.compute("reading the database") { _ in
      do {
        return try fetched(context)
      } catch SnapshotStoreError.empty {
        return try bundled(context)
      } catch {
        var prior = try bundled(context)
        prior.isWhole = false
        return prior
      }
    }
  }

  private static func fetched(_ context: any PluginContext) throws -> PriorDatabase {
    let handle = try PathwayShelf.snapshots(context).open()
    defer { handle.close() }
    let content = try handle.content()
    return PriorDatabase(
      database: content.database, documents: content.documents, sha256: content.origin.sha256, origin: content.origin,
      isWhole: content.documents.allSatisfy(SnapshotError.isWhole))
  }

  private static func bundled(_ context: any PluginContext) throws -> PriorDatabase {
    let resources = context.folders.resources
    return PriorDatabase(
      database: try BundledDatabase.open(resources), documents: try BundledDatabase.documents(resources),
      sha256: try BundledDatabase.sha256(resources))
  }
}

/// The result of an update.
struct UpdateOutcome: Sendable {
  /// The changes to the documents and records of a type.
  struct TypeOutcome: Model {
    /// The work for the documents of the type.
    var tally: UpdateTally
    var added = 0
    var changed = 0
    var removed = 0

    static let typeName = "pathcase.updated-type"
    static let fields = Fields<Self> {
      Field("type", \.tally.type.rawValue, "Type of record", heading: "Type")
      Field("fetched", \.tally.fetched, "Number of documents downloaded", heading: "Fetched")
      Field("reused", \.tally.reused, "Number of unchanged documents", heading: "Reused")
      Field("added", \.added, "Number of new records", heading: "Added")
      Field("changed", \.changed, "Number of changed records", heading: "Changed")
      Field("removed", \.removed, "Number of removed records", heading: "Removed")
      Field("bytes", \.tally.bytes, "Size of the downloads, in bytes", heading: "Bytes")
      Field(
        "milliseconds", { milliseconds($0.tally.took) }, "Time from the first request until the last document was read",
        heading: "ms")
    }
  }

  /// The source of the documents.
  var source: String
  /// The version, as named by its publisher.
  var snapshot: String
  /// The SHA-256 digest of its manifest.
  var sha256: String
  /// A Boolean value indicating whether another version was activated.
  var isChanged = false
  /// The types in linking order; empty if the service reported no changes.
  var types: [TypeOutcome] = []
  /// Problems in the documents that do not prevent their use.
  var warnings: [RecordIssue] = []
  var took: Duration = .zero

  /// Records the fetched documents.
  mutating func take(_ fetched: FetchedSnapshot, since before: MetabolicDatabase) {
    (snapshot, sha256) = (fetched.database.snapshot, fetched.sha256)
    warnings = fetched.warnings + fetched.database.warnings
    let differences = fetched.database.differences(since: before)
    types = (ContractType.single + [.layout]).compactMap { type in
      let tally = fetched.tallies.first { $0.type == type }
      let difference = differences.first { $0.type == type }
      if tally == nil, difference == nil { return nil }
      return TypeOutcome(
        tally: tally ?? UpdateTally(type: type), added: difference?.added.count ?? 0,
        changed: difference?.changed.count ?? 0, removed: difference?.removed.count ?? 0)
    }
  }

  /// The outcome in one sentence.
  var note: Diagnostic {
    let time = "\(Self.milliseconds(took)) ms"
    return isChanged
      ? Diagnostic(
        .note, code: "pathcase.database-updated", "updated the database to '\(snapshot)' from '\(source)' in \(time)",
        advice: "return to the previous one with 'workbench pathcase rollback'")
      : Diagnostic(
        .note, code: "pathcase.database-unchanged", "the database is up to date with '\(source)'; checked in \(time)")
  }

  private static func milliseconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return ((Double(seconds) * 1000 + Double(attoseconds) / 1e15) * 10).rounded() / 10
  }
}

/// The settings for fetching the database.
struct UpdateSettings: Sendable {
  private static let server = Setting(
    "server", "Source of databases: the address of a service, a folder or a .tar.gz file", default: "")
  private static let certificates = Setting(
    "certificates", String.self, "PEM file with the certificates to trust; empty for the system's")
  private static let connections = Setting(
    "connections", in: 1...64, "Number of documents to download at a time", default: 6)
  private static let tries = Setting(
    "tries", in: 1...20, "Number of attempts for a document when the connection fails", default: 3)
  private static let firstDelay = Setting(
    "repeat-delay", in: 0.0...60, "Time before the first retry of a document", unit: "second", default: 0.3)
  private static let stall = Setting(
    "stall-deadline", in: 1...3600, "Time to wait for a silent server", unit: "second", default: 15)
  private static let deadline = Setting<Double>(
    "deadline", in: 0.1...86_400, "Time limit of a whole update", unit: "second", default: 120)

  static let declared = [
    server.parameter, certificates.parameter, connections.parameter, tries.parameter, firstDelay.parameter,
    stall.parameter, deadline.parameter,
  ]

  /// The source of databases; nil if none is set.
  let server: String?
  /// The access to services.
  let access: DocumentSource.Access
  let options: UpdateOptions

  init(_ context: any PluginContext) {
    let server = context[Self.server]
    let certificates = context[Self.certificates] ?? ""
    self.server = server.isEmpty ? nil : server
    access = DocumentSource.Access(
      isOffline: context.isOffline, certificates: certificates.isEmpty ? nil : certificates,
      stallInSeconds: context[Self.stall])
    options = UpdateOptions(
      connections: context[Self.connections], tries: context[Self.tries], firstDelayInSeconds: context[Self.firstDelay],
      deadlineInSeconds: context[Self.deadline])
  }
}
