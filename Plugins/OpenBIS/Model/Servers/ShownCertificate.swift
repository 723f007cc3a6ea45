/// The certificate that a server shows before anything is sent to it.
struct ShownCertificate: Sendable, Hashable {
  /// The SHA-256 of its public key, in Base64.
  var pin: String
  /// The subject of the certificate.
  var subject: String
  /// The issuer of the certificate.
  var issuer: String
  /// The end of its validity.
  var validUntil: String
  /// The reason why it is not trusted without the user's agreement; nil if it is.
  var problem: String?
}
