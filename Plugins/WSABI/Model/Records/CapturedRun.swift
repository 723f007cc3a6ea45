import PluginAPI
import PluginText

/// The result of a run of captures, as the command emits it.
struct CapturedRun: Model {
  let items: [CapturedItem]
  let steps: [CaptureStep]
  /// The total time.
  let milliseconds: Double

  private var failed: Int { items.count { $0.outcome != .stored } }

  static let typeName = WSABIValueType.captureRun
  static let fields = Fields<CapturedRun> {
    Field("captured", { $0.items.count - $0.failed }, "Number of items with data")
    Field("failed", \.failed, "Number of items without data, or with only a part of it")
    Field("milliseconds", \.milliseconds, "Total time")
    Field("items", \.items, "Result of each item")
    Field("steps", \.steps, "All protocol steps, in order")
  }
}

/// The result of the capture of one item.
struct CapturedItem: Model {
  let report: CaptureReport
  let item: BiometricItem
  let warnings: [CaptureWarning]
  let outcome: Outcome
  /// The error message; empty on success.
  let message: String
  /// The address of the sensor.
  let address: String
  let attempts: Int
  /// The time from the first step to the last byte.
  let milliseconds: Double

  /// The stored captures.
  var captures: [CapturedRecord] { report.records.map { CapturedRecord($0) } }

  static let typeName = "wsabi.captured-item"
  static let fields = Fields<CapturedItem> {
    Field("item", \.item.id, "Number of the item")
    Field("person", \.item.person, "Number of the person")
    Field("title", \.item.submodality.title, "Title of the submodality")
    Field("address", \.address, "Address of the sensor")
    Field(
      "warnings", \.warnings,
      "Warnings, such as an incomplete picture, another part of the body or a low quality")
    Field("outcome", \.outcome, "Outcome")
    Field("message", \.message, "Error message; empty on success")
    Field("captures", \.captures, "Stored captures")
    Field("lost", { MissingData.all($0.report.lost) }, "Ids of lost data")
    Field("waiting", { MissingData.all($0.report.waiting) }, "Ids of data still at the sensor")
    Field("refused", { MissingData.all($0.report.refused) }, "Ids that were not new, whose data was not stored")
    Field("attempts", \.attempts, "Number of attempts")
    Field("milliseconds", \.milliseconds, "Time from the first step to the last byte")
  }

  /// The outcome of a capture, as a word for scripts.
  enum Outcome: String, CaseIterable, ReadableField {
    case stored
    case notCaptured = "not-captured"
    case unknown
    case waiting
    case lost
    case partlyLost = "partly-lost"
    case canceled
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
      Field("captureId", \.id.text, "Capture id of the service")
      Field("reason", { SanitizedText.line($0.reason, limit: 300) }, "Reason")
    }
  }
}

/// A warning about a capture of an item.
struct CaptureWarning: Sendable, Hashable {
  /// The number of the item.
  var item: Int
  /// The code without its prefix `wsabi.`.
  var code: String
  var message: String
  /// True if the warning requires no action.
  var isNote = false

  /// The warning as a diagnostic beside a result.
  var diagnostic: Diagnostic {
    let message = "item \(item): \(SanitizedText.line(message, limit: 300))"
    return Diagnostic(isNote ? .note : .warning, code: "wsabi.\(code)", message)
  }
}

extension CaptureWarning: Model {
  static let typeName = "wsabi.capture-warning"
  static let fields = Fields<CaptureWarning> {
    Field("code", { "wsabi.\($0.code)" }, "Code, as in the list of errors")
    Field("message", { SanitizedText.line($0.message, limit: 300) }, "Message")
  }
}

/// A step of the protocol during a run of captures.
struct CaptureStep: Model {
  /// The time since the beginning.
  let milliseconds: Double
  let address: SensorAddress
  let operation: SensorOperation
  /// The response; nil for the request, or if there was no response.
  let status: OperationStatus?

  /// True for a response, false for a request.
  var isAnswer: Bool { status != nil }

  static let typeName = "wsabi.capture-step"
  static let fields = Fields<CaptureStep> {
    Field("milliseconds", \.milliseconds, "Time since the beginning")
    Field("address", \.address.text, "Address of the sensor")
    Field("operation", \.operation.rawValue, "Protocol operation")
    Field("status", \.status?.word, "Status of the response; null for a request, or without a response")
    Field("isAnswer", \.isAnswer, "True for a response, false for a request")
  }
}

/// An operation in progress at a sensor, or left by an earlier run.
struct ListedOperation: Model {
  /// The number in the journal; nil if not in the journal.
  var number: JournalNumber?
  var item: Int?
  var address: SensorAddress
  var stage: String
  /// The number of ids without data.
  var waiting = 0
  /// The start time, if this process started it.
  var began: Instant?

  static let typeName = "wsabi.operation"
  static let fields = Fields<ListedOperation> {
    Field("number", \.number?.value, "Number in the journal; null if not in the journal")
    Field("item", \.item, "Number of the item")
    Field("address", \.address.text, "Address of the sensor")
    Field("stage", \.stage, "Stage, as this process knows it")
    Field("waiting", \.waiting, "Number of ids without data")
    Field("began", \.began, "Start time, if this process started it")
  }
}
