internal import Synchronization

/// A download into a part of a file that is kept when the download is interrupted, and continued by the next one.
///
/// ```swift
/// var download = ResumableDownload(client, into: part)
/// download.limitInBytes = 1 << 30
/// try await download.run(HTTPRequest(address)) { report($0.received, of: $0.total) }
/// ```
///
/// Redirects are followed as the client is configured; set `staysOnHost` if the address has a secret.
/// - Source: RFC 9110, sections 13.1.5 (If-Range accepts strong validators only), 14.4, 15.3.7 and 15.5.17.
public struct ResumableDownload: Sendable {
  /// The progress of a download.
  public struct Progress: Sendable, Hashable {
    /// The number of bytes received, including those of earlier downloads.
    public var received: Int
    /// The total number of bytes; nil if the server does not state it.
    public var total: Int?
  }

  /// The reason why a response does not belong to the file; callers report it as an error of their own.
  @frozen public enum Failure: Error, Equatable, Sendable {
    /// The server sent another range than the one requested.
    case otherRange
    /// The file has another size, in bytes.
    case otherSize(expected: Int, found: Int)
  }

  /// A check of complete responses that may be a page with an error instead of the file.
  public struct PageCheck: Sendable {
    /// The size in bytes above which a response is the file.
    let limitInBytes: Int
    let check: @Sendable ([UInt8]) throws -> Void

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - limitInBytes: The size in bytes above which a response is the file; shorter ones are held in memory.
    ///   - check: Throws if a complete response is a page.
    public init(limitInBytes: Int, _ check: @escaping @Sendable ([UInt8]) throws -> Void) {
      (self.limitInBytes, self.check) = (limitInBytes, check)
    }
  }

  /// The maximum size of the file in bytes.
  public var limitInBytes = Int.max
  /// The size of the file in bytes; nil if it is unknown.
  ///
  /// A part of this size is complete, and nothing is requested.
  public var sizeInBytes: Int?
  /// The maximum number of requests for a file whose connection is lost; each but the last must receive bytes.
  public var attempts = 5
  /// The minimum number of bytes between two reports of progress.
  public var progressStepInBytes = 0
  /// Throws for responses that do not contain the file; by default, all that do not indicate success.
  public var checkHead: @Sendable (HTTPHead) throws -> Void = { try $0.checked() }
  /// Returns the check of a response that may be a page instead of the file; nil if it cannot be one.
  public var pageCheck: @Sendable (HTTPHead) -> PageCheck? = { _ in nil }

  private let client: HTTPClient
  fileprivate let part: any ResumablePart

  /// Creates a download.
  ///
  /// - Parameters:
  ///   - client: The client for requests.
  ///   - part: The received part; empty for a new download.
  public init(_ client: HTTPClient, into part: any ResumablePart) {
    (self.client, self.part) = (client, part)
  }

  /// Receives the missing bytes.
  ///
  /// The part keeps all bytes that were received before a failure, unless they turn out to be of another file.
  ///
  /// - Parameters:
  ///   - request: The request for the whole file. Its limits are replaced: a file may take any time.
  ///   - replacement: Returns the request to continue with after an error, such as one with a renewed token; nil to fail.
  ///   - onProgress: Receives the progress; called on the thread of all transfers, so it must not wait.
  /// - Returns: The head of the last response; nil if the part was complete.
  /// - Throws: ``HTTPError``, ``Failure``, errors of the part and of the checks; `CancellationError` soon after the task
  ///   was canceled.
  @discardableResult
  public func run(
    _ request: HTTPRequest, replacement: (any Error) async throws -> HTTPRequest? = { _ in nil },
    onProgress: @escaping @Sendable (Progress) -> Void
  ) async throws -> HTTPHead? {
    var request = request
    var attempt = 0
    while !isComplete {
      attempt += 1
      let response = DownloadResponse(to: self, request.address, onProgress)
      do {
        if let head = try await receive(response, request) { return head }
      } catch {
        if let error = error as? HTTPError, case .cutShort = error, attempt < attempts, response.receivedCount > 0 {
          continue
        }
        guard let next = try await replacement(error) else { throw error }
        request = next
      }
    }
    return nil
  }

  private var isComplete: Bool { sizeInBytes.map { part.count > 0 && part.count >= $0 } ?? false }

  /// Sends one request, for the remaining bytes if there is a part.
  ///
  /// - Returns: nil if the part is not of this file, and was discarded.
  private func receive(_ response: DownloadResponse, _ request: HTTPRequest) async throws -> HTTPHead? {
    var request = request
    request.limitInBytes = .max
    request.deadlineInSeconds = nil
    // The range counts the bytes as they are sent.
    request.decodesContent = false
    if response.start > 0 { request.headers["Range"] = "bytes=\(response.start)-" }
    if case .validator(let validator) = response.identity { request.headers["If-Range"] = validator }
    do {
      let head = try await client.stream(request, onHead: response.begin) { try response.take($0) }
      try response.finish()
      return head
    } catch is OtherContent {
      try part.restart(validator: nil)
      return nil
    } catch Failure.otherSize(let expected, let found) {
      part.keepFirst(response.start)
      throw Failure.otherSize(expected: expected, found: found)
    }
  }
}

/// An error indicating that the part is not the beginning of the file.
private struct OtherContent: Error {}

/// A receiver of one response: the rest of a file, the whole file, or a page instead.
private final class DownloadResponse: Sendable {
  private struct State {
    /// The number of bytes that the part already has and that are received again.
    var knownCount = 0
    /// The digest of the bytes received again.
    var digest: (any PartDigest)?
    var pageCheck: ResumableDownload.PageCheck?
    /// The bytes that may be a page.
    var held: [UInt8] = []
    var receivedCount = 0
    var reportedCount = 0
    var total: Int?
  }

  /// The number of bytes of the part when the request was sent; 0 if it cannot be continued.
  let start: Int
  let identity: PartIdentity
  private let download: ResumableDownload
  private let address: String
  private let onProgress: @Sendable (ResumableDownload.Progress) -> Void
  private let state = Mutex(State())

  init(
    to download: ResumableDownload, _ address: String,
    _ onProgress: @escaping @Sendable (ResumableDownload.Progress) -> Void
  ) {
    (self.download, self.address, self.onProgress) = (download, address, onProgress)
    identity = download.part.identity
    start =
      switch identity {
      case .none: 0
      case .validator, .digest: download.part.count
      }
  }

  /// The number of bytes that this response added to the part.
  var receivedCount: Int { state.withLock { $0.receivedCount } }

  /// Determines from the head what the body contains.
  @Sendable func begin(_ head: HTTPHead) throws -> HTTPFlow {
    if head.status == 416, start > 0 { throw OtherContent() }
    try download.checkHead(head)
    let isRest = head.status == 206
    try state.withLock { state in
      if isRest { try beginRest(head) } else { try beginWhole(head, &state) }
      let before = isRest ? start : 0
      if head.statedLength ?? 0 > download.limitInBytes - before { throw tooLarge }
      state.total = head.statedLength.map { $0 + before }
      report(&state)
    }
    return .more
  }

  private func beginRest(_ head: HTTPHead) throws {
    // Content-Range: bytes 100-199/200
    let isFitting = (head.headers["Content-Range"] ?? "").hasPrefix("bytes \(start)-")
    // If the size is unknown, a part that was not requested may lack the end.
    if isFitting, start > 0 || download.sizeInBytes != nil { return }
    if case .validator = identity { throw OtherContent() }
    throw ResumableDownload.Failure.otherRange
  }

  private func beginWhole(_ head: HTTPHead, _ state: inout State) throws {
    state.pageCheck = download.pageCheck(head)
    switch identity {
    case .none, .validator:
      let tag = head.headers["ETag"].flatMap { $0.hasPrefix("W/") ? nil : $0 }
      try download.part.restart(validator: tag ?? head.headers["Last-Modified"])
    case .digest(_, let empty):
      // The part is kept until it proves to be different.
      (state.knownCount, state.digest) = (start, empty)
    }
  }

  func take(_ piece: UnsafeRawBufferPointer) throws -> HTTPFlow {
    try state.withLock { state in
      guard let check = state.pageCheck else { return try takeContent(piece, &state) }
      state.held.append(contentsOf: piece)
      if state.held.count > check.limitInBytes { try takeHeld(&state) }
    }
    return .more
  }

  /// Ends the body.
  ///
  /// - Throws: The error of the page check if the body was a page.
  func finish() throws {
    try state.withLock { state in
      if let check = state.pageCheck {
        try check.check(state.held)
        try takeHeld(&state)
      }
      if state.knownCount > 0 {
        // The file ends before the part does.
        throw ResumableDownload.Failure.otherSize(
          expected: download.sizeInBytes ?? start, found: start - state.knownCount)
      }
      if state.reportedCount != download.part.count { report(&state) }
    }
  }

  /// Receives the held bytes, which are not a page.
  private func takeHeld(_ state: inout State) throws {
    let held = state.held
    (state.pageCheck, state.held) = (nil, [])
    try held.withUnsafeBytes { try takeContent($0, &state) }
  }

  private func takeContent(_ piece: UnsafeRawBufferPointer, _ state: inout State) throws {
    let again = UnsafeRawBufferPointer(rebasing: piece.prefix(state.knownCount))
    if !again.isEmpty {
      state.digest?.add(again)
      state.knownCount -= again.count
      if state.knownCount == 0, case .digest(let value, _) = identity, state.digest?.value != value {
        throw OtherContent()
      }
    }
    let new = UnsafeRawBufferPointer(rebasing: piece.dropFirst(again.count))
    if new.isEmpty { return }
    let count = download.part.count + new.count
    if let size = download.sizeInBytes, count > size {
      throw ResumableDownload.Failure.otherSize(expected: size, found: count)
    }
    if count > download.limitInBytes { throw tooLarge }
    try download.part.append(new)
    state.receivedCount += new.count
    if count - state.reportedCount >= download.progressStepInBytes { report(&state) }
  }

  private var tooLarge: HTTPError {
    .tooLarge(address: HTTPAddress.shown(address), limitInBytes: download.limitInBytes)
  }

  private func report(_ state: inout State) {
    state.reportedCount = download.part.count
    onProgress(.init(received: state.reportedCount, total: state.total))
  }
}
