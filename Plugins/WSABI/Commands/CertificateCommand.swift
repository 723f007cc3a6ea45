import PluginAPI

/// The command that shows the certificate by which a sensor can be identified.
enum CertificateCommand {
  static let command = WSABICommand(
    CommandDescription(
      "sensor certificate", "shows the certificate of a sensor, and the pin of its key",
      output: .init(.record(fields)), effects: [.network]
    ).taking(
      [SensorCommands.address], options: SensorTrustOptions.all.filter { $0.name == "authorities" }
    ).explained(
      """
      Nothing but the handshake is sent. Compare the pin with what the sensor's maker or keeper says of it before you \
      give it to '--pin' of 'item add' or 'sensor setup': from then on nobody else is taken for this sensor.
      """,
      examples: [.init("sensor certificate https://192.168.20.7:8443", "before a sensor is trusted for the first time")]
    )
  ) { call, _ in
    let address = try SensorTrustOptions(call: call).address(call.text("uri"))
    let found = try await SensorAccess(call.context).certificate(address)
    try await call.emit([
      "address": .text(address.text), "pin": .text(found.pin), "isTrusted": .bool(found.problem == nil),
      "problem": .optional(found.problem), "subject": .text(found.subject), "issuer": .text(found.issuer),
      "validFrom": .text(found.validFrom), "validUntil": .text(found.validUntil),
    ])
  }

  private static let fields: [ValueSchema.Field] = [
    .init("address", .text, "the sensor"), .init("pin", .text, "the hash of its key, as '--pin' takes it"),
    .init("isTrusted", .bool, "whether it is trusted without a pin"),
    .init("problem", .optional(.text), "why it is not"), .init("subject", .text, "whom it is for"),
    .init("issuer", .text, "who signed it"), .init("validFrom", .text, "from when it holds"),
    .init("validUntil", .text, "until when it holds"),
  ]
}
