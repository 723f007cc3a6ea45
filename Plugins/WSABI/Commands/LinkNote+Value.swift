import PluginAPI

extension LinkNote {
  /// The note for those outside the plugin: what happened, where, to which item; never what a capture holds.
  var value: Value {
    switch self {
    case .connected(let address, let isReady):
      .record(["event": "connected", "address": .text(address.text), "isReady": .bool(isReady)])
    case .stepped(let address, let step, let status):
      .record([
        "event": "step", "address": .text(address.text), "operation": .text(step.operation.rawValue),
        "status": status.map { .text($0.word) } ?? .null,
      ])
    case .capturing(let item, let address): event("capturing", item, address)
    case .waiting(let item, let address, let status, let milliseconds):
      event("waiting", item, address, ["status": .text(status.word), "milliseconds": .integer(milliseconds)])
    case .held(let address, let message):
      .record(["event": "held", "address": .text(address.text), "message": .text(message)])
    case .captured(let item, let address, let ids): event("captured", item, address, ["count": .integer(ids.count)])
    case .stored(let item, let record):
      .record(["event": "stored", "item": .integer(item), "capture": .integer(record.id)])
    case .lost(let item, let address, _, let reason): event("lost", item, address, ["reason": .text(reason)])
    case .prepared(let item, let address, let outcome): event("prepared", item, address, Self.fields(outcome))
    case .ended(let item, let address, let outcome): event("ended", item, address, Self.fields(outcome))
    case .trouble(let item, let address, let reason): event("trouble", item, address, ["reason": .text(reason)])
    case .stolen(let address): .record(["event": "stolen", "address": .text(address.text)])
    case .leftLock(let address, let isGivenBack):
      .record(["event": "left-lock", "address": .text(address.text), "isGivenBack": .bool(isGivenBack)])
    }
  }

  private static func fields(_ outcome: SequenceOutcome) -> Record {
    [
      "outcome": .text(outcome.ending.word), "reason": .text(ShownText.cleaned(outcome.ending.reason, limit: 300)),
      "status": .optional(outcome.ending.status?.word),
    ]
  }

  private func event(_ name: String, _ item: Int, _ address: SensorAddress, _ more: Record = [:]) -> Value {
    var record: Record = ["event": .text(name), "item": .integer(item), "address": .text(address.text)]
    for field in more.fields { record[field.name] = field.value }
    return .record(record)
  }
}

extension SequenceOutcome.Ending {
  /// The status with which a service refused a step; nil for other endings.
  fileprivate var status: OperationStatus? {
    if case .refused(_, let status, _, _) = self { return status }
    return nil
  }

  /// Why there is no captured data, in words; empty if there is, or nothing is to be said.
  var reason: String {
    switch self {
    case .done, .captured, .givenUp: ""
    case .refused(_, let status, let message, _):
      message.isEmpty ? status.saying : "\(status.saying): \(message)"
    case .failed(_, let reason), .unknown(let reason): reason
    }
  }

  /// A word for scripts: `done`, `captured`, `refused`, `failed`, `unknown`, `given-up`.
  var word: String {
    switch self {
    case .done: "done"
    case .captured: "captured"
    case .refused: "refused"
    case .failed: "failed"
    case .unknown: "unknown"
    case .givenUp: "given-up"
    }
  }
}

extension OperationStatus {
  /// What people read of a refusal.
  fileprivate var saying: String {
    switch self {
    case .sensorTimeout: "nobody came to the sensor in time"
    case .sensorFailure: "the sensor failed"
    case .canceledWithSensorFailure: "it was cancelled, and the sensor failed"
    case .sensorBusy: "the sensor is busy"
    case .lockHeldByAnother: "somebody else has the sensor"
    default: "the service says '\(word)'"
    }
  }
}
