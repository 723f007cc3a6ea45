import PluginAPI
import PluginText
import Synchronization

/// The values that capture commands return.
enum CaptureValue {
  private static let data: [ValueSchema.Field] = [
    .init("captureId", .text, "the id the service gave"), .init("reason", .text, "why"),
  ]

  private static let warning: [ValueSchema.Field] = [
    .init("code", .text, "as in the list of errors"), .init("message", .text, "what it is"),
  ]

  static let itemFields: [ValueSchema.Field] = [
    .init("item", .integer, "the item's number"), .init("person", .integer, "the person's number"),
    .init("title", .text, "what was to be captured"), .init("address", .text, "the sensor"),
    .init(
      "outcome", .choice(["stored", "not-captured", "unknown", "waiting", "lost", "partly-lost", "canceled"]),
      "how it ended"),
    .init("message", .text, "what is wrong; empty if nothing is"),
    .init("captures", [CapturedRecord].schema, "what is stored"),
    .init("lost", .list(.record(data)), "ids whose data cannot be had any more"),
    .init("waiting", .list(.record(data)), "ids whose data is at the service still"),
    .init("refused", .list(.record(data)), "ids that are not new, under which nothing was filed"),
    .init(
      "warnings", .list(.record(warning)),
      "what is to be said of it: a picture that is not whole, another part of the body, a low quality"),
    .init("attempts", .integer, "how often it was tried"),
    .init("milliseconds", .number, "from the first step to the last byte"),
  ]

  static let stepFields: [ValueSchema.Field] = [
    .init("milliseconds", .number, "since the beginning"), .init("address", .text, "the sensor"),
    .init("operation", .text, "the operation of the protocol"),
    .init("status", .optional(.text), "the answer; null where it was asked, or no answer came"),
    .init("isAnswer", .bool, "whether it tells of the answer"),
  ]

  static let fields: [ValueSchema.Field] = [
    .init("captured", .integer, "how many items have data now"),
    .init("failed", .integer, "how many have not, or not all"),
    .init("milliseconds", .number, "all of it"),
    .init("items", .list(.record(itemFields)), "what came of each"),
    .init("steps", .list(.record(stepFields)), "every step of the protocol, in order"),
  ]

  static func run(
    _ results: [CaptureRun.Result], _ warnings: [CaptureCheck.Warning], _ steps: [Value], milliseconds: Double
  ) -> Value {
    let failed = results.count { $0.problem != nil }
    let value: Value = [
      "captured": .integer(results.count - failed), "failed": .integer(failed), "milliseconds": .number(milliseconds),
      "items": .list(results.map { result in item(result, warnings.filter { $0.item == result.item.id }) }),
      "steps": .list(steps),
    ]
    return value.typed(WSABIValueType.captureRun)
  }

  private static func item(_ result: CaptureRun.Result, _ warnings: [CaptureCheck.Warning]) -> Value {
    item(
      result.report, result.item, warnings, address: result.item.device.address, attempts: result.attempts,
      milliseconds: result.milliseconds)
  }

  /// Returns a report as a value.
  static func item(
    _ report: CaptureReport, _ item: BiometricItem, _ warnings: [CaptureCheck.Warning], address: String, attempts: Int,
    milliseconds: Double
  ) -> Value {
    let problem = CaptureProblem(report, item: item.id)
    return [
      "item": .integer(item.id), "person": .integer(item.person), "title": .text(item.submodality.title),
      "address": .text(address), "warnings": .list(warnings.map(\.value)),
      "outcome": .text(problem?.word ?? "stored"), "message": .text(problem?.report.message ?? ""),
      "captures": report.records.map { CapturedRecord($0) }.fieldValue, "lost": ids(report.lost),
      "waiting": ids(report.waiting), "refused": ids(report.refused), "attempts": .integer(attempts),
      "milliseconds": .number(milliseconds),
    ]
  }

  private static func ids(_ reasons: [SensorUUID: String]) -> Value {
    .list(
      reasons.sorted { $0.key.key < $1.key.key }.map {
        ["captureId": .text($0.key.text), "reason": .text(SanitizedText.line($0.value, limit: 300))]
      })
  }
}

/// A collector of the steps of captures, which also reports them as progress.
final class StepTrace: Sendable {
  private let station: Station
  private let start = SensorCommands.milliseconds()
  private let state: Mutex<(steps: [Value], number: Int)> = Mutex(([], 0))

  /// - Parameter call: Receives each step as progress, which a trace of the host records.
  init(_ station: Station, _ call: CommandCall) {
    self.station = station
    let number = station.watch { [weak self] note in self?.take(note, call) }
    state.withLock { $0.number = number }
  }

  private func take(_ note: LinkNote, _ call: CommandCall) {
    guard case .stepped(let address, let step, let status) = note else {
      if let words = Self.words(note) { call.report(Progress(words)) }
      return
    }
    let value: Value = [
      "milliseconds": .number(SensorCommands.milliseconds() - start), "address": .text(address.text),
      "operation": .text(step.operation.rawValue), "status": .optional(status?.word),
      "isAnswer": .bool(status != nil),
    ]
    state.withLock { $0.steps.append(value) }
    call.report(Progress("\(address.text): \(step.operation.words)" + (status.map { " – \($0.word)" } ?? "")))
  }

  private static func words(_ note: LinkNote) -> String? {
    switch note {
    case .waiting(let item, _, let status, _): "item \(item) waits: \(status.word)"
    case .captured(let item, _, let ids): "item \(item) is captured; \(ids.count) to fetch"
    case .stored(let item, let record): "item \(item): \(record.sizeInBytes) bytes are stored"
    default: nil
    }
  }

  /// Ends it; the steps so far and the time since the beginning, in milliseconds.
  func end() -> (steps: [Value], milliseconds: Double) {
    let (steps, number) = state.withLock { $0 }
    station.unwatch(number)
    return (steps, SensorCommands.milliseconds() - start)
  }
}
