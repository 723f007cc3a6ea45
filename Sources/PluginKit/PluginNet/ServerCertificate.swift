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

/// A reader of the public key in a certificate.
///
/// - Source: RFC 5280, section 4.1 (the fields), RFC 7469, section 2.4 (the pin); ITU-T X.690, section 8.1 (the encoding).
private enum CertificateKey {
  /// Returns the base64-encoded SHA-256 of the key of a PEM certificate; nil if it is not one.
  static func pin(pem: String) -> String? {
    guard let key = der(pem: pem).flatMap(publicKey) else { return nil }
    var digest = [UInt8](repeating: 0, count: 32)
    guard transfer_digest(key, key.count, &digest) != 0 else { return nil }
    return base64(digest)
  }

  /// Returns the bytes of the first certificate in a PEM text; nil if there is none.
  static func der(pem: String) -> [UInt8]? {
    let lines = pem.utf8.split { $0 == 0x0A || $0 == 0x0D }.map { Array($0) }
    guard let start = lines.firstIndex(of: Array("-----BEGIN CERTIFICATE-----".utf8)) else { return nil }
    guard let end = lines[start...].firstIndex(of: Array("-----END CERTIFICATE-----".utf8)) else { return nil }
    return bytes(base64: lines[(start + 1)..<end].joined())
  }

  /// Returns the SubjectPublicKeyInfo of a certificate, with its tag and length; nil if the bytes are not a
  /// certificate.
  static func publicKey(_ certificate: [UInt8]) -> [UInt8]? {
    var outer = certificate[...]
    guard var whole = element(&outer, tag: 0x30)?.content, outer.isEmpty,
      var body = element(&whole, tag: 0x30)?.content
    else { return nil }
    // The oldest certificates omit the version.
    if body.first == 0xA0, element(&body, tag: 0xA0) == nil { return nil }
    // Serial number, algorithm, issuer, validity, subject.
    for tag: UInt8 in [0x02, 0x30, 0x30, 0x30, 0x30] where element(&body, tag: tag) == nil { return nil }
    return element(&body, tag: 0x30).map { Array($0.whole) }
  }

  /// Removes an element with a tag from the front; nil if there is another one, or if it extends beyond the end.
  private static func element(
    _ rest: inout ArraySlice<UInt8>, tag: UInt8
  ) -> (whole: ArraySlice<UInt8>, content: ArraySlice<UInt8>)? {
    guard rest.count >= 2, rest.first == tag else { return nil }
    var place = rest.startIndex + 2
    var length = Int(rest[rest.startIndex + 1])
    if length >= 0x80 {
      let count = length & 0x7F
      // A certificate does not need more than four bytes of length, and a missing length is not DER.
      guard (1...4).contains(count), rest.endIndex - place >= count else { return nil }
      length = rest[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
      place += count
    }
    guard rest.endIndex - place >= length else { return nil }
    defer { rest = rest[(place + length)...] }
    return (rest[rest.startIndex..<(place + length)], rest[place..<(place + length)])
  }

  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// - Source: RFC 4648, section 4.
  private static func base64(_ digest: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: digest.count, by: 3) {
      let count = min(3, digest.count - start)
      let word = (0..<3).reduce(0) { $0 << 8 | ($1 < count ? Int(digest[start + $1]) : 0) }
      for place in 0..<4 { text.append(place > count ? UInt8(ascii: "=") : letters[word >> (18 - 6 * place) & 63]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func bytes(base64 text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (word, bits) = (0, 0)
    for letter in text where letter != UInt8(ascii: "=") {
      guard let value = letters.firstIndex(of: letter) else { return nil }
      (word, bits) = ((word << 6 | value) & 0xFFFF, bits + 6)
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> bits))
      }
    }
    return bytes
  }
}
