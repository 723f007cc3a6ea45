/// What a sensor shows of itself over https before anybody trusts it.
struct SensorCertificate: Sendable, Hashable {
  /// The hash of its key, as ``SensorTrust/pins`` has it.
  var pin: String
  /// Whom it is for, and who signed it.
  var subject: String
  var issuer: String
  /// From when and until when it holds, in the words of the library.
  var validFrom: String
  var validUntil: String
  /// Why it is not trusted without a pin; nil if it is.
  var problem: String?
}
