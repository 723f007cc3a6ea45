import PluginNet

/// The ways to a server: calls, certificates, images, files; with the keys that are trusted.
struct ServerAccess: Sendable {
  private let client: HTTPClient

  /// Creates access.
  ///
  /// - Parameters:
  ///   - isOffline: Whether the user asked for no network.
  ///   - certificates: The path of a PEM file with the certificates to trust; nil for the system's.
  ///   - connectDeadlineInSeconds: The time to reach a server.
  ///   - keys: The keys that are trusted; a host that is among them may show no other.
  init(isOffline: Bool, certificates: String?, connectDeadlineInSeconds: Double, keys: [TrustedKey]) {
    var configuration = HTTPClient.Configuration(isOffline: isOffline)
    configuration.certificates = certificates
    configuration.connectDeadlineInSeconds = connectDeadlineInSeconds
    for key in keys { configuration.pins[key.host] = HTTPClient.Pins([key.pin], trustsAlone: true) }
    client = HTTPClient(configuration)
  }

  /// What calls methods of a server.
  func connection(to server: ServerAddress) -> RPCConnection { RPCConnection(server, client) }

  /// The certificate that an address shows; trusted keys do not count.
  ///
  /// - Throws: `HTTPError`.
  func certificate(of address: String) async throws -> ShownCertificate {
    let shown = try await client.certificate(of: address)
    return ShownCertificate(
      pin: shown.pin, subject: shown.subject, issuer: shown.issuer, validUntil: shown.validUntil,
      problem: shown.problem)
  }

  /// What fetches images of a server's entities.
  func images(of account: Account, _ session: RPCSession) -> ImageFetcher {
    ImageFetcher(
      client, server: account.server, dataStores: account.dataStoreAddresses, token: { session.token },
      renewedToken: { refused in try await session.renewed(refused) })
  }

  /// What fetches files of data sets.
  ///
  /// - Parameter apiVersion: The version of V3 that the server speaks, such as `3.7`; nil if it does not say.
  func download(_ session: RPCSession, apiVersion: String?) -> DataSetDownload {
    let plain = FileDownload(
      client: client, token: { try await session.renewed(nil).text },
      renewedToken: { refused in try await session.renewed(Secret(refused)).text })
    let parts = (apiVersion ?? "").split(separator: ".").compactMap { Int($0) }
    // As pybis decides it.
    let hasLists = parts.lexicographicallyPrecedes([3, 7]) == false && !parts.isEmpty
    return DataSetDownload(
      plain: plain, fast: FastDownload(client: client, caller: session, hasLists: hasLists))
  }

  /// By which trusted keys are told apart: `host:port`.
  static func hostAndPort(of address: String) -> String { HTTPAddress.hostAndPort(of: address) }

  /// The address as messages show it.
  static func shown(_ address: String) -> String { HTTPAddress.shown(address) }

  /// Whether an error is one of the connection.
  static func isConnectionError(_ error: any Error) -> Bool { error is HTTPError }
}
