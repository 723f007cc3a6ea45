internal import CTransfer
internal import Synchronization

/// A server's certificate, obtained before anything is sent to the server.
///
/// For trust on first use: a person compares the pin with the one that the server's operators publish, and adds it to
/// ``HTTPClient/Configuration/pins``.
public struct ServerCertificate: Sendable, Hashable {
  /// The base64-encoded SHA-256 of its public key (SubjectPublicKeyInfo), for ``HTTPClient/Pins``.
  public var pin: String
  /// The subject in libcurl's format, such as `CN = example.org`.
  public var subject: String
  /// The issuer, in the same format.
  public var issuer: String
  /// The start of its validity in libcurl's format, such as `Nov 20 10:00:00 2026 GMT`.
  public var validFrom: String
  /// The end of its validity, in the same format.
  public var validUntil: String
  /// The reason why it is not trusted without a pin: unknown issuer, other host, expired; nil if it is trusted.
  public var problem: String?

  /// A Boolean value indicating whether it is trusted without a pin.
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
  /// Returns the certificate of a server.
  ///
  /// Only the handshake is sent, and the connection is not used for anything else.
  ///
  /// The pins of the configuration are ignored; its certificates are used.
  /// - Parameter address: An address of the server, `https://`.
  /// - Throws: ``HTTPError``; `CancellationError` soon after the task was canceled.
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

/// A receiver of a server's certificate from a transfer that ends after the handshake.
final class CertificateReceiver: Sendable {
  /// A Boolean value indicating whether a certificate from any issuer is accepted.
  let trustsAnybody: Bool
  private let found = Mutex<ServerCertificate?>(nil)

  init(trustsAnybody: Bool) {
    self.trustsAnybody = trustsAnybody
  }

  /// The certificate; nil if none was found.
  var certificate: ServerCertificate? { found.withLock { $0 } }

  /// Reads the certificate from libcurl; called on the thread of all transfers.
  func take(from transfer: OpaquePointer) {
    func text(_ name: String) -> String { transfer_certificate(transfer, name).map { String(cString: $0) } ?? "" }
    guard let pin = CertificateKey.pin(pem: text("Cert")) else { return }
    let new = ServerCertificate(
      pin: pin, subject: text("Subject"), issuer: text("Issuer"), validFrom: text("Start date"),
      validUntil: text("Expire date"))
    found.withLock { $0 = new }
  }
}
