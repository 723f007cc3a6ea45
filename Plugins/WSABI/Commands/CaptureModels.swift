import PluginAPI
import PluginText
import Synchronization

/// The result of a run of captures, as the command emits it.
struct CapturedRun: Model {
  private let items: [CapturedItem]
  private let steps: [CaptureStep]
  private let milliseconds: Double

  init(
    _ results: [CaptureRun.Result], _ warnings: [CaptureCheck.Warning], _ steps: [CaptureStep], milliseconds: Double
  ) {
    items = results.map { result in
      CapturedItem(
        report: result.report, item: result.item, warnings: warnings.filter { $0.item == result.item.id },
        address: result.item.device.address, attempts: result.attempts, milliseconds: result.milliseconds)
    }
    (self.steps, self.milliseconds) = (steps, milliseconds)
  }

  private var failed: Int { items.count { $0.problem != nil } }

  static let typeName = WSABIValueType.captureRun
  static let fields = Fields<CapturedRun> {
    Field("captured", { $0.items.count - $0.failed }, "how many items have data now")
    Field("failed", \.failed, "how many have not, or not all")
    Field("milliseconds", \.milliseconds, "all of it")
    Field("items", \.items, "what came of each")
    Field("steps", \.steps, "every step of the protocol, in order")
  }
}

/// The result of the capture of one item.
struct CapturedItem: Model {
  let report: CaptureReport
  let item: BiometricItem
  let warnings: [CaptureCheck.Warning]
  let address: String
  let attempts: Int
  let milliseconds: Double

  fileprivate var problem: CaptureProblem? { CaptureProblem(report, item: item.id) }

  static let typeName = "wsabi.captured-item"
  static let fields = Fields<CapturedItem> {
    Field("item", \.item.id, "the item's number")
    Field("person", \.item.person, "the person's number")
    Field("title", \.item.submodality.title, "what was to be captured")
    Field("address", \.address, "the sensor")
    Field(
      "warnings", \.warnings,
      "what is to be said of it: a picture that is not whole, another part of the body, a low quality")
    Field("outcome", { $0.problem?.outcome ?? .stored }, "how it ended")
    Field("message", { $0.problem?.report.message ?? "" }, "what is wrong; empty if nothing is")
    Field("captures", { $0.report.records.map { CapturedRecord($0) } }, "what is stored")
    Field("lost", { MissingData.all($0.report.lost) }, "ids whose data cannot be had any more")
    Field("waiting", { MissingData.all($0.report.waiting) }, "ids whose data is at the service still")
    Field("refused", { MissingData.all($0.report.refused) }, "ids that are not new, under which nothing was filed")
    Field("attempts", \.attempts, "how often it was tried")
    Field("milliseconds", \.milliseconds, "from the first step to the last byte")
  }

  /// An id whose data is not stored, with the reason.
  private struct MissingData: Model {
    let id: SensorUUID
    let reason: String

    static func all(_ reasons: [SensorUUID: String]) -> [MissingData] {
      reasons.sorted { $0.key.key < $1.key.key }.map { MissingData(id: $0.key, reason: $0.value) }
    }

    static let typeName = "wsabi.missing-data"
    static let fields = Fields<MissingData> {
      Field("captureId", \.id.text, "the id the service gave")
      Field("reason", { SanitizedText.line($0.reason, limit: 300) }, "why")
    }
  }
}

extension CaptureCheck.Warning: Model {
  static let typeName = "wsabi.capture-warning"
  static let fields = Fields<CaptureCheck.Warning> {
    Field("code", { "wsabi.\($0.code)" }, "as in the list of errors")
    Field("message", { SanitizedText.line($0.words, limit: 300) }, "what it is")
  }
}

/// A step of the protocol during a run of captures.
struct CaptureStep: Model {
  let milliseconds: Double
  let address: SensorAddress
  let operation: SensorOperation
  /// The response; nil for the request, or if there was no response.
  let status: OperationStatus?

  static let typeName = "wsabi.capture-step"
  static let fields = Fields<CaptureStep> {
    Field("milliseconds", \.milliseconds, "since the beginning")
    Field("address", \.address.text, "the sensor")
    Field("operation", \.operation.rawValue, "the operation of the protocol")
    Field("status", \.status?.word, "the answer; null where it was asked, or no answer came")
    Field("isAnswer", { $0.status != nil }, "whether it tells of the answer")
  }
}

/// A collector of the steps of captures, which also reports them as progress.
final class StepTrace: Sendable {
  private let station: Station
  private let start = SensorCommands.milliseconds()
  private let state: Mutex<(steps: [CaptureStep], number: Int)> = Mutex(([], 0))

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
    let taken = CaptureStep(
      milliseconds: SensorCommands.milliseconds() - start, address: address, operation: step.operation, status: status)
    state.withLock { $0.steps.append(taken) }
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

  /// Ends it; returns the steps so far and the time since the beginning, in milliseconds.
  func end() -> (steps: [CaptureStep], milliseconds: Double) {
    let (steps, number) = state.withLock { $0 }
    station.unwatch(number)
    return (steps, SensorCommands.milliseconds() - start)
  }
}
