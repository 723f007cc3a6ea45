import Glibc
import PluginAPI
import PluginCompression
import PluginNet
import Synchronization

/// Loads a file of a server, and goes on where an earlier try was cut short.
struct FileDownload: Sendable {
  /// How far it is.
  struct State: Sendable {
    var received: Int
    /// nil if the server does not say.
    var total: Int?
  }

  let client: HTTPClient
  let file: RemoteFile
  /// Where parts lie.
  let folder: String
  /// The most bytes that are taken.
  let limitInBytes: Int
  /// How often a lost connection is made anew.
  static let attempts = 4

  /// Loads the file.
  ///
  /// - Parameter report: Told how far it is; called on any thread.
  /// - Returns: The file as it was meant: a content encoding, which belongs to the way and not to the file, is undone.
  /// - Throws: ``ServiceError``, ``HTTPError``; what came so far is kept for the next try if the server can go on.
  func run(_ report: @escaping @Sendable (State) -> Void) async throws -> [UInt8] {
    let part = try PartialFile(of: file.address, name: file.name, in: folder)
    // A retry right after this returns finds the part free, however long others still refer to it.
    defer { part.close() }
    var (isEncoded, isWhole) = (false, false)
    // What cannot be continued, or was only looked for, is not kept.
    defer { if isWhole || part.validator == nil { part.remove() } }
    for attempt in 1...Self.attempts {
      do {
        isEncoded = try await load(part, report)
        break
      } catch let error as HTTPError {
        guard case .cutShort = error, attempt < Self.attempts, part.size > 0 else { throw error }
      } catch is StartAnew {
        try part.begin(validator: nil)
      }
      try Task.checkCancellation()
    }
    isWhole = true
    return try content(part, isEncoded: isEncoded)
  }

  /// The server cannot go on with what is there.
  private struct StartAnew: Error {}

  /// Asks once, for the rest if there is a part.
  ///
  /// - Returns: Whether the file came in a content encoding.
  private func load(_ part: PartialFile, _ report: @escaping @Sendable (State) -> Void) async throws -> Bool {
    var request = HTTPRequest(file.address, limitInBytes: .max)
    request.deadlineInSeconds = nil
    request.decodesContent = false
    let (start, validator) = (part.size, part.validator)
    if start > 0, let validator {
      request.headers = ["Range": "bytes=\(start)-", "If-Range": validator]
    }
    let (limit, address) = (limitInBytes, file.address)
    let total = Mutex<Int?>(nil)
    let head = try await client.stream(
      request,
      onHead: { head in
        guard head.status == 200 || head.status == 206 else { return .enough }
        try Self.prepare(part, head, start: validator == nil ? 0 : start)
        total.withLock { $0 = head.statedLength.map { $0 + part.size } }
        if part.size + (head.statedLength ?? 0) > limit { throw Self.tooLarge(address, limit) }
        report(State(received: part.size, total: total.withLock { $0 }))
        return .more
      },
      receive: { piece in
        if part.size + piece.count > limit { throw Self.tooLarge(address, limit) }
        try part.append(piece)
        report(State(received: part.size, total: total.withLock { $0 }))
        return .more
      })
    try check(head)
    return head.headers["Content-Encoding"]?.lowercased() == "gzip"
  }

  private static func tooLarge(_ address: String, _ limit: Int) -> HTTPError {
    .tooLarge(address: HTTPAddress.shown(address), limitInBytes: limit)
  }

  /// Makes the part fit what comes: the rest, or all of it.
  ///
  /// - Source: RFC 9110, sections 13.1.5 (If-Range takes strong validators only), 14.4 and 15.3.7.
  private static func prepare(_ part: PartialFile, _ head: HTTPHead, start: Int) throws {
    if head.status == 206 {
      let range = head.headers["Content-Range"] ?? ""
      guard start > 0, range.hasPrefix("bytes \(start)-") else { throw StartAnew() }
      return
    }
    let tag = head.headers["ETag"].flatMap { $0.hasPrefix("W/") ? nil : $0 }
    try part.begin(validator: tag ?? head.headers["Last-Modified"])
  }

  /// Throws for every status but those of a file.
  private func check(_ head: HTTPHead) throws {
    switch head.status {
    case 200, 206: return
    case 416: throw StartAnew()
    case 400, 404, 410: throw missing
    default: try head.checked()
    }
    throw missing
  }

  private var missing: ServiceError {
    if let code = file.code { return .unknownCode(code, service: file.service ?? HTTPAddress.host(of: file.address)) }
    return .noFile(address: HTTPAddress.shown(file.address))
  }

  /// The finished file.
  private func content(_ part: PartialFile, isEncoded: Bool) throws -> [UInt8] {
    var bytes: [UInt8]
    do {
      bytes = try StructureSource.bytes(ofFile: part.path)
    } catch {
      throw ServiceError.notKept(path: part.path, reason: "it cannot be read back")
    }
    if isEncoded, Gzip.isGzip(bytes) {
      do {
        bytes = try Gzip.uncompress(bytes, limit: limitInBytes)
      } catch {
        throw HTTPError.damaged(host: HTTPAddress.host(of: file.address), reason: error.description)
      }
    }
    if bytes.isEmpty || Self.isPage(bytes) { throw missing }
    return bytes
  }

  /// Whether bytes are a web page: servers answer so, with status 200, for what they do not have.
  static func isPage(_ bytes: [UInt8]) -> Bool {
    var start = bytes.prefix(1024)[...]
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
    let text = String(decoding: start.drop { $0 <= 32 }, as: UTF8.self).lowercased()
    return ["<!doctype html", "<html", "<head", "<body"].contains { text.hasPrefix($0) }
      || ((text.hasPrefix("<?xml") || text.hasPrefix("<!--")) && strstr(text, "<html") != nil)
  }
}
