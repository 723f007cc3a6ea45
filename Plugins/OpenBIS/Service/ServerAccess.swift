import PluginAPI
import PluginNet

/// Access to a server: calls, certificates, images and files, with the trusted keys.
struct ServerAccess: Sendable {
  private let client: HTTPClient

  /// Creates access.
  ///
  /// - Parameters:
  ///   - isOffline: True if the program was started without network.
  ///   - certificates: The path of a PEM file with the certificates to trust; nil for the system's.
  ///   - connectDeadlineInSeconds: The time to reach a server.
  ///   - keys: The trusted keys; a host with a trusted key must not show another one.
  init(isOffline: Bool, certificates: String?, connectDeadlineInSeconds: Double, keys: [TrustedKey]) {
    var configuration = HTTPClient.Configuration(isOffline: isOffline)
    configuration.certificates = certificates
    configuration.connectDeadlineInSeconds = connectDeadlineInSeconds
    for key in keys { configuration.pins[key.host] = HTTPClient.Pins([key.pin], trustsAlone: true) }
    client = HTTPClient(configuration)
  }

  /// Returns a connection that calls methods of a server.
  func connection(to server: ServerAddress) -> RPCConnection { RPCConnection(server, client) }

  /// Returns the certificate that an address shows, ignoring trusted keys.
  ///
  /// - Throws: `HTTPError`.
  func certificate(of address: String) async throws -> ShownCertificate {
    let shown = try await client.certificate(of: address)
    return ShownCertificate(
      pin: shown.pin, subject: shown.subject, issuer: shown.issuer, validUntil: shown.validUntil,
      problem: shown.problem)
  }

  /// Returns a fetcher for images of a server's entities.
  func images(of account: Account, _ session: RPCSession) -> ImageFetcher {
    ImageFetcher(
      client, server: account.server, dataStores: account.dataStoreAddresses, token: { session.token },
      renewedToken: { refused in try await session.renewed(refused) })
  }

  /// Returns a downloader for files of data sets.
  ///
  /// - Parameter apiVersion: The server's version of V3, such as `3.7`; nil if it is unknown.
  func download(_ session: RPCSession, apiVersion: String?) -> DataSetDownload {
    let plain = FileDownload(
      client: client, token: { try await session.renewed(nil).text },
      renewedToken: { refused in try await session.renewed(Secret(refused)).text })
    let parts = (apiVersion ?? "").split(separator: ".").compactMap { Int($0) }
    // pybis decides it in the same way.
    let hasLists = parts.lexicographicallyPrecedes([3, 7]) == false && !parts.isEmpty
    return DataSetDownload(
      plain: plain, fast: FastDownload(client: client, caller: session, hasLists: hasLists))
  }

  /// Returns the form `host:port` by which trusted keys are distinguished.
  static func hostAndPort(of address: String) -> String { HTTPAddress.hostAndPort(of: address) }

  /// Returns the address as messages show it.
  static func shown(_ address: String) -> String { HTTPAddress.shown(address) }

  /// Returns true if an error is one of the connection.
  static func isConnectionError(_ error: any Error) -> Bool { error is HTTPError }
}

extension DataStoreAddress {
  /// Returns true if an address is one of a data store's files: same protocol, host and port, and the path of data
  /// stores.
  ///
  /// The token is sent to no other address.
  static func contains(_ address: String, in store: String) -> Bool {
    guard let address = normalized(address), let store = normalized(store) else { return false }
    return address.hasPrefix(files(store) + "/")
  }

  /// Returns protocol, host, port and path of an address; nil if it is not a web address, or leads upwards.
  static func normalized(_ address: String) -> String? {
    let host = HTTPAddress.hostAndPort(of: address)
    if host.isEmpty { return nil }
    let path = address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let segments = String(Substring(path)).split(separator: "/").dropFirst(2)
    if segments.contains("..") || segments.contains(".") { return nil }
    let scheme = address.lowercased().hasPrefix("https:") ? "https://" : "http://"
    return ([scheme + host] + segments.map(String.init)).joined(separator: "/")
  }
}

/// The page that a data store sends in place of a file or an image, with status 200.
///
/// - Source: openBIS, `AbstractDatasetDownloadServlet.printErrorResponse`, `DatasetDownloadServlet.printError`.
struct DataStorePage: Sendable, Hashable {
  /// The text of the page on one line; "" for a page without text.
  let reason: String

  /// The largest page that is read; a larger one is the beginning of a file.
  static let limitInBytes = 64 << 10

  /// Reads a page.
  ///
  /// - Parameter secret: The token of the request, which is left out of the text.
  init(_ html: some Collection<UInt8>, hiding secret: String) {
    let text = HTMLText.text(String(decoding: html, as: UTF8.self))
    let lines = text.split(separator: "\n")
    // All such pages have this heading, which says nothing.
    let telling = lines.first == "Error" ? lines.dropFirst() : lines[...]
    reason = MessageSanitizer(hiding: [Secret(secret)]).clean(telling.joined(separator: " "), limit: 300)
  }

  /// Returns true if a response head may be that of such a page: data stores name the file they send, and state its
  /// size.
  static func isPossible(_ headers: (String) -> String?, mediaType: String, statedLength: Int?, size: Int) -> Bool {
    (mediaType == "text/html" || mediaType == "text/plain") && headers("Content-Disposition") == nil
      && statedLength != size
  }

  private static func tokens(_ reason: String) -> Set<String> {
    Set(reason.lowercased().split { !$0.isLetter }.map(String.init))
  }

  /// The server's messages about expired sessions.
  private static let endings = Set(
    """
    expired invalid valid available
    """.split(separator: " ").map(String.init))

  /// Returns true if a reason says that the session has expired.
  static func endsSession(_ reason: String) -> Bool {
    let tokens = tokens(reason)
    return tokens.contains("session") && !tokens.isDisjoint(with: endings)
  }

  /// A Boolean value indicating whether the data store says that the session has expired.
  var endsSession: Bool { Self.endsSession(reason) }

  /// The kind of the error that the page describes.
  var kind: ErrorReport.Kind {
    let tokens = Self.tokens(reason)
    if endsSession || tokens.isSuperset(of: ["not", "accessible"]) || tokens.contains("authorization") {
      return .refused
    }
    return tokens.isSuperset(of: ["not", "exist"]) || tokens.isSuperset(of: ["not", "found"]) ? .notFound : .network
  }
}
