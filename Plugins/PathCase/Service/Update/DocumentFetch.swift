import PluginAPI
internal import PluginNet
internal import PluginStore
internal import Synchronization

/// A document to fetch.
struct FetchJob: Sendable {
  var request: DocumentRequest
  /// The document's entry in the manifest; nil for the manifest itself.
  var entry: ManifestDocument?
}

/// Signals that the manifest is still the cached one.
struct UnchangedManifest: Error {}

/// A document that was fetched and read.
struct ReadDocument: Sendable {
  var bytes: [UInt8]
  var document: ContractDocument
  var tag: String?
  /// The time from the first request to the end of reading; nil if it was cached.
  var work: Range<ContinuousClock.Instant>?
}

/// Fetches documents in parallel over a few connections, and reads each while others are still arriving.
///
/// A document waiting for a retry does not occupy a connection. The first failure that is not retried ends all other
/// requests.
struct DocumentFetch: Sendable {
  let source: DocumentSource
  let options: UpdateOptions
  let end: ContinuousClock.Instant

  /// The outcome of a child task.
  private enum Event: Sendable {
    case fetched(Int, [UInt8], tag: String?)
    case failed(Int, any Error)
    case waited(Int)
    case read(Int, ReadDocument)
  }

  /// - Parameters:
  ///   - jobs: The documents, in the order in which they are started.
  ///   - onDocument: Receives the number of documents and bytes that have arrived.
  /// - Returns: One document per job.
  /// - Throws: ``UnchangedManifest`` if the source reports it; the error that makes the update fail.
  func run(
    _ jobs: [FetchJob], onDocument: @escaping @Sendable (_ documents: Int, _ bytes: Int) -> Void
  ) async throws -> [ReadDocument?] {
    var results = [ReadDocument?](repeating: nil, count: jobs.count)
    var tries = [Int](repeating: 0, count: jobs.count)
    var begun = [ContinuousClock.Instant](repeating: .now, count: jobs.count)
    var queue = Array(jobs.indices.reversed())
    var (running, done, size) = (0, 0, 0)
    try await withThrowingTaskGroup(of: Event.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await self.deadline() }
      while done < results.count {
        while running < max(1, options.connections), let next = queue.popLast() {
          running += 1
          if tries[next] == 0 { begun[next] = .now }
          tries[next] += 1
          group.addTask { try await self.fetch(next, jobs[next]) }
        }
        guard let event = try await group.next() else { break }
        switch event {
        case .fetched(let index, let bytes, let tag):
          running -= 1
          let begun = begun[index]
          group.addTask { try await self.read(index, jobs[index], bytes, tag, since: begun) }
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
    throw UpdateError.deadline(
      "'\(source.name)' did not deliver all documents within \(Int(options.deadlineInSeconds)) s",
      advice: "try again later, or raise the setting 'pathcase.deadline'; the database in use is unchanged",
      details: ["source": .text(source.name)], isRetryable: true)
  }

  /// Fetches a document once; failures that can be retried are returned as events.
  private func fetch(_ index: Int, _ job: FetchJob) async throws -> Event {
    do {
      let response = try await source.ask(job.request)
      guard case .bytes(let bytes, let tag) = response else { throw UnchangedManifest() }
      // Digests of large documents take time too.
      if let entry = job.entry {
        try await CancelableWork.value { try Self.check(bytes, against: entry) }
      }
      return .fetched(index, bytes, tag: tag)
    } catch let error as SnapshotError {
      // A body shorter than stated may come from a connection that ended early.
      if case .size(_, let found, let expected) = error, found < expected { return .failed(index, error) }
      throw error
    } catch let error as HTTPError {
      if case .tooLarge = error, let entry = job.entry {
        throw SnapshotError.size(document: entry.path, found: job.request.limitInBytes + 1, expected: entry.bytes)
      }
      if Self.isRetryable(error) { return .failed(index, error) }
      throw error
    }
  }

  /// Checks a document against the manifest; a fault that a service sent instead of it is reported rather than its
  /// size.
  private static func check(_ bytes: [UInt8], against entry: ManifestDocument) throws {
    do throws(SnapshotError) {
      try SnapshotError.check(bytes, against: entry)
    } catch {
      if bytes.count <= faultLimitInBytes {
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

  /// The maximum size of reported service faults and web pages.
  private static let faultLimitInBytes = 1 << 20

  /// Returns whether a failure may be temporary: no connection, a truncated response, a server error.
  static func isRetryable(_ error: HTTPError) -> Bool {
    switch error {
    case .notConnected, .cutShort: true
    case .status(let status, _, _): (500..<600).contains(status)
    default: false
    }
  }

  private func read(
    _ index: Int, _ job: FetchJob, _ bytes: [UInt8], _ tag: String?, since begun: ContinuousClock.Instant
  ) async throws -> Event {
    let type = job.entry.map { $0.type } ?? .manifest
    let document = try await CancelableWork.value {
      try ContractReader().read(bytes, name: job.request.path, expecting: type)
    }
    return .read(index, ReadDocument(bytes: bytes, document: document, tag: tag, work: begun..<max(begun, .now)))
  }

  /// Returns the delay before a try, counted from 1: twice the previous delay, less a random part of up to half of it.
  private func delay(beforeTry number: Int) -> Duration {
    let whole = options.firstDelayInSeconds * Double(1 << min(number - 2, 10))
    return .seconds(whole * Double.random(in: 0.5...1))
  }
}

/// Runs heavy work on a dedicated thread; a canceled task stops waiting for it.
///
/// The shared threads of tasks stay free for network events.
enum CancelableWork {
  /// Runs a piece of work.
  ///
  /// - Throws: The errors of the work; `CancellationError` as soon as the task is canceled, while the work continues to
  ///   its end unobserved.
  static func value<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    let slot = ResultSlot<Result>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        slot.wait(continuation)
        OwnThread.run { slot.end(Swift.Result { try work() }) }
      }
    } onCancel: {
      slot.end(.failure(CancellationError()))
    }
  }
}

/// Delivers the first result of a piece of work, and drops others.
private final class ResultSlot<Value: Sendable>: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Value, any Error>?
    var isEnded = false
  }

  private let state = Mutex(State())

  /// Registers the waiting continuation; it resumes at once if a result already exists.
  func wait(_ continuation: CheckedContinuation<Value, any Error>) {
    let isEnded = state.withLock { state in
      if !state.isEnded { state.continuation = continuation }
      return state.isEnded
    }
    if isEnded { continuation.resume(throwing: CancellationError()) }
  }

  func end(_ result: Result<Value, any Error>) {
    let continuation = state.withLock { state in
      defer { (state.continuation, state.isEnded) = (nil, true) }
      return state.continuation
    }
    continuation?.resume(with: result)
  }
}
