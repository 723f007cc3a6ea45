import PluginAPI
import PluginNet
import PluginStore
import Synchronization

/// Fetches files of data sets; what was interrupted goes on where it stopped.
struct FileDownload: Sendable {
  /// Fetches.
  let client: HTTPClient
  /// Gives the session's token, logging in if need be.
  let token: @Sendable () async throws -> String
  /// Gives another token when the data store refuses the first one, as when the session is over; nil to give up then.
  var renewedToken: (@Sendable (_ refused: String) async throws -> String)?

  /// Statuses that say that a token is not good, or not good enough.
  ///
  /// - Source: RFC 9110, sections 15.5.2 and 15.5.4.
  private static let refusals: Set<Int> = [401, 403]

  /// How often a lost connection is taken up again.
  private static let attempts = 5

  /// Fetches a file; until it is whole and right it lies beside its name, with `.part` behind.
  ///
  /// - Parameters:
  ///   - file: The file as the data store lists it.
  ///   - path: Where it goes; a file of that name is replaced.
  ///   - isResuming: Whether a part that lies there is gone on with.
  ///   - onProgress: Takes how many bytes there are; on the thread of all transfers, so it never waits.
  /// - Returns: Whether a checksum was there to hold it against.
  /// - Throws: ``DownloadError``, `HTTPError` without the token; `CancellationError` soon after the task was cancelled,
  ///   then the part stays.
  @discardableResult
  func fetch(
    _ file: DataSetFile, to path: String, isResuming: Bool = true,
    onProgress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> Bool {
    let part = try PartFile(of: path)
    // A retry right after this returns finds the file free, however long others still refer to the part.
    defer { part.close() }
    if isResuming { try await OwnThread.value { checkCancellation in try part.readKept(checkCancellation) } }
    if !isResuming || part.count > file.size { try part.beginAnew() }
    onProgress(part.count)
    var secret = try await token()
    var (attempt, isRenewed) = (0, false)
    while part.count == 0 || part.count < file.size {
      attempt += 1
      let before = part.count
      do {
        if try await fetchRest(of: file, secret, into: part, onProgress) { break }
      } catch HTTPError.status(let status, let address, let wait) {
        guard Self.refusals.contains(status), !isRenewed, let renewedToken else {
          throw HTTPError.status(status, address: address, retryAfterInSeconds: wait)
        }
        secret = try await renewedToken(secret)
        isRenewed = true
      } catch let error as HTTPError {
        // Each attempt but the last brings something, else there is no sense in another.
        guard case .cutShort = error, part.count > before, attempt < Self.attempts else { throw error }
      }
    }
    return try check(part, file)
  }

  /// Asks for what is missing; false if the part does not fit and was thrown away.
  private func fetchRest(
    of file: DataSetFile, _ secret: String, into part: PartFile, _ onProgress: @escaping @Sendable (Int) -> Void
  ) async throws -> Bool {
    var request = HTTPRequest(Self.address(file, secret), limitInBytes: .max)
    request.deadlineInSeconds = nil
    request.decodesContent = false
    // The token is in the address: whoever a data store names elsewhere gets neither.
    var client = client
    client.configuration.staysOnHost = true
    let start = part.count
    if start > 0 { request.headers["Range"] = "bytes=\(start)-" }
    let told = Mutex(start)
    do {
      let head = try await client.stream(request) { head in
        try Self.prepare(part, head, start, file)
      } receive: { piece in
        let count = part.count + piece.count
        if count > file.size { throw DownloadError.otherSize(file: file.path, expected: file.size, found: count) }
        try part.append(piece)
        if count - told.withLock({ $0 }) >= Self.progressStep {
          told.withLock { $0 = count }
          onProgress(count)
        }
        return .more
      }
      if head.status == Self.outOfRange { try part.beginAnew() }
      onProgress(part.count)
      return head.status != Self.outOfRange
    } catch DownloadError.otherSize(let path, let expected, let found) {
      part.remove()
      throw DownloadError.otherSize(file: path, expected: expected, found: found)
    } catch let error as HTTPError {
      throw error.hiding(secret)
    }
  }

  /// Progress is told about each so many bytes.
  private static let progressStep = 1 << 18

  /// - Source: RFC 9110, section 15.5.17.
  private static let outOfRange = 416

  /// Makes the part ready for what the data store sends.
  private static func prepare(
    _ part: PartFile, _ head: HTTPHead, _ start: Int, _ file: DataSetFile
  ) throws -> HTTPFlow {
    if head.status == outOfRange, start > 0 { return .enough }
    try head.checked()
    if head.status == 206 {
      // Content-Range: bytes 100-199/200
      let range = head.headers["Content-Range"] ?? ""
      guard range.hasPrefix("bytes \(start)-") else { throw DownloadError.otherPart(file: file.path) }
    } else if start > 0 {
      // All of it comes again.
      try part.beginAnew()
    }
    return .more
  }

  /// Holds what came against what the data store keeps, and gives it its name.
  private func check(_ part: PartFile, _ file: DataSetFile) throws -> Bool {
    if part.count != file.size {
      part.remove()
      throw DownloadError.otherSize(file: file.path, expected: file.size, found: part.count)
    }
    if let expected = file.checksum, part.checksum != expected {
      part.remove()
      throw DownloadError.otherChecksum(file: file.path, expected: expected, found: part.checksum)
    }
    try part.finish()
    return file.checksum != nil
  }

  /// The address of a file with the token.
  static func address(_ file: DataSetFile, _ token: String) -> String {
    HTTPAddress.with(file.address, query: [("sessionID", token)])
  }
}

extension HTTPError {
  /// The error without a secret: addresses without their query, reasons with `…` in its place.
  func hiding(_ secret: String) -> HTTPError {
    // Messages cut addresses short, so that half a secret could stand at their end.
    func bare(_ address: String) -> String { String(Substring(address.utf8.prefix { $0 != UInt8(ascii: "?") })) }
    func hidden(_ text: String) -> String { text.hiding(secret).hiding(HTTPAddress.escaped(secret)) }
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

extension String {
  /// The text with `…` in place of a secret.
  fileprivate func hiding(_ secret: String) -> String {
    if secret.isEmpty { return self }
    let (text, word) = (Array(utf8), Array(secret.utf8))
    var out: [UInt8] = []
    var place = 0
    while place < text.count {
      let isSecret = text[place...].starts(with: word)
      out += isSecret ? Array("…".utf8) : [text[place]]
      place += isSecret ? word.count : 1
    }
    return String(decoding: out, as: UTF8.self)
  }
}
