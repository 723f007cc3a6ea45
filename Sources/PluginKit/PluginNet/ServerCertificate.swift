internal import CTransfer
internal import Synchronization

/// What a server shows of itself before anything is sent to it: its certificate.
///
/// For trust on first use: a person compares the pin with what the people of the server say, and from then on it goes
/// into ``HTTPClient/Configuration/pins``.
public struct ServerCertificate: Sendable, Hashable {
  /// Base64 of the SHA-256 of its public key (SubjectPublicKeyInfo), as ``HTTPClient/Pins`` takes it.
  public var pin: String
  /// Whom it is for, in libcurl's words, such as `CN = example.org`.
  public var subject: String
  /// Who signed it, likewise.
  public var issuer: String
  /// From when it holds, in libcurl's words, such as `Nov 20 10:00:00 2026 GMT`.
  public var validFrom: String
  /// Until when it holds, likewise.
  public var validUntil: String
  /// Why it is not trusted without a pin: unknown signer, other host, expired; nil if it is trusted.
  public var problem: String?

  /// Whether it is trusted without a pin.
  public var isTrusted: Bool { problem == nil }

  /// Creates a description of a certificate.
  public init(
    pin: String, subject: String, issuer: String, validFrom: String, validUntil: String, problem: String? = nil
  ) {
    self.pin = pin
    self.subject = subject
    self.issuer = issuer
    self.validFrom = validFrom
    self.validUntil = validUntil
    self.problem = problem
  }
}

extension HTTPClient {
  /// Looks at the certificate of a server; nothing is sent but the handshake, and the connection serves nothing else.
  ///
  /// The pins of the configuration do not count, its certificates do.
  /// - Parameter address: An address of the server, `https://`.
  /// - Throws: ``HTTPError``; `CancellationError` soon after the task was cancelled.
  public func certificate(of address: String) async throws -> ServerCertificate {
    guard HTTPAddress.parts(address)?.scheme == "https" else {
      throw HTTPError.badAddress(HTTPAddress.shown(address))
    }
    var problem: String?
    var receiver = CertificateReceiver(trustsAnybody: false)
    do {
      try await ask(receiver, of: address)
    } catch HTTPError.notTrusted(_, let reason) {
      problem = reason
      receiver = CertificateReceiver(trustsAnybody: true)
      try await ask(receiver, of: address)
    }
    guard var found = receiver.certificate else {
      throw HTTPError.failed(host: HTTPAddress.host(of: address), reason: "its certificate cannot be read")
    }
    found.problem = problem
    return found
  }
}

/// Takes the certificate of a server from a transfer that ends with the handshake.
final class CertificateReceiver: Sendable {
  /// Whether it is taken whoever signed it.
  let trustsAnybody: Bool
  private let found = Mutex<ServerCertificate?>(nil)

  init(trustsAnybody: Bool) {
    self.trustsAnybody = trustsAnybody
  }

  /// What was found; nil if nothing.
  var certificate: ServerCertificate? { found.withLock { $0 } }

  /// Takes what libcurl knows; on the thread of all transfers.
  func take(from transfer: OpaquePointer) {
    func text(_ name: String) -> String { transfer_certificate(transfer, name).map { String(cString: $0) } ?? "" }
    guard let pin = CertificateKey.pin(pem: text("Cert")) else { return }
    let new = ServerCertificate(
      pin: pin, subject: text("Subject"), issuer: text("Issuer"), validFrom: text("Start date"),
      validUntil: text("Expire date"))
    found.withLock { $0 = new }
  }
}
