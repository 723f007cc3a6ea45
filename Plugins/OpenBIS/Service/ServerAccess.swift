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
