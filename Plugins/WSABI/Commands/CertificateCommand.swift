import PluginAPI

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
