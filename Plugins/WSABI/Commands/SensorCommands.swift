import Glibc
import PluginAPI
import PluginText

/// Commands about sensors that do not touch their lock.
enum SensorCommands {
  static let all = [check, CertificateCommand.command, list, forget]

  /// The parameter that selects a sensor.
  static let address = Argument(
    "uri", String.self, "the sensor's address, such as 'http://host:8000/Service'"
  ).described { $0.completedByRecent() }

  private static let wantedModality = Option("modality", String.self, "what it shall capture")
  private static let wantedSubmodality = Option("submodality", String.self, "and in which way")

  static let check = WSABICommand(
    CommandDescription(
      "sensor check", "asks a sensor what it is and what it can capture",
      output: .model(CheckedSensor.self), effects: [.network]
    ).taking([address, wantedModality, wantedSubmodality] + SensorTrustOptions.all).explained(
      "The status is 0 also if nobody answers. No session is begun, no lock taken, and nothing stored.",
      examples: [
        .init("sensor check http://127.0.0.1:8000/sensor/1", "all it tells of itself"),
        .init("sensor check camera.local:8080 --submodality LeftIris --json", "whether it can capture left irises"),
      ])
  ) { call, station in
    let address = try SensorTrustOptions(call: call).address()
    address.warnIfUnprotected(call)
    let wanted = try ItemSetting(call: call).checkedChoice()
    let connection = station.connection(address, call.context)
    let stopwatch = Stopwatch()
    let checked: CheckedSensor
    do throws(SensorFault) {
      let information = try await connection.serviceInformation(deadlineInSeconds: 10)
      checked = CheckedSensor(
        address: address, wanted: wanted, answer: .success(information), latency: stopwatch.milliseconds)
    } catch {
      checked = CheckedSensor(address: address, wanted: wanted, answer: .failure(error), latency: nil)
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

extension Parameter {
  /// Returns the parameter completed with the addresses of the sensors that were used last.
  func completedByRecent() -> Parameter { completed(by: "sensor list", column: "address", summaryColumn: "name") }
}

extension SensorCommands {
  private static let modality = Option("modality", String.self, "only those of a modality")
  private static let sensor = Argument("sensor", String.self, "the sensor's name or address").described {
    $0.completedByRecent()
  }

  static let list = WSABICommand(
    CommandDescription(
      "sensor list", "lists the sensors that were used last",
      output: .list(of: RecentSensor.self)
    ).taking(modality, StationKey.option).explained(
      "The newest of a modality comes first.", examples: [.init("sensor list --modality iris", "cameras for irises")])
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
      "sensor forget", "takes a sensor out of those that are offered",
      output: .model(ForgottenSensors.self), effects: [.reads, .writes]
    ).taking(sensor, modality, StationKey.option).explained(
      "Items that have it keep it.", examples: [.init("sensor forget 'old scanner'", "by its name")])
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

/// The response of a sensor that was checked, or its absence.
private struct CheckedSensor: Model {
  let address: SensorAddress
  let wanted: Walkthrough.Choice
  let answer: Result<ServiceInformation, SensorFault>
  /// The time to the response, in milliseconds; nil without one.
  let latency: Double?

  static let typeName = WSABIValueType.sensorCheck
  static let fields = Fields<CheckedSensor> {
    Field("address", \.address.text, "the address in its one spelling")
    Field("reachable", { $0.information != nil }, "whether a service of WS-BD answers there")
    Field("modality", { $0.words("modality") }, "what it captures, in its own words")
    Field("submodality", { $0.words("submodality") }, "in which ways, in its own words")
    Field("supported", \.isSupported, "whether it can capture what was asked for; null if nothing was")
    Field("message", \.judgement.text, "the state in words")
    Field("namespace", \.information?.namespace.rawValue, "the namespace it writes")
    Field("parameters", \.keys, "what it tells of itself")
    Field("latencyMilliseconds", \.latency, "the time to its answer")
    Field("problem", \.problem, "why it is not reachable")
  }

  private var information: ServiceInformation? { try? answer.get() }

  private var keys: [SensorKey] {
    information?.parameters.items.map { SensorKey(key: $0.key, content: $0.value) } ?? []
  }

  private var problem: String? {
    if case .failure(let fault) = answer { fault.report.message } else { nil }
  }

  private func words(_ key: String) -> String? {
    let words = information.map { SensorCheck.words(of: key, $0) } ?? []
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  private var judgement: SensorCheck {
    guard let information else { return .notFound }
    guard let modality = wanted.modality else { return .successful }
    guard let submodality = wanted.submodality else {
      return information.offers(modality) ? .successful : .badModality(modality)
    }
    return SensorCheck.judging(information, modality, submodality)
  }

  private var isSupported: Bool? { wanted.modality == nil ? nil : judgement == .successful }
}

/// A key of a sensor's information.
private struct SensorKey: Model {
  let key: String
  let content: WireValue

  private var parameter: SensorParameter? {
    if case .parameter(let parameter) = content { parameter } else { nil }
  }

  static let typeName = "wsabi.sensor-key"
  static let fields = Fields<SensorKey> {
    Field("name", \.key, "the key")
    Field("type", { $0.parameter?.type ?? "" }, "the type of its values")
    Field("isReadOnly", { $0.parameter?.isReadOnly ?? true }, "whether it cannot be set")
    Field("value", \.content.shownText, "what it is unless it is set")
    Field("allowed", { $0.parameter?.allowedValues.map(\.shownText) ?? [] }, "what it may be; empty for anything")
  }
}

/// A sensor that was used last for a modality.
private struct RecentSensor: Model {
  let modality: Modality
  let device: DeviceDefinition

  static let typeName = "wsabi.recent-sensor"
  static let fields = Fields<RecentSensor> {
    Field("modality", \.modality.title, "what they capture")
    Field("name", \.device.name, "what the sensor is called")
    Field("address", \.device.address, "where it is")
    Field("configuration", \.device.configuration, "how it was set")
    Field("edited", \.device.edited, "when it was set up")
  }
}

/// The number of recent sensors that were removed.
private struct ForgottenSensors: Model {
  let count: Int

  static let typeName = "wsabi.forgotten-sensors"
  static let fields = Fields<ForgottenSensors> { Field("forgotten", \.count, "how many entries went") }
}

/// The command that searches for sensors.
enum DiscoverCommand {
  private static let seconds = Option(
    "seconds", in: 1...60, "how long answers are waited for", unit: "second", default: 3)
  private static let count = Option(
    "count", Int.self, kind: .integer(minimum: 1, maximum: 1000), "how many sensors are enough")
  private static let interface = Option(
    "interface", String.self, "the only interface that is asked, such as 'eth0'; all that are up else")
  private static let port = Option(
    "port", in: 1...65_535, "the port that is asked", default: DiscoverySockets.usualPort)

  static let command = WSABICommand(
    CommandDescription(
      "sensor discover", "looks for sensors on the local network, and for cameras of this machine",
      output: .list(of: DiscoveredSensor.self, typeName: WSABIValueType.discovered), effects: [.network]
    ).taking(seconds, count, interface, port).explained(
      """
      One question goes to all machines of each network this one is in, by DNS-SD over multicast DNS; nothing is asked \
      at any other time. What answers is not believed more than a typed address: 'sensor check' asks the sensor itself. \
      The type of services is the setting 'discovery-type'. An address is told only if it is on the network it was told \
      on.
      """,
      examples: [
        .init("sensor discover", "all that answer within three seconds"),
        .init("sensor discover --interface lo --count 3 --json", "the first three of 'simulate --announce'"),
      ])
  ) { call, station in
    let finding = SensorFinding(
      interface: call[interface], port: call[port], deadlineInSeconds: call[seconds], count: call[count])
    call.report(Progress("looking for sensors"))
    let outcome = try await finding.outcome(call.context, station.cameras)
    if outcome.isCut {
      call.warn(
        Diagnostic(
          .warning, code: "wsabi.more-sensors",
          "more than \(DiscoveryBook.mostInstances) sensors answered on a network",
          advice: "the others are left out; type the address of the one you want"))
    }
    try await call.emit(list: outcome.sensors, typeName: WSABIValueType.discovered)
  }
}

extension DiscoveredSensor: Model {
  static let typeName = "wsabi.discovered-sensor"
  static let fields = Fields<DiscoveredSensor> {
    Field("name", \.name, "what the sensor calls itself")
    Field("address", \.address, "where it is")
    Field("modality", \.modality, "what it says it captures, in its own words")
    Field("source", \.source.rawValue, "'network', or 'camera' for a camera of this machine")
    Field("interface", \.place, "the interface it was found on, or the camera's device")
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
    let text = context.setting(WSABISettings.discoveryType).text ?? DiscoveryType.usual
    guard let type = DiscoveryType(text) else { throw .badType(text) }
    return type
  }
}

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
private enum CertificateCommand {
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
