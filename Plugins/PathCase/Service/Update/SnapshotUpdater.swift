internal import PluginNet
internal import PluginStore

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
  /// If the documents do not match the manifest or each other, the database changed in the meantime: the update is
  /// retried once from the beginning, and then fails.
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
    let sheet = FetchSheet(paths: [manifestPath], limits: [ContractPacking.limitInBytes], entries: [nil], tag: tag)
    let first = try await DocumentFetch(source: source, options: options, end: end).run(sheet) { _, _ in }
    guard let read = first[0], case let manifest = read.document.manifest else {
      throw UpdateError.file(path: manifestPath, reason: "it is not there")
    }
    let plan = try UpdatePlan(manifest, known: known, options: options, source: source.name)
    let gate = ProgressGate(onProgress)
    let total = plan.missing.reduce(0) { $0 + $1.bytes }
    let entries = plan.missing
    let fetched = try await DocumentFetch(source: source, options: options, end: end).run(plan.sheet) { done, size in
      gate.pass(
        UpdateProgress(documents: done, totalDocuments: entries.count, bytes: size, totalBytes: total))
    }
    try Task.checkCancellation()
    // With a single type it is another state than the manifest's, and gets its own digest.
    let digested =
      options.only == nil
      ? read.bytes : ContractWriter.document(of: DatabaseManifest(snapshot: manifest.snapshot, documents: plan.entries))
    var snapshot = try await PromptWork.value {
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
