import PluginAPI

/// Commands that activate another state of the database.
enum UpdateCommands {
  static let all: [PathCaseCommand] = [update, rollback]

  private static let server = Option(
    "server", String.self, "an address, a folder or a .tar.gz file; the setting 'server' unless it is given")
  private static let only = Option(
    "only", ContractType.self, kind: .choice((ContractType.single + [.layout]).map(\.rawValue)),
    "the only type that is brought up to date")

  private static let update = PathCaseCommand(
    CommandDescription(
      "update", "fetches what changed in the database", output: .table(of: UpdateOutcome.TypeOutcome.self),
      effects: [.reads, .writes, .network]
    ).taking(server, only).explained(
      """
      All documents are asked for at once and read while others come; what has not changed is not fetched. The new state \
      takes its place in one step when it is whole. If anything fails, or it is interrupted, the one in use stays.
      """,
      examples: [
        .init("update", "from the server of the settings"),
        .init("update --server https://example.org/maw", "from another one"),
        .init("update --server snapshot.tar.gz --only processes", "one type of a file"),
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
      Field("snapshot", \.database.snapshot, "the state in use now, in the words of whoever made it")
      Field("source", \.origin?.source, "where it was fetched from; null for the one that came with the program")
      Field("fetchedAt", { $0.origin.map { Instant(seconds: Int64($0.fetchedAt)) } }, "when it was fetched")
      Field("pathways", \.database.pathways.count, "how many pathways it has")
    }
  }

  private static let rollback = PathCaseCommand(
    CommandDescription(
      "rollback", "takes the database before the one in use", output: .model(ActiveDatabase.self),
      effects: [.reads, .writes]
    ).explained(
      "A second time takes the later one back. Own layouts, observations and scenarios stay.",
      examples: [.init("rollback", "the state before the last update")])
  ) { call, shelf in
    let store = PathwayShelf.snapshots(call.context)
    try await call.compute("rollback") { _ in try store.rollback() }
    shelf.databaseReplaced(call.context, reason: "rollback")
    try await call.emit(
      ActiveDatabase(database: try shelf.database(call.context), origin: try shelf.origin(call.context)))
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
        "there is no server that databases come from",
        advice: "give one by '--server', or keep one: 'workbench config set pathcase.server ADDRESS'")
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
      onProgress(Progress("keeping the new database"))
      try await context.eventLoop.compute("update") { work in
        try store.install(
          fetched.database, origin: origin, documents: fetched.documents, holding: lock
        ) { work.isCancelled }
      }
      outcome.isChanged = true
      lock.release()
      shelf.databaseReplaced(context, reason: "update")
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
    onProgress(Progress("asking '\(source.name)' what there is"))
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
    defer { handle.closeAndWait() }
    let content = try handle.contentAndWait()
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
      Field("type", \.tally.type.rawValue, "what the documents are about", heading: "Type")
      Field("fetched", \.tally.fetched, "documents that were fetched", heading: "Fetched")
      Field("reused", \.tally.reused, "documents that were at hand", heading: "At hand")
      Field("added", \.added, "records that are new", heading: "Added")
      Field("changed", \.changed, "records that tell something else", heading: "Changed")
      Field("removed", \.removed, "records that are gone", heading: "Removed")
      Field("bytes", \.tally.bytes, "the size of what was fetched, in bytes", heading: "Bytes")
      Field(
        "milliseconds", { milliseconds($0.tally.took) }, "from the first request to the last document being read",
        heading: "ms")
    }
  }

  /// The source of the documents.
  var source: String
  /// The state, in its publisher's own notation.
  var snapshot: String
  /// The SHA-256 digest of its manifest.
  var sha256: String
  /// A Boolean value indicating whether another state is active now.
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
    let time = "after \(Self.milliseconds(took)) ms"
    return isChanged
      ? Diagnostic(
        .note, code: "pathcase.database-updated", "the database is now '\(snapshot)' of '\(source)', \(time)",
        advice: "'workbench pathcase rollback' takes the one before")
      : Diagnostic(
        .note, code: "pathcase.database-unchanged", "'\(source)' has nothing new, \(time)")
  }

  private static func milliseconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return ((Double(seconds) * 1000 + Double(attoseconds) / 1e15) * 10).rounded() / 10
  }
}

/// The settings for fetching the database.
struct UpdateSettings: Sendable {
  static let declared: [Parameter] = [
    Parameter(
      "server", .text, "where databases come from: the address of a service, a folder or a .tar.gz file",
      defaultValue: ""),
    Parameter("certificates", .text, "PEM file with the certificates to trust; the system's if it is empty"),
    Parameter(
      "connections", .integer(minimum: 1, maximum: 64), "how many documents are fetched at once", defaultValue: 6),
    Parameter(
      "tries", .integer(minimum: 1, maximum: 20), "how often a document is asked for when the way to it fails",
      defaultValue: 3),
    Parameter(
      "repeat-delay", .number(minimum: 0, maximum: 60), "the time before a document is asked for again",
      unit: "second", defaultValue: 0.3),
    Parameter(
      "stall-deadline", .integer(minimum: 1, maximum: 3600), "how long a server may be silent", unit: "second",
      defaultValue: 15),
    Parameter(
      "deadline", .number(minimum: 0.1, maximum: 86_400), "the time for all of an update", unit: "second",
      defaultValue: 120),
  ]

  /// The source of databases; nil if none is set.
  let server: String?
  /// The access to services.
  let access: DocumentSource.Access
  let options: UpdateOptions

  init(_ context: any PluginContext) {
    let server = context.setting("server").text ?? ""
    let certificates = context.setting("certificates").text ?? ""
    self.server = server.isEmpty ? nil : server
    access = DocumentSource.Access(
      isOffline: context.isOffline, certificates: certificates.isEmpty ? nil : certificates,
      stallInSeconds: context.setting("stall-deadline").integer ?? 15)
    var options = UpdateOptions()
    options.connections = context.setting("connections").integer ?? options.connections
    options.tries = context.setting("tries").integer ?? options.tries
    options.firstDelayInSeconds = context.setting("repeat-delay").number ?? options.firstDelayInSeconds
    options.deadlineInSeconds = context.setting("deadline").number ?? options.deadlineInSeconds
    self.options = options
  }
}
