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
  /// The number of bytes between two progress reports.
  private static let progressStep = 1 << 18

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
    // The address contains the token: hosts to which a data store redirects get neither.
    var client = client
    client.configuration.staysOnHost = true
    let secret = Mutex(try await token())
    var isRenewed = false
    var download = ResumableDownload(client, into: part)
    download.sizeInBytes = file.size
    download.attempts = Self.attempts
    download.progressStepInBytes = Self.progressStep
    download.pageCheck = { head in Self.pageCheck(file, head) { secret.withLock { $0 } } }
    do {
      try await download.run(HTTPRequest(Self.address(file, secret.withLock { $0 }))) { error in
        guard !isRenewed, let renewedToken, Self.isRefusal(error) else { return nil }
        let renewed = try await renewedToken(secret.withLock { $0 })
        secret.withLock { $0 = renewed }
        isRenewed = true
        return HTTPRequest(Self.address(file, renewed))
      } onProgress: {
        onProgress($0.received)
      }
    } catch let error as HTTPError {
      throw error.hiding(secret.withLock { $0 })
    } catch let failure as ResumableDownload.Failure {
      switch failure {
      case .otherRange: throw DownloadError.otherPart(file: file.path)
      case .otherSize(let expected, let found):
        throw DownloadError.otherSize(file: file.path, expected: expected, found: found)
      }
    }
  }

  /// Returns true for errors of a token that is not accepted.
  private static func isRefusal(_ error: any Error) -> Bool {
    switch error {
    case HTTPError.status(let status, _, _): refusals.contains(status)
    case DownloadError.page(_, let page): page.endsSession
    default: false
    }
  }

  /// Returns the check of a response that may be a page instead of a file; nil if it cannot be one.
  private static func pageCheck(
    _ file: DataSetFile, _ head: HTTPHead, secret: @escaping @Sendable () -> String
  ) -> ResumableDownload.PageCheck? {
    let isPossible = DataStorePage.isPossible(
      { head.headers[$0] }, mediaType: head.mediaType, statedLength: head.statedLength, size: file.size)
    guard isPossible else { return nil }
    return .init(limitInBytes: DataStorePage.limitInBytes) { bytes in
      var checksum = CRC32()
      checksum.add(bytes)
      guard bytes.count == file.size, file.checksum.map({ $0 == checksum.value }) ?? !ImageBytes.isPage(bytes) else {
        throw DownloadError.page(file: file.path, DataStorePage(bytes, hiding: secret()))
      }
    }
  }

  /// Returns the address of a file with the token.
  static func address(_ file: DataSetFile, _ token: String) -> String {
    HTTPAddress.with(file.address, query: [("sessionID", token)])
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
    case .unknownHost, .otherKey, .timedOut, .libraryMissing: self
    }
  }
}

/// The received part of a file, `<name>.part`, which is renamed when it is complete and verified.
///
/// It is locked for others until ``close()``.
final class PartFile: ResumablePart {
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
    let kind: WholeFile.Place
    do throws(WholeFileFailure) {
      kind = try WholeFile.place(of: path)
    } catch {
      throw .notWritten(path: path, error)
    }
    switch kind {
    case .file(let target, _): return target
    case .folder: throw .notWritten(path: path, WholeFileFailure(number: EISDIR))
    case .special: throw .noPlainFile(path: path)
    }
  }

  /// The number of bytes.
  var count: Int { part.count }

  /// The checksum of these bytes.
  private var checksum: UInt32 { sum.withLock { $0.value } }

  var identity: PartIdentity { .digest(UInt64(checksum), empty: Digest()) }

  /// A CRC-32 of bytes that are received again.
  private struct Digest: PartDigest {
    private var sum = CRC32()

    var value: UInt64 { UInt64(sum.value) }

    mutating func add(_ bytes: UnsafeRawBufferPointer) { sum.add(bytes) }
  }

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
  /// - Parameter validator: Not kept, as data stores do not accept one.
  /// - Throws: ``DownloadError``.
  func restart(validator: String? = nil) throws(DownloadError) {
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
