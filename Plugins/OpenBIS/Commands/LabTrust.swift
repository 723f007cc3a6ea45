import PluginAPI

/// The decision to trust a server's key, made before anything is sent to the server.
///
/// A key signed by an authority that this machine trusts needs no confirmation. Any other key is trusted once the user
/// agrees; from then on the server must show that key.
struct LabTrust: Sendable {
  let call: CommandCall
  let servers: ServersStore
  /// The key to which the user agreed in the call; "" for none.
  let agreed: String

  /// Checks the certificate of a server and stores its key if the user agrees.
  ///
  /// - Parameters:
  ///   - address: An address of the server.
  ///   - sibling: A trusted key of the same installation; the same key needs no second confirmation.
  /// - Returns: The pin that was stored or is already trusted; nil if none is needed.
  /// - Throws: ``LabError/untrusted(server:pin:subject:problem:)``, ``LabError/changedKey(server:known:shown:)``,
  ///   `HTTPError`.
  @discardableResult
  func decide(_ address: String, sibling: String? = nil) async throws -> String? {
    guard address.hasPrefix("https://") else { return nil }
    let place = ServerAccess.hostAndPort(of: address)
    let known = try await servers.snapshot().trustedKeys.filter { $0.host == place }.map(\.pin)
    let certificate = try await LabAccess(call.context, keys: []).servers.certificate(of: address)
    if known.contains(certificate.pin) { return certificate.pin }
    if known.isEmpty, certificate.problem == nil { return nil }
    if agreed == certificate.pin || (known.isEmpty && sibling == certificate.pin) {
      try await remember(place, certificate)
      return certificate.pin
    }
    guard known.isEmpty else { throw LabError.changedKey(server: place, known: known, shown: certificate.pin) }
    guard agreed.isEmpty, try await isAgreed(place, certificate) else {
      throw LabError.untrusted(
        server: place, pin: certificate.pin, subject: certificate.subject, problem: certificate.problem ?? "unknown")
    }
    try await remember(place, certificate)
    return certificate.pin
  }

  private func remember(_ place: String, _ certificate: ShownCertificate) async throws {
    let key = TrustedKey(
      host: place, pin: certificate.pin, subject: certificate.subject, firstTrustedAt: call.context.now())
    try await servers.trust(key)
  }

  private func isAgreed(_ place: String, _ certificate: ShownCertificate) async throws -> Bool {
    let question =
      "The certificate of \(place) is signed by nobody this machine trusts (\(certificate.subject), signed by "
      + "\(certificate.issuer), until \(certificate.validUntil)). Ask its people whether its key is "
      + "\(certificate.pin). Trust it from now on? [y/N]"
    let answer = try await call.ask(PromptRequest(question))
    return ["y", "yes"].contains(answer?.lowercased())
  }
}
