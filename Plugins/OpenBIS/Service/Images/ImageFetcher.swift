import PluginAPI
import PluginNet
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
  private let places: PlaceKeeper

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
    places = PlaceKeeper(parallel)
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
    let bytes = try await places.withPlace { try await fetch(resolved, shown) }
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
    case .tooManyRedirects: .failed(address: address, reason: "the address redirects too often")
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
