/// A sensor's certificate over HTTPS, before it is trusted.
struct SensorCertificate: Sendable, Hashable {
  /// The hash of its key, as ``SensorTrust/pins`` has it.
  var pin: String
  /// Whom it is for, and who signed it.
  var subject: String
  var issuer: String
  /// From when and until when it holds, in the words of the library.
  var validFrom: String
  var validUntil: String
  /// The reason the certificate is not trusted without a pin; nil if it is.
  var problem: String?
}
