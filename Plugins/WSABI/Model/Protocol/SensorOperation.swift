import PluginText

/// An operation of a service.
///
/// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), section 6; the asynchronous captures and the status of the
///   sensor as NIST's Java service has them; `rawDownload` is that service's own.
enum SensorOperation: String, CaseIterable, Sendable {
  case register
  case unregister
  case tryLock
  case stealLock
  case unlock
  case getServiceInfo
  case initialize
  case uninitialize
  case getConfiguration
  case setConfiguration
  case capture
  case beginCapture
  case endCapture
  case getSensorStatus
  case download
  case getDownloadInfo
  case thriftyDownload
  case rawDownload
  case cancel
  case stream

  /// The method by HTTP.
  var method: String {
    switch self {
    case .register, .tryLock, .initialize, .setConfiguration, .capture, .beginCapture, .cancel: "POST"
    case .stealLock, .endCapture: "PUT"
    case .unregister, .unlock, .uninitialize: "DELETE"
    case .getServiceInfo, .getConfiguration, .getSensorStatus, .download, .getDownloadInfo, .thriftyDownload,
      .rawDownload, .stream:
      "GET"
    }
  }

  /// True if the sensor itself does the work: the operation takes time, needs the lock, and can be canceled.
  var isOfSensor: Bool {
    switch self {
    case .initialize, .uninitialize, .getConfiguration, .setConfiguration, .capture, .beginCapture, .endCapture: true
    case .register, .unregister, .tryLock, .stealLock, .unlock, .getServiceInfo, .getSensorStatus, .download,
      .getDownloadInfo, .thriftyDownload, .rawDownload, .cancel, .stream:
      false
    }
  }

  /// True if the response carries the data of a capture.
  var bringsData: Bool { [.download, .thriftyDownload, .rawDownload].contains(self) }

  /// True if the operation is idempotent.
  ///
  /// A capture never is: the second is another act on a person. A registration creates another session.
  var isRepeatable: Bool {
    switch self {
    case .register, .capture, .beginCapture, .endCapture: false
    case .unregister, .tryLock, .stealLock, .unlock, .getServiceInfo, .initialize, .uninitialize, .getConfiguration,
      .setConfiguration, .getSensorStatus, .download, .getDownloadInfo, .thriftyDownload, .rawDownload, .cancel,
      .stream:
      true
    }
  }

  /// True if it prepares a sensor, so that repeating it after a failure does no harm.
  var isPreparation: Bool { [.tryLock, .initialize, .setConfiguration].contains(self) }

  /// True if the request names a session.
  var needsSession: Bool {
    switch self {
    case .register, .getServiceInfo, .getSensorStatus, .download, .getDownloadInfo, .thriftyDownload, .rawDownload,
      .stream:
      false
    case .unregister, .tryLock, .stealLock, .unlock, .initialize, .uninitialize, .getConfiguration, .setConfiguration,
      .capture, .beginCapture, .endCapture, .cancel:
      true
    }
  }

  /// True if the session must hold the lock.
  var needsLock: Bool { isOfSensor || self == .cancel }

  /// The operation's name for people, as in "the sensor did not answer to 'set configuration'".
  var words: String {
    switch self {
    case .register: "register"
    case .unregister: "unregister"
    case .tryLock: "lock"
    case .stealLock: "steal lock"
    case .unlock: "unlock"
    case .getServiceInfo: "service information"
    case .initialize: "initialize"
    case .uninitialize: "uninitialize"
    case .getConfiguration: "get configuration"
    case .setConfiguration: "set configuration"
    case .capture: "capture"
    case .beginCapture: "begin capture"
    case .endCapture: "end capture"
    case .getSensorStatus: "sensor status"
    case .download: "download"
    case .getDownloadInfo: "download information"
    case .thriftyDownload: "thrifty download"
    case .rawDownload: "raw download"
    case .cancel: "cancel"
    case .stream: "stream"
    }
  }
}

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
    if case .unknown = self { "an unknown status" } else { word }
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

/// A service's response, without the sensor's data.
///
/// The data goes directly to its destination while it arrives (see the client); here it is represented by its size and
/// hash.
struct SensorAnswer: Sendable, Hashable {
  var status: OperationStatus
  /// The faulty parts of the request: parameters of the address or keys of the configuration.
  var badFields: [String] = []
  /// Distinct ids, in the order of the response.
  var captureIDs: [SensorUUID] = []
  var metadata: WireDictionary?
  var message = ""
  var sessionID: SensorUUID?
  /// The content of the element `contentType`, which old services send.
  var contentType: String?
  /// The received data, if any.
  var data: SensorData?
  /// The namespace the service writes.
  var namespace: ProtocolNamespace
  /// Irregularities that are not severe enough to reject the response.
  var oddities: [String] = []
}

/// Size and hash of data that a sensor delivered.
struct SensorData: Sendable, Hashable {
  var sizeInBytes: Int
  /// 32 bytes, of the decoded data, taken while it arrived.
  var sha256: [UInt8]
}

/// The id of a session or of captured data: a UUID, kept as the service wrote it.
///
/// Two ids are compared ignoring case. Only such ids become part of an address.
struct SensorUUID: Sendable {
  /// The id as received: 8-4-4-4-12 hexadecimal digits of either case.
  let text: String

  /// Creates an id from a text in the form of a UUID, ignoring surrounding blanks; nil for any other text.
  init?(_ text: String) {
    let bytes = Array(text.trimmed().utf8)
    guard bytes.count == 36 else { return nil }
    for (index, byte) in bytes.enumerated() {
      switch index {
      case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return nil }
      default: guard Self.isDigit(byte) else { return nil }
      }
    }
    self.text = String(decoding: bytes, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { Hexadecimal.value(byte) != nil }

  /// The spelling by which it is compared and filed.
  var key: String { text.lowercased() }
}

extension SensorUUID: Hashable, CustomStringConvertible {
  static func == (left: SensorUUID, right: SensorUUID) -> Bool { left.key == right.key }

  func hash(into hasher: inout Hasher) { hasher.combine(key) }

  var description: String { text }
}
