import PluginAPI

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
    guard let server = request.server ?? settings.server else { throw UpdateError.noServer }
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
struct PriorDatabase: Sendable {
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
