/// A sensor's certificate over HTTPS, before it is trusted.
struct SensorCertificate: Sendable, Hashable {
  /// The hash of its key, in the form of ``SensorTrust/pins``.
  var pin: String
  /// The subject of the certificate, and its issuer.
  var subject: String
  var issuer: String
  /// The period of validity, as the library formats it.
  var validFrom: String
  var validUntil: String
  /// The reason the certificate is not trusted without a pin; nil if it is.
  var problem: String?
}
