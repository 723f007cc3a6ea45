/// The status with which a service ends an operation.
///
/// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), section 3.11 (`Status`).
enum OperationStatus: Sendable, Hashable {
  case success
  case failure
  case invalidID
  case canceled
  case canceledWithSensorFailure
  case sensorFailure
  case lockNotHeld
  case lockHeldByAnother
  case initializationNeeded
  case configurationNeeded
  case sensorBusy
  case sensorTimeout
  case unsupported
  case badValue
  case noSuchParameter
  case preparingDownload
  /// A word that the standard does not define, unchanged; it counts as a failure.
  case unknown(String)

  /// The statuses of the standard, in its order.
  static let standard: [OperationStatus] = [
    .success, .failure, .invalidID, .canceled, .canceledWithSensorFailure, .sensorFailure, .lockNotHeld,
    .lockHeldByAnother, .initializationNeeded, .configurationNeeded, .sensorBusy, .sensorTimeout, .unsupported,
    .badValue, .noSuchParameter, .preparingDownload,
  ]

  /// The word of the standard.
  var word: String {
    switch self {
    case .success: "success"
    case .failure: "failure"
    case .invalidID: "invalidId"
    case .canceled: "canceled"
    case .canceledWithSensorFailure: "canceledWithSensorFailure"
    case .sensorFailure: "sensorFailure"
    case .lockNotHeld: "lockNotHeld"
    case .lockHeldByAnother: "lockHeldByAnother"
    case .initializationNeeded: "initializationNeeded"
    case .configurationNeeded: "configurationNeeded"
    case .sensorBusy: "sensorBusy"
    case .sensorTimeout: "sensorTimeout"
    case .unsupported: "unsupported"
    case .badValue: "badValue"
    case .noSuchParameter: "noSuchParameter"
    case .preparingDownload: "preparingDownload"
    case .unknown(let word): word
    }
  }

  /// The word for the audit log, which never contains a service's own text.
  var auditWord: String {
    if case .unknown = self { "a status nobody knows" } else { word }
  }

  /// Creates a status from its word, ignoring case.
  ///
  /// Both of NIST's schemas and its Java service write `noSuchParamter`.
  init(word: String) {
    let lowered = word.lowercased()
    if lowered == "nosuchparamter" {
      self = .noSuchParameter
    } else {
      self = Self.standard.first { $0.word.lowercased() == lowered } ?? .unknown(word)
    }
  }
}
