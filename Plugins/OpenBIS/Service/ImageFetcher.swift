import PluginAPI
import PluginNet
import PluginText
import Synchronization

/// A fetcher of entities' images, a few at a time.
///
/// The session's token is sent to the server's data stores only: same protocol, host and port, and the path of data
/// stores. Nothing else identifies a data store, least of all a word in the address. The token of an `https` server is
/// never sent to a data store without `https`.
final class ImageFetcher: Sendable {
  /// An image that was fetched.
  struct Image: Sendable, Hashable {
    var bytes: [UInt8]
    /// The format of the bytes, such as `PNG`.
    var format: String
  }

  private let client: HTTPClient
  private let server: ServerAddress
  /// The addresses of data stores that may receive the token.
  private let dataStores: [String]
  private let limitInBytes: Int
  private let token: @Sendable () -> Secret?
  private let renewedToken: (@Sendable (_ refused: Secret?) async throws -> Secret)?
  private let limiter: TaskLimiter

  /// Creates a fetcher.
  ///
  /// - Parameters:
  ///   - client: The client for requests.
  ///   - server: The server against which relative addresses are resolved.
  ///   - dataStores: The addresses of the server's data stores, as the server reported them.
  ///   - limitInBytes: The size of the largest image, in bytes.
  ///   - parallel: The number of images that are fetched at once.
  ///   - token: Returns the session's current token; nil for none.
  ///   - renewedToken: Returns another token when a data store rejects or requires one; nil to give up then.
  init(
    _ client: HTTPClient, server: ServerAddress, dataStores: [String], limitInBytes: Int = 32 << 20, parallel: Int = 4,
    token: @escaping @Sendable () -> Secret?,
    renewedToken: (@Sendable (_ refused: Secret?) async throws -> Secret)? = nil
  ) {
    self.client = client
    self.server = server
    self.dataStores = dataStores.compactMap(DataStoreAddress.normalized).filter {
      !server.base.hasPrefix("https:") || $0.hasPrefix("https:")
    }
    self.limitInBytes = limitInBytes
    self.token = token
    self.renewedToken = renewedToken
    limiter = TaskLimiter(parallel)
  }

  /// Fetches an image.
  ///
  /// - Parameter address: The address as the server wrote it.
  /// - Throws: `ImageFetchError`; `CancellationError` soon after the task was canceled.
  func image(_ address: String) async throws -> Image {
    guard let resolved = HTTPAddress.resolved(address, against: server.base + "/") else {
      throw ImageFetchError.badAddress(ServerAddress.hidingSecrets(String(address.prefix(200))))
    }
    let shown = Self.withoutSession(HTTPAddress.shown(resolved))
    let bytes = try await limiter.withSlot { try await fetch(resolved, shown) }
    guard let format = ImageBytes.format(bytes) else {
      throw ImageBytes.isPage(bytes) ? ImageFetchError.page(address: shown) : .noImage(address: shown)
    }
    return Image(bytes: bytes, format: format)
  }

  /// Fetches bytes; retries once with another token if the first one is rejected.
  private func fetch(_ address: String, _ shown: String) async throws -> [UInt8] {
    let token = token()
    do {
      return try await fetch(address, token, shown)
    } catch let refusal as ImageFetchError where Self.endsSession(refusal) {
      guard let renewedToken, isOfDataStore(address) else { throw refusal }
      let renewed: Secret
      do {
        renewed = try await renewedToken(token)
      } catch RPCError.sessionEnded {
        // The password is unknown: the data store's error is more informative.
        throw refusal
      }
      return try await fetch(address, renewed, shown)
    }
  }

  /// Returns true if another token may help.
  private static func endsSession(_ error: ImageFetchError) -> Bool {
    switch error {
    case .status(let status, _): FileDownload.refusals.contains(status)
    case .page(_, let reason): DataStorePage.endsSession(reason)
    case .badAddress, .noImage, .tooLarge, .failed, .offline: false
    }
  }

  /// Returns true if an address is one of the server's data stores, which may receive the token.
  func isOfDataStore(_ address: String) -> Bool {
    dataStores.contains { DataStoreAddress.contains(address, in: $0) }
  }

  /// Returns the address to request, with a token if it is one of a data store.
  func asked(_ address: String, _ token: Secret?) -> (address: String, hasToken: Bool) {
    guard let token, isOfDataStore(address) else { return (address, false) }
    return (HTTPAddress.with(Self.withoutSession(address), query: [("sessionID", token.text)]), true)
  }

  private func fetch(_ address: String, _ token: Secret?, _ shown: String) async throws -> [UInt8] {
    let (asked, hasToken) = asked(address, token)
    var request = HTTPRequest(asked, limitInBytes: limitInBytes)
    request.deadlineInSeconds = nil
    var client = client
    // A host to which a data store redirects does not get a token.
    client.configuration.staysOnHost = hasToken
    do {
      let body = ImageBody()
      let head = try await client.stream(
        request,
        onHead: { head in
          guard head.isSuccess else { throw ImageFetchError.status(head.status, address: shown) }
          if head.mediaType == "text/html", !hasToken { throw ImageFetchError.page(address: shown) }
          return .more
        }, receive: { body.take($0) })
      if head.mediaType == "text/html" {
        // Data stores reject requests with a page.
        let page = DataStorePage(body.bytes.prefix(DataStorePage.limitInBytes), hiding: token?.text ?? "")
        throw ImageFetchError.page(address: shown, reason: page.reason)
      }
      return body.bytes
    } catch let error as HTTPError {
      throw Self.error(error, shown, limitInBytes)
    }
  }

  /// Returns the error without the requested address, which contains the token.
  private static func error(_ error: HTTPError, _ address: String, _ limit: Int) -> ImageFetchError {
    switch error {
    case .offline: .offline(address: address)
    case .badAddress, .protocolRefused: .badAddress(address)
    case .tooLarge: .tooLarge(address: address, limitInBytes: limit)
    case .status(let status, _, _): .status(status, address: address)
    case .tooManyRedirects: .failed(address: address, reason: "too many redirects")
    default: .failed(address: address, reason: error.report.message)
    }
  }

  /// Returns the address without a session that was left in it.
  private static func withoutSession(_ address: String) -> String {
    guard let mark = address.utf8.firstIndex(of: UInt8(ascii: "?")) else { return address }
    let parts = address[address.utf8.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
    let kept = parts.filter { !$0.lowercased().hasPrefix("sessionid=") }
    let path = String(address[..<mark])
    return kept.isEmpty ? path : path + "?" + kept.joined(separator: "&")
  }
}

/// A collector of an image's pieces.
private final class ImageBody: Sendable {
  private let state = Mutex<[UInt8]>([])

  var bytes: [UInt8] { state.withLock { $0 } }

  func take(_ piece: UnsafeRawBufferPointer) -> HTTPFlow {
    state.withLock { $0.append(contentsOf: piece) }
    return .more
  }
}

/// The data that an image's bytes contain about themselves.
enum ImageBytes {
  /// Returns the format by the first bytes, such as `PNG`; nil if they are not a known image format.
  ///
  /// - Source: the signatures of PNG (ISO 15948, 5.2), JPEG (ITU-T T.81, B.1.1.3), GIF89a, TIFF 6.0, WebP (RFC 9649),
  ///   BMP.
  static func format(_ bytes: some Collection<UInt8>) -> String? {
    let head = Array(bytes.prefix(1024))
    func begins(_ signature: [UInt8]) -> Bool { head.starts(with: signature) }
    if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "PNG" }
    if begins([0xFF, 0xD8, 0xFF]) { return "JPEG" }
    if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) { return "GIF" }
    if begins([0x49, 0x49, 0x2A, 0x00]) || begins([0x4D, 0x4D, 0x00, 0x2A]) { return "TIFF" }
    if begins(Array("RIFF".utf8)), head.dropFirst(8).starts(with: "WEBP".utf8) { return "WEBP" }
    if begins(Array("BM".utf8)), head.count > 26 { return "BMP" }
    return isSVG(head) ? "SVG" : nil
  }

  /// Returns true if a text is an HTML page, judging by its first tag.
  static func isPage(_ bytes: some Collection<UInt8>) -> Bool {
    let text = start(of: bytes.prefix(512))
    return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
  }

  private static func isSVG(_ head: [UInt8]) -> Bool {
    let text = start(of: head[...])
    if text.hasPrefix("<svg") { return true }
    guard text.hasPrefix("<?xml") || text.hasPrefix("<!--") || text.hasPrefix("<!doctype svg") else { return false }
    return text.utf8.count >= 900 || ByteSearch.contains("<svg".utf8, in: text.utf8)
  }

  /// Returns bytes as text in lower case, without blanks and the byte order mark of UTF-8 at the beginning.
  private static func start(of bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes.withoutByteOrderMark.drop { $0 <= 0x20 }, as: UTF8.self).lowercased()
  }
}

/// Errors of images that cannot be shown; addresses in them never contain a token.
enum ImageFetchError: Error, Equatable, ReportableError {
  /// The address is not a web address, such as `ftp:`.
  case badAddress(String)
  /// The server has no image at this address.
  case status(Int, address: String)
  /// A page was received instead, with its text if it is one of a data store.
  case page(address: String, reason: String = "")
  /// The content is not a known image format.
  case noImage(address: String)
  /// The image is larger than allowed.
  case tooLarge(address: String, limitInBytes: Int)
  /// The image could not be fetched.
  case failed(address: String, reason: String)
  /// The program was started without network.
  case offline(address: String)

  /// The reason in a few words, shown in place of the image.
  var reason: String {
    switch self {
    case .badAddress: "its address is not http or https"
    case .status(let status, _): "the server sent status \(status)"
    case .page(_, let reason):
      reason.isEmpty ? "the server sent a page instead of an image" : "the data store sent: \(reason)"
    case .noImage: "the response is not an image of a known format"
    case .tooLarge(_, let limit): "it is larger than \(limit >> 20) MiB"
    case .failed(_, let reason): reason
    case .offline: "the network is switched off"
    }
  }

  private var address: String {
    switch self {
    case .badAddress(let address), .status(_, let address), .page(let address, _), .noImage(let address),
      .tooLarge(let address, _), .failed(let address, _), .offline(let address):
      address
    }
  }

  var report: ErrorReport {
    let isOffline = if case .offline = self { true } else { false }
    return ErrorReport(
      code: isOffline ? "openbis.image-offline" : "openbis.image-missing", kind: .network,
      "the image '\(address)' cannot be shown: \(reason)",
      advice: isOffline ? "leave out '--offline'" : "ask the server's administrator if the image should exist",
      details: ["address": .text(address)]
    ).sanitized
  }

  /// The stable error codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("openbis.image-missing", "an image could not be fetched, or is not an image"),
    .init("openbis.image-offline", "an image is not cached and the network is switched off"),
  ]
}
