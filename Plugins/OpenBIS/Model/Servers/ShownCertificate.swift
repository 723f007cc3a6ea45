/// The certificate a server shows before anything is sent to it.
struct ShownCertificate: Sendable, Hashable {
  /// The SHA-256 of its public key, in Base64.
  var pin: String
  /// Whom it is for.
  var subject: String
  /// Who signed it.
  var issuer: String
  /// Until when it holds.
  var validUntil: String
  /// Why it is not trusted without a word of the user; nil if it is.
  var problem: String?
}
