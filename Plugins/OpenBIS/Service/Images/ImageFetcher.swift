import PluginAPI
import PluginNet
import Synchronization

/// Fetches images of entities; a few at a time.
///
/// The session's token goes to the data stores of the server only: same protocol, host and port, and the path that data
/// stores have. Nothing else tells a data store, least of all a word in the address. The token of a server with `https`
/// goes to no data store without.
final class ImageFetcher: Sendable {
  /// An image that was fetched.
  struct Image: Sendable, Hashable {
    var bytes: [UInt8]
    /// What the bytes are, such as `PNG`.
    var format: String
  }

  private let client: HTTPClient
  private let server: ServerAddress
  /// The addresses of data stores where the token may go.
  private let dataStores: [String]
  private let limitInBytes: Int
  private let token: @Sendable () -> Secret?
  private let renewedToken: (@Sendable (_ refused: Secret?) async throws -> Secret)?
  private let places: PlaceKeeper

  /// Creates a fetcher.
  ///
  /// - Parameters:
  ///   - client: Asks the servers.
  ///   - server: Against which relative addresses are resolved.
  ///   - dataStores: The addresses of the server's data stores, as the server told them.
  ///   - limitInBytes: The largest image.
  ///   - parallel: How many are fetched at once.
  ///   - token: The session's token of now; nil for none.
  ///   - renewedToken: Gives another token when a data store refuses one, or wants one; nil to give up then.
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
    places = PlaceKeeper(parallel)
  }

  /// Fetches an image.
  ///
  /// - Parameter address: As the server wrote it.
  /// - Throws: `ImageFetchError`; `CancellationError` soon after the task was cancelled.
  func image(_ address: String) async throws -> Image {
    guard let resolved = HTTPAddress.resolved(address, against: server.base + "/") else {
      throw ImageFetchError.badAddress(ServerAddress.hidingSecrets(String(address.prefix(200))))
    }
    let shown = Self.withoutSession(HTTPAddress.shown(resolved))
    let bytes = try await places.withPlace { try await fetch(resolved, shown) }
    guard let format = ImageBytes.format(bytes) else {
      throw ImageBytes.isPage(bytes) ? ImageFetchError.page(address: shown) : .noImage(address: shown)
    }
    return Image(bytes: bytes, format: format)
  }

  /// Fetches bytes, once more with another token if the first one is refused.
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
        // Nobody knows the password: what the data store said tells more.
        throw refusal
      }
      return try await fetch(address, renewed, shown)
    }
  }

  /// True if another token may help.
  private static func endsSession(_ error: ImageFetchError) -> Bool {
    switch error {
    case .status(let status, _): FileDownload.refusals.contains(status)
    case .page(_, let reason): DataStorePage.endsSession(reason)
    default: false
    }
  }

  /// True if an address is one of a data store of the server, where the token may go.
  func isOfDataStore(_ address: String) -> Bool {
    dataStores.contains { DataStoreAddress.contains(address, in: $0) }
  }

  /// The address to ask, with a token if it is one of a data store.
  func asked(_ address: String, _ token: Secret?) -> (address: String, hasToken: Bool) {
    guard let token, isOfDataStore(address) else { return (address, false) }
    return (HTTPAddress.with(Self.withoutSession(address), query: [("sessionID", token.text)]), true)
  }

  private func fetch(_ address: String, _ token: Secret?, _ shown: String) async throws -> [UInt8] {
    let (asked, hasToken) = asked(address, token)
    var request = HTTPRequest(asked, limitInBytes: limitInBytes)
    request.deadlineInSeconds = nil
    var client = client
    // Whoever a data store names elsewhere gets no token.
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
        // Data stores refuse with a page.
        let page = DataStorePage(body.bytes.prefix(DataStorePage.limitInBytes), hiding: token?.text ?? "")
        throw ImageFetchError.page(address: shown, reason: page.reason)
      }
      return body.bytes
    } catch let error as HTTPError {
      throw Self.error(error, shown, limitInBytes)
    }
  }

  /// The error without the address that was asked, which has the token in it.
  private static func error(_ error: HTTPError, _ address: String, _ limit: Int) -> ImageFetchError {
    switch error {
    case .offline: .offline(address: address)
    case .badAddress, .protocolRefused: .badAddress(address)
    case .tooLarge: .tooLarge(address: address, limitInBytes: limit)
    case .status(let status, _, _): .status(status, address: address)
    case .tooManyRedirects: .failed(address: address, reason: "the address redirects too often")
    default: .failed(address: address, reason: error.report.message)
    }
  }

  /// The address without a session that somebody left in it.
  private static func withoutSession(_ address: String) -> String {
    guard let mark = address.utf8.firstIndex(of: UInt8(ascii: "?")) else { return address }
    let parts = address[address.utf8.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
    let kept = parts.filter { !$0.lowercased().hasPrefix("sessionid=") }
    let path = String(address[..<mark])
    return kept.isEmpty ? path : path + "?" + kept.joined(separator: "&")
  }
}

/// Puts the pieces of an image together.
private final class ImageBody: Sendable {
  private let state = Mutex<[UInt8]>([])

  var bytes: [UInt8] { state.withLock { $0 } }

  func take(_ piece: UnsafeRawBufferPointer) -> HTTPFlow {
    state.withLock { $0.append(contentsOf: piece) }
    return .more
  }
}
