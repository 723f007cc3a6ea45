import Glibc
import PluginAPI

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
    let wanted = try ItemSetting(call: call).taken()
    let connection = station.connection(address, call.context)
    let start = milliseconds()
    let checked: CheckedSensor
    do throws(SensorFault) {
      let information = try await connection.serviceInformation(deadlineInSeconds: 10)
      checked = CheckedSensor(
        address: address, wanted: wanted, answer: .success(information), latency: milliseconds() - start)
    } catch {
      checked = CheckedSensor(address: address, wanted: wanted, answer: .failure(error), latency: nil)
    }
    try? await call.emit(checked)
    try Task.checkCancellation()
  }

  /// Returns a monotonic time in milliseconds.
  static func milliseconds() -> Double {
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
