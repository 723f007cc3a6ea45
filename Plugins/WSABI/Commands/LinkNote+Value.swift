import PluginAPI
import PluginText

extension LinkNote {
  /// The note for use outside the plugin: the event, the sensor and the item; never the content of a capture.
  var value: Value {
    switch self {
    case .connected(let address, let isReady): event("connected", at: address, ["isReady": .bool(isReady)])
    case .stepped(let address, let step, let status):
      event(
        "step", at: address,
        ["operation": .text(step.operation.rawValue), "status": .optional(status?.word)])
    case .capturing(let item, let address): event("capturing", item, address)
    case .waiting(let item, let address, let status, let milliseconds):
      event("waiting", item, address, ["status": .text(status.word), "milliseconds": .integer(milliseconds)])
    case .held(let address, let message): event("held", at: address, ["message": .text(message)])
    case .captured(let item, let address, let ids): event("captured", item, address, ["count": .integer(ids.count)])
    case .stored(let item, let record):
      Self.told("stored", ["item": .integer(item), "capture": .integer(record.id)])
    case .lost(let item, let address, _, let reason): event("lost", item, address, ["reason": .text(reason)])
    case .prepared(let item, let address, let outcome): event("prepared", item, address, Self.fields(outcome))
    case .ended(let item, let address, let outcome): event("ended", item, address, Self.fields(outcome))
    case .trouble(let item, let address, let reason): event("trouble", item, address, ["reason": .text(reason)])
    case .stolen(let address): event("stolen", at: address)
    case .leftLock(let address, let isGivenBack): event("left-lock", at: address, ["isGivenBack": .bool(isGivenBack)])
    }
  }

  private static func fields(_ outcome: SequenceOutcome) -> Record {
    [
      "outcome": .text(outcome.ending.word), "reason": .text(SanitizedText.line(outcome.ending.reason, limit: 300)),
      "status": .optional(outcome.ending.status?.word),
    ]
  }

  private func event(_ name: String, _ item: Int, _ address: SensorAddress, _ more: Record = [:]) -> Value {
    var record = more
    record["item"] = .integer(item)
    return event(name, at: address, record)
  }

  private func event(_ name: String, at address: SensorAddress, _ more: Record = [:]) -> Value {
    var record = more
    record["address"] = .text(address.text)
    return Self.told(name, record)
  }

  private static let events = [
    "connected", "step", "capturing", "waiting", "held", "captured", "stored", "lost", "prepared", "ended", "finished",
    "trouble", "stolen", "left-lock",
  ]

  private static let payloadFields: [ValueSchema.Field] = [
    .init("event", .choice(events), "what happened"),
    .init("item", .optional(.integer), "the number of the item it is about"),
    .init("address", .optional(.text), "the sensor"),
    .init("operation", .optional(.text), "what it was asked for"),
    .init("status", .optional(.text), "the word of the protocol it answered with"),
    .init("outcome", .optional(.text), "how it ended, by a word"),
    .init("reason", .optional(.text), "why, in words"),
    .init("message", .optional(.text), "what the service says to people"),
    .init("milliseconds", .optional(.integer), "how long it is waited for"),
    .init("count", .optional(.integer), "how many captures there are to be fetched"),
    .init("capture", .optional(.integer), "the store's number of the capture"),
    .init("isReady", .optional(.bool), "whether the sensor can capture now"),
    .init("isGivenBack", .optional(.bool), "whether a lock was given back"),
  ]

  /// The schema of sensor events.
  static let payload = ValueSchema.record(payloadFields)

  /// Returns an event of sensors with all fields; fields that the event does not have are null.
  static func told(_ event: String, _ said: Record) -> Value {
    var said = said
    said["event"] = .text(event)
    return .record(Record(payloadFields.map { .init($0.name, said[$0.name] ?? .null) }))
  }
}

extension SequenceOutcome.Ending {
  /// The status with which a service refused a step; nil for other endings.
  fileprivate var status: OperationStatus? {
    if case .refused(_, let status, _, _) = self { return status }
    return nil
  }

  /// The reason there is no captured data; empty if there is data, or nothing to report.
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
  /// A description of the refusal for people.
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
