import Glibc
import PluginAPI
import PluginText

/// Commands about sensors that do not touch their lock.
enum SensorCommands {
  static let all = [check, CertificateCommand.command, list, forget]

  /// The parameter that selects a sensor.
  static let address = Argument(
    "uri", String.self, "Address of the sensor, such as 'http://host:8000/Service'"
  ).completedByRecent()

  private static let wantedModality = Option("modality", String.self, "Modality to check for")
  private static let wantedSubmodality = Option("submodality", String.self, "Submodality to check for")

  static let check = WSABICommand(
    CommandDescription(
      "sensor check", "Show what a sensor is and what it can capture",
      output: .model(CheckedSensor.self), effects: [.network]
    ).taking([address, wantedModality, wantedSubmodality] + SensorTrustOptions.all).explained(
      "The exit status is 0 even without a response. The command begins no session, takes no lock and stores nothing.",
      examples: [
        .init("sensor check http://127.0.0.1:8000/sensor/1", "All information of a sensor"),
        .init("sensor check camera.local:8080 --submodality LeftIris --json", "Check that it can capture left irises"),
      ])
  ) { call, station in
    let connection = try station.connection(call)
    let address = connection.address
    let wanted = try ItemSetting(call: call).checkedChoice()
    let stopwatch = Stopwatch()
    let checked: CheckedSensor
    do throws(SensorFault) {
      let information = try await connection.serviceInformation(deadlineInSeconds: 10)
      checked = CheckedSensor(address, wanted: wanted, .success(information), latency: stopwatch.milliseconds)
    } catch {
      checked = CheckedSensor(address, wanted: wanted, .failure(error), latency: nil)
    }
    try? await call.emit(checked)
    try Task.checkCancellation()
  }
}

/// The time since its creation.
struct Stopwatch: Sendable {
  private let start = Stopwatch.now()

  var milliseconds: Double { Self.now() - start }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return (Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)) / 1e6
  }
}

// MARK: - Recent sensors

extension CommandInput {
  /// Returns the input completed with the addresses of the sensors that were used last.
  func completedByRecent() -> Self { completed(by: "sensor list", column: "address", summaryColumn: "name") }
}

extension SensorCommands {
  private static let modality = Option("modality", String.self, "Only sensors of this modality")
  private static let sensor = Argument("sensor", String.self, "Name or address of the sensor").completedByRecent()

  static let list = WSABICommand(
    CommandDescription(
      "sensor list", "List recently used sensors",
      output: .list(of: RecentSensor.self)
    ).taking(modality, StationKey.option).explained(
      "Lists the most recent sensor of each modality first.",
      examples: [.init("sensor list --modality iris", "Iris cameras")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let wanted = try ItemSetting(call: call).modality
    var sensors: [RecentSensor] = []
    for modality in Modality.allCases where wanted == nil || wanted == modality {
      let devices = try await records.recentSensors(for: modality, limit: 64)
      sensors += devices.map { RecentSensor(modality: modality, device: $0) }
    }
    try await call.emit(list: sensors)
  }

  static let forget = WSABICommand(
    CommandDescription(
      "sensor forget", "Remove a sensor from the recent sensors",
      output: .model(ForgottenSensors.self), effects: [.reads, .writes]
    ).taking(sensor, modality, StationKey.option).explained(
      "Items that use the sensor keep it.", examples: [.init("sensor forget 'old scanner'", "By name")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let (wanted, word) = (try ItemSetting(call: call).modality, call[sensor])
    let address = (try? SensorAddress(parsing: word))?.text
    var count = 0
    for modality in Modality.allCases where wanted == nil || wanted == modality {
      for device in try await records.recentSensors(for: modality, limit: 64)
      where device.name == word || device.address == address {
        try await records.forgetSensor(device, for: modality)
        count += 1
      }
    }
    if count == 0 { throw StationError.noSensor(word) }
    try await call.emit(ForgottenSensors(count: count))
  }
}

extension CheckedSensor {
  /// Creates the result of a check.
  ///
  /// - Parameter latency: The time to the response, in milliseconds; nil without one.
  fileprivate init(
    _ address: SensorAddress, wanted: Walkthrough.Choice, _ result: Result<ServiceInformation, SensorFault>,
    latency: Double?
  ) {
    let information = try? result.get()
    let judgement = Self.judgement(of: information, wanted)
    self.init(
      address: address.text, isReachable: information != nil, modality: Self.text("modality", information),
      submodality: Self.text("submodality", information),
      isSupported: wanted.modality == nil ? nil : judgement == .successful,
      message: Self.isDistrusted(result) ? "The sensor at this address is not trusted." : judgement.text,
      namespace: information?.namespace.rawValue,
      parameters: information?.parameters.items.map { SensorKey(key: $0.key, content: $0.value) } ?? [],
      latency: latency, problem: Self.problem(result))
  }

  private static func problem(_ result: Result<ServiceInformation, SensorFault>) -> String? {
    if case .failure(let fault) = result { fault.report.description } else { nil }
  }

  /// Returns true if the host was reached, but not asked because of its key.
  private static func isDistrusted(_ result: Result<ServiceInformation, SensorFault>) -> Bool {
    guard case .failure(let fault) = result else { return false }
    if case .notTrusted = fault.kind { return true }
    return fault.kind == .otherKey
  }

  private static func text(_ key: String, _ information: ServiceInformation?) -> String? {
    let values = information.map { SensorCheck.values(of: key, $0) } ?? []
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  private static func judgement(of information: ServiceInformation?, _ wanted: Walkthrough.Choice) -> SensorCheck {
    guard let information else { return .notFound }
    guard let modality = wanted.modality else { return .successful }
    guard let submodality = wanted.submodality else {
      return information.offers(modality) ? .successful : .badModality(modality)
    }
    return SensorCheck.judging(information, modality, submodality)
  }
}

/// A sensor that was used last for a modality.
private struct RecentSensor: Model {
  let modality: Modality
  let device: DeviceDefinition

  static let typeName = "wsabi.recent-sensor"
  static let fields = Fields<RecentSensor> {
    Field("modality", \.modality.title, "Modality")
    Field("name", \.device.name, "Name of the sensor")
    Field("address", \.device.address, "Address of the sensor")
    Field("configuration", \.device.configuration, "Settings of the sensor")
    Field("edited", \.device.edited, "Time of the set-up")
  }
}

/// The number of recent sensors that were removed.
private struct ForgottenSensors: Model {
  let count: Int

  static let typeName = "wsabi.forgotten-sensors"
  static let fields = Fields<ForgottenSensors> { Field("forgotten", \.count, "Number of entries removed") }
}

/// The command that searches for sensors.
enum DiscoverCommand {
  private static let seconds = Option(
    "seconds", in: 1...60, "Time to wait for responses", unit: "second", default: 3)
  private static let count = Option(
    "count", Int.self, kind: .integer(minimum: 1, maximum: 1000), "Stop after this number of sensors")
  private static let interface = Option(
    "interface", String.self, "Network interface to search, such as 'eth0'; all active ones if omitted")
  private static let port = Option(
    "port", in: 1...65_535, "Port for multicast DNS", default: DiscoverySockets.usualPort)

  static let command = WSABICommand(
    CommandDescription(
      "sensor discover", "Find sensors on the local network, and cameras of this machine",
      output: .list(of: DiscoveredSensor.self, typeName: WSABIValueType.discovered), effects: [.network]
    ).taking(seconds, count, interface, port).explained(
      """
      Sends one query by DNS-SD over multicast DNS to each network of this machine; at other times nothing is sent. \
      Responses are not authenticated; 'sensor check' contacts the sensor itself. The setting 'discovery-type' names \
      the service type. Only addresses on the network of the response are listed.
      """,
      examples: [
        .init("sensor discover", "All sensors that respond within three seconds"),
        .init("sensor discover --interface lo --count 3 --json", "The first three of 'simulate --announce'"),
      ])
  ) { call, station in
    let finding = SensorFinding(
      interface: call[interface], port: call[port], deadlineInSeconds: call[seconds], count: call[count])
    call.report(Progress("searching for sensors"))
    let outcome = try await finding.outcome(call.context, station.cameras)
    if outcome.isCut {
      call.warn(
        Diagnostic(
          .warning, code: "wsabi.more-sensors",
          "more than \(DiscoveryBook.mostInstances) sensors responded on a network",
          advice: "the list is incomplete; type the address of a sensor that is missing"))
    }
    try await call.emit(list: outcome.sensors, typeName: WSABIValueType.discovered)
  }
}

/// Sensors that are found without their address: those that announce themselves, and the cameras of this machine.
struct SensorFinding: Sendable {
  /// The only interface that is queried; nil for all that are up.
  var interface: String?
  var port = DiscoverySockets.usualPort
  var deadlineInSeconds = 3
  /// The number of sensors that suffices; nil for all that respond in time.
  var count: Int?

  /// Runs the search; cameras come first, as they are known at once.
  ///
  /// - Throws: ``DiscoveryError``, unless there are cameras.
  func outcome(_ context: any PluginContext, _ cameras: LocalCameras) async throws -> SensorDiscovery.Outcome {
    let near = interface == nil ? cameras.found(context) : []
    var request = SensorDiscovery.Request(type: try Self.type(context))
    request.deadlineInMilliseconds = 1000 * deadlineInSeconds
    request.count = count.map { max(0, $0 - near.count) }
    let (interface, port) = (interface, port)
    do {
      if context.isOffline { throw DiscoveryError.offline }
      var outcome = try await SensorDiscovery(request: request).outcome { () throws(DiscoveryError) in
        try DiscoverySockets(interface: interface, port: port)
      }
      let all = near + outcome.sensors
      outcome.sensors = Array(all.prefix(count ?? all.count))
      return outcome
    } catch let error as DiscoveryError {
      if near.isEmpty { throw error }
      return SensorDiscovery.Outcome(sensors: near)
    }
  }

  /// Returns the sensors that may capture a modality.
  ///
  /// - Throws: ``DiscoveryError``, unless there are cameras.
  func sensors(
    for modality: Modality, _ context: any PluginContext, _ cameras: LocalCameras
  ) async throws -> [DiscoveredSensor] {
    try await outcome(context, cameras).sensors.filter { $0.mayCapture(modality) }
  }

  /// Returns the service type to search for.
  ///
  /// - Throws: ``DiscoveryError/badType(_:)``.
  static func type(_ context: any PluginContext) throws(DiscoveryError) -> DiscoveryType {
    let text = context[WSABISettings.discoveryType]
    guard let type = DiscoveryType(text) else { throw .badType(text) }
    return type
  }
}

/// Options that identify a sensor over HTTPS.
struct SensorTrustOptions: Sendable {
  let call: CommandCall

  private static let pins = Option(
    "pin", list: String.self,
    "Pin: hash of the sensor's key, as 'sensor certificate' shows it; an empty text removes all pins")
  /// The option for those who sign certificates of sensors.
  static let authorities = Option(
    "authorities", String.self,
    "PEM file with the authorities for the sensor's certificate; the system's if empty")
  private static let clientCertificate = Option(
    "client-certificate", String.self, "PEM file with the client certificate to present to the sensor")
  private static let clientKey = Option(
    "client-key", String.self, "PEM file with the private key of the client certificate, without a password")

  static let all: [any CommandInput] = [pins, authorities, clientCertificate, clientKey]

  /// Returns the trust that the options describe, on top of the previous one.
  ///
  /// - Throws: ``AddressError`` for a malformed pin, or a file that cannot be read.
  func trust(over old: SensorTrust = SensorTrust()) throws(AddressError) -> SensorTrust {
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
    try SensorAddress(parsing: call[SensorCommands.address], trusting: try trust())
  }
}

extension Station {
  /// Returns a connection to the sensor that a call names, and warns if others can read it.
  func connection(_ call: CommandCall) throws(AddressError) -> SensorConnection {
    let address = try SensorTrustOptions(call: call).address()
    address.warnIfUnprotected(call)
    return connection(address, call.context)
  }
}

extension SensorAddress {
  /// Warns if third parties on the network can read the requests to the sensor and its captures.
  func warnIfUnprotected(_ call: CommandCall) {
    guard isUnprotected else { return }
    call.warn(
      Diagnostic(
        .warning, code: "wsabi.sensor-unprotected",
        "the connection to '\(SanitizedText.line(host, limit: 2000))' is not encrypted: others on the network can read and change captures",
        advice: "use 'https://…' if the sensor supports it, or a separate network"))
  }
}

/// The command that shows the certificate by which a sensor can be identified.
private enum CertificateCommand {
  static let command = WSABICommand(
    CommandDescription(
      "sensor certificate", "Show the certificate of a sensor and the pin of its key",
      output: .model(ShownCertificate.self), effects: [.network]
    ).taking(SensorCommands.address, SensorTrustOptions.authorities).explained(
      """
      Only the TLS handshake is sent. Compare the pin with the one from the sensor's maker or administrator. Then give \
      it to '--pin' of 'item add' or 'sensor setup': only a sensor with this key is accepted from then on.
      """,
      examples: [.init("sensor certificate https://192.168.20.7:8443", "Before you trust a sensor for the first time")]
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
    Field("address", \.address.text, "Address of the sensor")
    Field("pin", \.certificate.pin, "Hash of the key, as for '--pin'")
    Field("isTrusted", { $0.certificate.problem == nil }, "True if trusted without a pin")
    Field("problem", \.certificate.problem, "Reason why it is not trusted")
    Field("subject", \.certificate.subject, "Subject of the certificate")
    Field("issuer", \.certificate.issuer, "Issuer of the certificate")
    Field("validFrom", \.certificate.validFrom, "Start of its validity")
    Field("validUntil", \.certificate.validUntil, "End of its validity")
  }
}
