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
    default: false
    }
  }

  /// True if the response carries the data of a capture.
  var bringsData: Bool {
    switch self {
    case .download, .thriftyDownload, .rawDownload: true
    default: false
    }
  }

  /// True if the operation is idempotent.
  ///
  /// A capture never is: the second is another act on a person. A registration creates another session.
  var isRepeatable: Bool {
    switch self {
    case .register, .capture, .beginCapture, .endCapture: false
    default: true
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
    default: true
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
