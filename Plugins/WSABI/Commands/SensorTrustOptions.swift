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

/// The command that shows the certificate by which a sensor can be identified.
enum CertificateCommand {
  static let command = WSABICommand(
    CommandDescription(
      "sensor certificate", "shows the certificate of a sensor, and the pin of its key",
      output: .model(ShownCertificate.self), effects: [.network]
    ).taking(SensorCommands.address, SensorTrustOptions.authorities).explained(
      """
      Nothing but the handshake is sent. Compare the pin with what the sensor's maker or keeper says of it before you \
      give it to '--pin' of 'item add' or 'sensor setup': from then on nobody else is taken for this sensor.
      """,
      examples: [.init("sensor certificate https://192.168.20.7:8443", "before a sensor is trusted for the first time")]
    )
  ) { call, _ in
    let address = try SensorTrustOptions(call: call).address()
    let found = try await SensorAccess(call.context).certificate(address)
    try await call.emit(ShownCertificate(address: address, certificate: found))
  }
}

/// A sensor's certificate as the command emits it.
private struct ShownCertificate: Model {
  let address: SensorAddress
  let certificate: SensorCertificate

  static let typeName = "wsabi.certificate"
  static let fields = Fields<ShownCertificate> {
    Field("address", \.address.text, "the sensor")
    Field("pin", \.certificate.pin, "the hash of its key, as '--pin' takes it")
    Field("isTrusted", { $0.certificate.problem == nil }, "whether it is trusted without a pin")
    Field("problem", \.certificate.problem, "why it is not")
    Field("subject", \.certificate.subject, "whom it is for")
    Field("issuer", \.certificate.issuer, "who signed it")
    Field("validFrom", \.certificate.validFrom, "from when it holds")
    Field("validUntil", \.certificate.validUntil, "until when it holds")
  }
}
