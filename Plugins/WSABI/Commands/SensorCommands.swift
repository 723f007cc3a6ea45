import Glibc
import PluginAPI

/// Commands about sensors that do not touch their lock.
enum SensorCommands {
  static let all = [check, CertificateCommand.command, list, forget]

  /// The parameter that selects a sensor.
  static let address = Parameter(
    "uri", .text, "the sensor's address, such as 'http://host:8000/Service'", isRequired: true
  ).completedByRecent()

  private static let parameterFields: [ValueSchema.Field] = [
    .init("name", .text, "the key"), .init("type", .text, "the type of its values"),
    .init("isReadOnly", .bool, "whether it cannot be set"), .init("value", .text, "what it is unless it is set"),
    .init("allowed", .list(.text), "what it may be; empty for anything"),
  ]

  private static let checkFields: [ValueSchema.Field] = [
    .init("address", .text, "the address in its one spelling"),
    .init("reachable", .bool, "whether a service of WS-BD answers there"),
    .init("modality", .optional(.text), "what it captures, in its own words"),
    .init("submodality", .optional(.text), "in which ways, in its own words"),
    .init("supported", .optional(.bool), "whether it can capture what was asked for; null if nothing was"),
    .init("message", .text, "the state in words"), .init("namespace", .optional(.text), "the namespace it writes"),
    .init("parameters", .list(.record(parameterFields)), "what it tells of itself"),
    .init("latencyMilliseconds", .optional(.number), "the time to its answer"),
    .init("problem", .optional(.text), "why it is not reachable"),
  ]

  static let check = WSABICommand(
    CommandDescription(
      "sensor check", "asks a sensor what it is and what it can capture",
      output: .init(.record(checkFields), typeName: WSABIValueType.sensorCheck), effects: [.network]
    ).taking(
      [address],
      options: [
        Parameter("modality", .text, "what it shall capture"), Parameter("submodality", .text, "and in which way"),
      ] + SensorTrustOptions.all
    ).explained(
      "The status is 0 also if nobody answers. No session is begun, no lock taken, and nothing stored.",
      examples: [
        .init("sensor check http://127.0.0.1:8000/sensor/1", "all it tells of itself"),
        .init("sensor check camera.local:8080 --submodality LeftIris --json", "whether it can capture left irises"),
      ])
  ) { call, station in
    let address = try SensorTrustOptions(call: call).address(call.text("uri"))
    address.warnIfUnprotected(call)
    let wanted = try ItemSetting(call: call).taken()
    let connection = station.connection(address, call.context)
    let start = milliseconds()
    do throws(SensorFault) {
      let information = try await connection.serviceInformation(deadlineInSeconds: 10)
      try? await call.emit(value(address, information, wanted, milliseconds() - start))
    } catch {
      try? await call.emit(unreachable(address, error, wanted))
    }
    try Task.checkCancellation()
  }

  private static func value(
    _ address: SensorAddress, _ information: ServiceInformation, _ wanted: Walkthrough.Choice, _ latency: Double
  ) -> Value {
    let (text, isSupported) = judgement(information, wanted)
    let record: Value = [
      "address": .text(address.text), "reachable": true, "modality": words("modality", information),
      "submodality": words("submodality", information), "supported": isSupported.map(Value.bool) ?? .null,
      "message": .text(text), "namespace": .text(information.namespace.rawValue),
      "parameters": .list(information.parameters.items.map { parameter($0.key, $0.value) }),
      "latencyMilliseconds": .number(latency), "problem": .null,
    ]
    return record.typed(WSABIValueType.sensorCheck)
  }

  private static func words(_ key: String, _ information: ServiceInformation) -> Value {
    let words = SensorCheck.words(of: key, information)
    return words.isEmpty ? .null : .text(words.joined(separator: ", "))
  }

  private static func judgement(
    _ information: ServiceInformation, _ wanted: Walkthrough.Choice
  ) -> (String, Bool?) {
    guard let modality = wanted.modality else { return (SensorCheck.successful.text, nil) }
    guard let submodality = wanted.submodality else {
      let isAble = information.offers(modality)
      return ((isAble ? SensorCheck.successful : .badModality(modality)).text, isAble)
    }
    let check = SensorCheck.judging(information, modality, submodality)
    return (check.text, check == .successful)
  }

  private static func unreachable(
    _ address: SensorAddress, _ fault: SensorFault, _ wanted: Walkthrough.Choice
  ) -> Value {
    let record: Value = [
      "address": .text(address.text), "reachable": false, "modality": .null, "submodality": .null,
      "supported": wanted.modality == nil ? .null : false, "message": .text(SensorCheck.notFound.text),
      "namespace": .null, "parameters": [], "latencyMilliseconds": .null, "problem": .text(fault.report.message),
    ]
    return record.typed(WSABIValueType.sensorCheck)
  }

  private static func parameter(_ key: String, _ value: WireValue) -> Value {
    guard case .parameter(let parameter) = value else {
      return ["name": .text(key), "type": "", "isReadOnly": true, "value": .text(value.shownText), "allowed": []]
    }
    return [
      "name": .text(key), "type": .text(parameter.type), "isReadOnly": .bool(parameter.isReadOnly),
      "value": .text(parameter.defaultValue.shownText),
      "allowed": .list(parameter.allowedValues.map { .text($0.shownText) }),
    ]
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
  private static let modality = Parameter("modality", .text, "only those of a modality")

  static let list = WSABICommand(
    CommandDescription(
      "sensor list", "lists the sensors that were used last",
      output: .init(
        .list(
          .record([
            .init("modality", .text, "what they capture"), .init("name", .text, "what the sensor is called"),
            .init("address", .text, "where it is"), .init("configuration", .map(.text), "how it was set"),
            .init("edited", .date, "when it was set up"),
          ])))
    ).taking(options: [modality, StationKey.option]).explained(
      "The newest of a modality comes first.", examples: [.init("sensor list --modality iris", "cameras for irises")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let wanted = try ItemSetting(call: call).modality
    var sensors: [Value] = []
    for modality in Modality.allCases where wanted == nil || wanted == modality {
      for device in try await records.recentSensors(for: modality, limit: 64) {
        sensors.append([
          "modality": .text(modality.title), "name": .text(device.name), "address": .text(device.address),
          "configuration": device.configuration.fieldValue, "edited": .date(device.edited),
        ])
      }
    }
    try await call.emit(.list(sensors))
  }

  static let forget = WSABICommand(
    CommandDescription(
      "sensor forget", "takes a sensor out of those that are offered",
      output: .init(.record([.init("forgotten", .integer, "how many entries went")])), effects: [.reads, .writes]
    ).taking(
      [Parameter("sensor", .text, "the sensor's name or address", isRequired: true).completedByRecent()],
      options: [modality, StationKey.option]
    ).explained("Items that have it keep it.", examples: [.init("sensor forget 'old scanner'", "by its name")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let (wanted, word) = (try ItemSetting(call: call).modality, call.text("sensor"))
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
    try await call.emit(["forgotten": .integer(count)])
  }
}
