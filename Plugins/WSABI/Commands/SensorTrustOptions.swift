import PluginAPI
import PluginText

/// Options that identify a sensor over HTTPS.
struct SensorTrustOptions: Sendable {
  let call: CommandCall

  private static let pins = Option(
    "pin", list: String.self,
    "the hash of the sensor's key, as 'sensor certificate' shows it; an empty one takes all away")
  /// The option for those who sign certificates of sensors.
  static let authorities = Option(
    "authorities", String.self,
    "PEM file with those who may have signed the sensor's certificate; the system's if it is empty")
  private static let clientCertificate = Option(
    "client-certificate", String.self, "PEM file with the certificate to show to the sensor")
  private static let clientKey = Option(
    "client-key", String.self, "PEM file with that certificate's private key, without password")

  static let all: [any CommandInput] = [pins, authorities, clientCertificate, clientKey]

  /// Returns the trust that the options describe, on top of the previous one.
  ///
  /// - Throws: ``AddressError`` for a malformed pin, or a file that cannot be read.
  func said(over old: SensorTrust = SensorTrust()) throws(AddressError) -> SensorTrust {
    var trust = old
    let pins = call[Self.pins]
    if !pins.isEmpty {
      trust.pins = []
      for text in pins where !text.isEmpty {
        guard let pin = SensorTrust.pin(text) else { throw .pin }
        trust.pins.append(pin)
      }
    }
    try take(Self.authorities, into: &trust.authorities)
    try take(Self.clientCertificate, into: &trust.clientCertificate)
    try take(Self.clientKey, into: &trust.clientKey)
    return trust
  }

  private func take(_ option: Option<String?>, into path: inout String) throws(AddressError) {
    guard let text = call[option] else { return }
    path = text.isEmpty ? "" : try TrustFile.path(text)
  }

  /// Returns the address that the call names, with the trust that the options describe.
  func address() throws(AddressError) -> SensorAddress {
    try SensorAddress(parsing: call[SensorCommands.address], trusting: try said())
  }
}

extension SensorAddress {
  /// Warns if third parties on the network can read the requests to the sensor and its captures.
  func warnIfUnprotected(_ call: CommandCall) {
    guard isUnprotected else { return }
    call.warn(
      Diagnostic(
        .warning, code: "wsabi.sensor-unprotected",
        "the connection to '\(SanitizedText.line(host, limit: 2000))' is not encrypted: others on the way can read and change captures",
        advice: "use 'https://…' if the sensor has it, or a network of its own"))
  }
}
