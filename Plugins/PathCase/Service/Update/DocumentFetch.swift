internal import PluginNet

/// Documents to be fetched, in the order in which they are begun.
struct FetchSheet: Sendable {
  var paths: [String]
  /// How many bytes of each are taken.
  var limits: [Int]
  /// What the manifest says of each; nil for the manifest itself.
  var entries: [ManifestDocument?]
  /// The tag of the state of the manifest that is at hand; nil for documents.
  var tag: String?
}

/// Tells that a manifest is still the one that is at hand.
struct UnchangedManifest: Error {}

/// A document that was fetched and read.
struct ReadDocument: Sendable {
  var bytes: [UInt8]
  var document: ContractDocument
  var tag: String?
  /// When it was first asked for, and when it was read; nil if it was at hand.
  var work: Range<ContinuousClock.Instant>?
}

/// Fetches documents side by side, with a few connections, and reads each while others still come.
///
/// A document that waits for its next try holds no connection. The first failure that is not worth another try ends
/// all the others.
struct DocumentFetch: Sendable {
  let source: DocumentSource
  let options: UpdateOptions
  let end: ContinuousClock.Instant

  /// What a child of the group ended with.
  private enum Event: Sendable {
    case fetched(Int, [UInt8], tag: String?)
    case failed(Int, any Error)
    case waited(Int)
    case read(Int, ReadDocument)
  }

  /// - Parameter onDocument: Takes how many documents, and bytes of them, are there.
  /// - Returns: One for each of the sheet.
  /// - Throws: ``UnchangedManifest`` if the source says so; what makes the update fail.
  func run(
    _ sheet: FetchSheet, onDocument: @escaping @Sendable (_ documents: Int, _ bytes: Int) -> Void
  ) async throws -> [ReadDocument?] {
    var results = [ReadDocument?](repeating: nil, count: sheet.paths.count)
    var tries = [Int](repeating: 0, count: sheet.paths.count)
    var begun = [ContinuousClock.Instant](repeating: .now, count: sheet.paths.count)
    var queue = Array(sheet.paths.indices.reversed())
    var (running, done, size) = (0, 0, 0)
    try await withThrowingTaskGroup(of: Event.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await self.deadline() }
      while done < results.count {
        while running < max(1, options.connections), let next = queue.popLast() {
          running += 1
          if tries[next] == 0 { begun[next] = .now }
          tries[next] += 1
          group.addTask { try await self.fetch(next, sheet) }
        }
        guard let event = try await group.next() else { break }
        switch event {
        case .fetched(let index, let bytes, let tag):
          running -= 1
          let begun = begun[index]
          group.addTask { try await self.read(index, bytes, tag, since: begun, sheet) }
        case .failed(let index, let error):
          running -= 1
          guard tries[index] < options.tries else { throw error }
          let delay = delay(beforeTry: tries[index] + 1)
          group.addTask {
            try await Task.sleep(for: delay)
            return .waited(index)
          }
        case .waited(let index): queue.append(index)
        case .read(let index, let document):
          results[index] = document
          done += 1
          size += document.bytes.count
          onDocument(done, size)
        }
      }
    }
    return results
  }

  private func deadline() async throws -> Event {
    try await Task.sleep(until: end, clock: .continuous)
    throw UpdateError.deadline(source: source.name, seconds: options.deadlineInSeconds)
  }

  /// Fetches a document once; failures that are worth another try come back as events.
  private func fetch(_ index: Int, _ sheet: FetchSheet) async throws -> Event {
    do {
      let answer = try await source.ask(
        DocumentRequest(path: sheet.paths[index], limitInBytes: sheet.limits[index], tag: sheet.tag))
      guard case .bytes(let bytes, let tag) = answer else { throw UnchangedManifest() }
      // Digests of large documents take their time too.
      if let entry = sheet.entries[index] {
        try await PromptWork.value { try Self.check(bytes, against: entry) }
      }
      return .fetched(index, bytes, tag: tag)
    } catch let error as SnapshotError {
      // Fewer bytes than stated may be a connection that ended early.
      if case .size(_, let found, let expected) = error, found < expected { return .failed(index, error) }
      throw error
    } catch let error as HTTPError {
      if case .tooLarge = error, let entry = sheet.entries[index] {
        throw SnapshotError.size(document: entry.path, found: sheet.limits[index] + 1, expected: entry.bytes)
      }
      if Self.isWorthAnotherTry(error) { return .failed(index, error) }
      throw error
    }
  }

  /// Holds a document against the manifest; what a service says instead of it is told rather than its size.
  private static func check(_ bytes: [UInt8], against entry: ManifestDocument) throws {
    do throws(SnapshotError) {
      try SnapshotError.check(bytes, against: entry)
    } catch {
      if bytes.count <= spokenInBytes {
        do throws(ContractError) {
          _ = try ContractReader().read(bytes, name: entry.path)
        } catch ContractError.fault(let document, let text) {
          throw ContractError.fault(document: document, text: text)
        } catch ContractError.documentType(let document, let reason) {
          throw ContractError.documentType(document: document, reason: reason)
        } catch {}
      }
      throw error
    }
  }

  /// Failures of services and web pages that are told are no longer than this.
  private static let spokenInBytes = 1 << 20

  /// Whether a failure may be over soon: no connection, an answer that was cut, a failure of the server itself.
  static func isWorthAnotherTry(_ error: HTTPError) -> Bool {
    switch error {
    case .notConnected, .cutShort: true
    case .status(let status, _, _): (500..<600).contains(status)
    default: false
    }
  }

  private func read(
    _ index: Int, _ bytes: [UInt8], _ tag: String?, since begun: ContinuousClock.Instant, _ sheet: FetchSheet
  ) async throws -> Event {
    let type = sheet.entries[index].map { $0.type } ?? .manifest
    let document = try await PromptWork.value {
      try ContractReader().read(bytes, name: sheet.paths[index], expecting: type)
    }
    return .read(index, ReadDocument(bytes: bytes, document: document, tag: tag, work: begun..<max(begun, .now)))
  }

  /// The time before a try, counted from 1: twice as long as before the last one, less a random part up to half of it.
  private func delay(beforeTry number: Int) -> Duration {
    let whole = options.firstDelayInSeconds * Double(1 << min(number - 2, 10))
    return .seconds(whole * Double.random(in: 0.5...1))
  }
}
