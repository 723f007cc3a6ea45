import Glibc
import PluginAPI
import PluginCompression
import PluginNet
import PluginStore
import PluginText
import Synchronization

/// A downloader of single files of data sets; interrupted downloads resume where they stopped.
struct FileDownload: Sendable {
  /// The client for requests.
  let client: HTTPClient
  /// Returns the session's token; logs in if necessary.
  let token: @Sendable () async throws -> String
  /// Returns another token when the data store rejects the first one, for example after the session ended; nil to give
  /// up then.
  var renewedToken: (@Sendable (_ refused: String) async throws -> String)?

  /// The statuses of a token that is not accepted, or lacks permissions.
  ///
  /// - Source: RFC 9110, sections 15.5.2 and 15.5.4.
  static let refusals: Set<Int> = [401, 403]

  /// The number of times a lost connection is resumed.
  private static let attempts = 5

  /// Downloads a file; until it is complete and verified it is stored beside its destination, with the ending `.part`.
  ///
  /// The part is kept after a failure, unless it turns out to belong to another file.
  ///
  /// - Parameters:
  ///   - file: The file as the data store lists it.
  ///   - path: The destination; a file of that name is replaced.
  ///   - isResuming: True to resume an existing part.
  ///   - onProgress: Receives the number of bytes received; called on the thread of all transfers, so it must not wait.
  /// - Returns: True if there was a checksum to verify the file with.
  /// - Throws: ``DownloadError``, `HTTPError` without the token; `CancellationError` soon after the task was canceled.
  @discardableResult
  func fetch(
    _ file: DataSetFile, to path: String, isResuming: Bool = true,
    onProgress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> Bool {
    guard file.isInDataSet else { throw DownloadError.badPath(file: file.path) }
    let part = try PartFile(of: path)
    // A retry right after this returns finds the file unlocked, however long others still refer to the part.
    defer { part.close() }
    do {
      if isResuming { try await OwnThread.value { checkCancellation in try part.readExisting(checkCancellation) } }
      if !isResuming || part.count > file.size { try part.restart() }
      onProgress(part.count)
      try await fetch(file, into: part, onProgress)
      return try part.finish(as: file)
    } catch {
      // An empty file would be useless.
      if part.count == 0 { part.remove() }
      throw error
    }
  }

  private func fetch(
    _ file: DataSetFile, into part: PartFile, _ onProgress: @escaping @Sendable (Int) -> Void
  ) async throws {
    var secret = try await token()
    var (attempt, isRenewed) = (0, false)
    func renew(after error: some Error) async throws {
      guard !isRenewed, let renewedToken else { throw error }
      secret = try await renewedToken(secret)
      isRenewed = true
    }
    while part.count == 0 || part.count < file.size {
      attempt += 1
      let before = part.count
      do {
        if try await fetchRest(of: file, secret, into: part, onProgress) { return }
      } catch let error as HTTPError {
        if case .status(let status, _, _) = error, Self.refusals.contains(status) {
          try await renew(after: error)
        } else {
          // Each attempt but the last must make progress, otherwise another one is pointless.
          guard case .cutShort = error, part.count > before, attempt < Self.attempts else { throw error }
        }
      } catch DownloadError.page(let name, let page) {
        let error = DownloadError.page(file: name, page)
        if page.endsSession { try await renew(after: error) } else { throw error }
      }
    }
  }

  /// Requests the missing bytes; returns false if the part does not fit and was discarded.
  private func fetchRest(
    of file: DataSetFile, _ secret: String, into part: PartFile, _ onProgress: @escaping @Sendable (Int) -> Void
  ) async throws -> Bool {
    var request = HTTPRequest(Self.address(file, secret), limitInBytes: .max)
    request.deadlineInSeconds = nil
    request.decodesContent = false
    // The address contains the token: hosts to which a data store redirects get neither.
    var client = client
    client.configuration.staysOnHost = true
    let start = part.count
    if start > 0 { request.headers["Range"] = "bytes=\(start)-" }
    let body = FileBody(file, part, secret, onProgress)
    do {
      let head = try await client.stream(request, onHead: body.begin) { try body.take($0) }
      if head.status == FileBody.outOfRange {
        try part.restart()
        return false
      }
      try body.finish()
      onProgress(part.count)
      return true
    } catch is OtherContent {
      try part.restart()
      return false
    } catch DownloadError.otherSize(let path, let expected, let found) {
      part.keepFirst(start)
      throw DownloadError.otherSize(file: path, expected: expected, found: found)
    } catch let error as HTTPError {
      throw error.hiding(secret)
    }
  }

  /// Returns the address of a file with the token.
  static func address(_ file: DataSetFile, _ token: String) -> String {
    HTTPAddress.with(file.address, query: [("sessionID", token)])
  }
}

/// An error indicating that the file does not begin with the stored part.
private struct OtherContent: Error {}

/// A receiver of a response's body: the rest of a file, the whole file again, or a page instead.
private final class FileBody: Sendable {
  private struct State {
    /// The number of bytes that the part already has and that are received again.
    var known = 0
    var checksum = CRC32()
    /// The bytes that may be a page; nil if the body is not a page.
    var page: [UInt8]?
    var reportedCount = 0
  }

  private let file: DataSetFile
  private let part: PartFile
  private let secret: String
  private let start: Int
  private let startChecksum: UInt32
  private let onProgress: @Sendable (Int) -> Void
  private let state: Mutex<State>

  /// The number of bytes between two progress reports.
  private static let progressStep = 1 << 18

  /// The status of a range that cannot be satisfied.
  /// - Source: RFC 9110, section 15.5.17.
  static let outOfRange = 416

  init(_ file: DataSetFile, _ part: PartFile, _ secret: String, _ onProgress: @escaping @Sendable (Int) -> Void) {
    (self.file, self.part, self.secret, self.onProgress) = (file, part, secret, onProgress)
    (start, startChecksum) = (part.count, part.checksum)
    state = Mutex(State(reportedCount: start))
  }

  /// Determines from the head what the body contains.
  @Sendable func begin(_ head: HTTPHead) throws -> HTTPFlow {
    if head.status == Self.outOfRange, start > 0 { return .enough }
    try head.checked()
    if head.status == 206 {
      // Content-Range: bytes 100-199/200
      let range = head.headers["Content-Range"] ?? ""
      guard range.hasPrefix("bytes \(start)-") else { throw DownloadError.otherPart(file: file.path) }
      return .more
    }
    let isPossiblyPage = DataStorePage.isPossible(
      { head.headers[$0] }, mediaType: head.mediaType, statedLength: head.statedLength, size: file.size)
    state.withLock { state in
      // The whole file is sent again: the stored part is kept until it proves to be different.
      state.known = start
      state.page = isPossiblyPage ? [] : nil
    }
    return .more
  }

  func take(_ piece: UnsafeRawBufferPointer) throws -> HTTPFlow {
    try state.withLock { state in
      guard state.page != nil else { return try takeContent(piece, &state) }
      state.page?.append(contentsOf: piece)
      if let page = state.page, page.count > DataStorePage.limitInBytes {
        state.page = nil
        try page.withUnsafeBytes { try takeContent($0, &state) }
      }
    }
    return .more
  }

  /// Ends the body.
  ///
  /// - Throws: `DownloadError.page` if the body was a page.
  func finish() throws {
    try state.withLock { state in
      if state.page == nil, state.known > 0 {
        // The file ends before the stored part does.
        throw DownloadError.otherSize(file: file.path, expected: file.size, found: start - state.known)
      }
      guard let page = state.page else { return }
      var checksum = CRC32()
      checksum.add(page)
      guard page.count == file.size, file.checksum.map({ $0 == checksum.value }) ?? !ImageBytes.isPage(page) else {
        throw DownloadError.page(file: file.path, DataStorePage(page, hiding: secret))
      }
      try page.withUnsafeBytes { try takeContent($0, &state) }
    }
  }

  private func takeContent(_ piece: UnsafeRawBufferPointer, _ state: inout State) throws {
    var piece = piece
    if state.known > 0 {
      let again = UnsafeRawBufferPointer(rebasing: piece.prefix(state.known))
      state.checksum.add(again)
      state.known -= again.count
      if state.known == 0, state.checksum.value != startChecksum { throw OtherContent() }
      piece = UnsafeRawBufferPointer(rebasing: piece.dropFirst(again.count))
    }
    if piece.isEmpty { return }
    let count = part.count + piece.count
    if count > file.size { throw DownloadError.otherSize(file: file.path, expected: file.size, found: count) }
    try part.append(piece)
    if count - state.reportedCount >= Self.progressStep {
      state.reportedCount = count
      onProgress(count)
    }
  }
}

extension HTTPError {
  /// Returns the error without a secret: addresses without their query, reasons with `…` in its place.
  func hiding(_ secret: String) -> HTTPError {
    // Messages truncate addresses, so that half a secret could remain at their end.
    func bare(_ address: String) -> String { String(Substring(address.utf8.prefix { $0 != UInt8(ascii: "?") })) }
    func hidden(_ text: String) -> String {
      [secret, HTTPAddress.escaped(secret)].reduce(text) { ByteSearch.replacing($1, in: $0, with: "…") }
    }
    return switch self {
    case .offline(let address): .offline(address: bare(address))
    case .badAddress(let text): .badAddress(bare(text))
    case .protocolRefused(let address): .protocolRefused(address: bare(address))
    case .notConnected(let host, let reason): .notConnected(host: host, reason: hidden(reason))
    case .notTrusted(let host, let reason): .notTrusted(host: host, reason: hidden(reason))
    case .redirectedElsewhere(let host, let target): .redirectedElsewhere(host: host, target: hidden(target))
    case .tooManyRedirects(let address, let limit): .tooManyRedirects(address: bare(address), limit: limit)
    case .tooLarge(let address, let limit): .tooLarge(address: bare(address), limitInBytes: limit)
    case .cutShort(let host, let reason): .cutShort(host: host, reason: hidden(reason))
    case .damaged(let host, let reason): .damaged(host: host, reason: hidden(reason))
    case .status(let status, let address, let wait):
      .status(status, address: bare(address), retryAfterInSeconds: wait)
    case .failed(let host, let reason): .failed(host: host, reason: hidden(reason))
    default: self
    }
  }
}

/// The received part of a file, `<name>.part`, which is renamed when it is complete and verified.
///
/// It is locked for others until ``close()``.
final class PartFile: Sendable {
  /// The path of the file, as the user gave it.
  let path: String
  /// The same path with all links resolved.
  private let target: String
  private let part: PartialFile
  private let sum = Mutex(CRC32())

  /// The ending of a part's name.
  static let ending = ".part"

  /// Opens the part of a file, or creates an empty one.
  ///
  /// - Throws: ``DownloadError``.
  init(of path: String) throws(DownloadError) {
    self.path = path
    target = try Self.target(path)
    do throws(LockedFile.Failure) {
      part = try PartialFile(target + Self.ending, mode: 0o666)
    } catch {
      switch error {
      case .held: throw .busy(path: path)
      case .system(let number): throw .notWritten(path: path, WholeFileFailure(number: number))
      }
    }
  }

  /// Unlocks the part, which is kept for others.
  func close() { part.close() }

  /// Returns the plain file that a path leads to: nothing else can be resumed.
  private static func target(_ path: String) throws(DownloadError) -> String {
    let place: WholeFile.Place
    do throws(WholeFileFailure) {
      place = try WholeFile.place(of: path)
    } catch {
      throw .notWritten(path: path, error)
    }
    switch place {
    case .file(let target, _): return target
    case .folder: throw .notWritten(path: path, WholeFileFailure(number: EISDIR))
    case .special: throw .noPlainFile(path: path)
    }
  }

  /// The number of bytes.
  var count: Int { part.count }

  /// The checksum of these bytes.
  var checksum: UInt32 { sum.withLock { $0.value } }

  /// Reads the existing bytes, to continue after them.
  ///
  /// There may be many: call it on a thread that may wait.
  /// - Throws: ``DownloadError``; errors of the check.
  func readExisting(_ checkCancellation: () throws -> Void) throws {
    do {
      try part.read { bytes in
        try checkCancellation()
        sum.withLock { $0.add(bytes) }
      }
    } catch let failure as WholeFileFailure {
      throw DownloadError.notWritten(path: path, failure)
    }
  }

  /// Discards the existing bytes.
  ///
  /// - Throws: ``DownloadError``.
  func restart() throws(DownloadError) {
    try writing { () throws(WholeFileFailure) in try part.keepFirst(0) }
    sum.withLock { $0 = CRC32() }
  }

  /// Truncates the part to its first bytes; removes it if there are none.
  ///
  /// Do not append anything afterwards.
  func keepFirst(_ count: Int) {
    if count == 0 { return remove() }
    try? part.keepFirst(count)
  }

  /// Appends bytes.
  ///
  /// - Throws: ``DownloadError``.
  func append(_ bytes: UnsafeRawBufferPointer) throws(DownloadError) {
    try writing { () throws(WholeFileFailure) in try part.append(bytes) }
    sum.withLock { $0.add(bytes) }
  }

  /// Verifies the part with the data store's listing, and renames it.
  ///
  /// - Returns: True if there was a checksum to verify it with.
  /// - Throws: ``DownloadError``; a part of another size or checksum is removed then.
  func finish(as listed: DataSetFile) throws(DownloadError) -> Bool {
    if count != listed.size {
      remove()
      throw .otherSize(file: listed.path, expected: listed.size, found: count)
    }
    if let expected = listed.checksum, checksum != expected {
      remove()
      throw .otherChecksum(file: listed.path, expected: expected, found: checksum)
    }
    try writing { () throws(WholeFileFailure) in try part.rename(to: target) }
    return listed.checksum != nil
  }

  /// Removes the part.
  func remove() { part.remove() }

  private func writing(_ change: () throws(WholeFileFailure) -> Void) throws(DownloadError) {
    do throws(WholeFileFailure) { try change() } catch { throw .notWritten(path: path, error) }
  }
}
