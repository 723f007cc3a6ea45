import PluginNet

/// A request to a service: an operation with its arguments.
struct SensorRequest: Sendable, Hashable {
  var operation: SensorOperation
  /// The requesting session, for operations that need one, and for streams restricted to the holder of the lock.
  var session: SensorUUID?
  /// The captured data, for the four kinds of download.
  var capture: SensorUUID?
  /// The largest size of a thrifty download, from 1; for pictures the longest edge in pixels.
  var maxSize: Int?
  /// The configuration for `setConfiguration`.
  var configuration: WireDictionary?
  /// The name of a stream.
  var stream: String?
  /// The time for all of it, repetitions included.
  var deadlineInSeconds: Double

  init(
    _ operation: SensorOperation, session: SensorUUID? = nil, capture: SensorUUID? = nil, maxSize: Int? = nil,
    configuration: WireDictionary? = nil, stream: String? = nil, deadlineInSeconds: Double = 30
  ) {
    self.operation = operation
    self.session = session
    self.capture = capture
    self.maxSize = maxSize
    self.configuration = configuration
    self.stream = stream
    self.deadlineInSeconds = deadlineInSeconds
  }
}

extension SensorRequest {
  /// Returns the path below the service's address, already percent-encoded where necessary.
  ///
  /// - Throws: The missing part.
  /// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), section 6; NIST's Java service for the asynchronous captures,
  ///   the status and the raw download.
  func path() throws(MissingPiece) -> String {
    switch operation {
    case .register: return "register"
    case .unregister: return "register/\(try sessionText)"
    case .tryLock, .stealLock, .unlock: return "lock/\(try sessionText)"
    case .getServiceInfo: return "info"
    case .initialize, .uninitialize: return "initialize/\(try sessionText)"
    case .getConfiguration, .setConfiguration: return "configure/\(try sessionText)"
    case .capture: return "capture/\(try sessionText)"
    case .beginCapture, .endCapture: return "capture/\(try sessionText)/async"
    case .getSensorStatus: return "status"
    case .download: return "download/\(try captureText)"
    case .getDownloadInfo: return "download/\(try captureText)/info"
    case .thriftyDownload: return "download/\(try captureText)/\(try sizeText)"
    case .rawDownload: return "download/\(try captureText)/raw"
    case .cancel: return "cancel/\(try sessionText)"
    case .stream: return try streamPath
    }
  }

  /// The missing part of a request.
  struct MissingPiece: Error, Equatable {
    let message: String
  }

  private var sessionText: String {
    get throws(MissingPiece) {
      guard let session else { throw MissingPiece(message: "it needs a session") }
      return session.text
    }
  }

  private var captureText: String {
    get throws(MissingPiece) {
      guard let capture else { throw MissingPiece(message: "it needs the id of captured data") }
      return capture.text
    }
  }

  private var sizeText: String {
    get throws(MissingPiece) {
      guard let maxSize, maxSize > 0 else { throw MissingPiece(message: "it needs a maximum size of at least 1") }
      return String(maxSize)
    }
  }

  private var streamPath: String {
    get throws(MissingPiece) {
      guard let stream, !stream.isEmpty, stream != ".", stream != ".." else {
        throw MissingPiece(message: "it needs the name of a stream")
      }
      return "stream/" + HTTPAddress.escaped(stream) + (session.map { "/" + $0.text } ?? "")
    }
  }
}

extension SensorAnswer {
  /// Returns the part that a successful response to an operation must have and this one lacks; nil if none.
  func missingPart(of operation: SensorOperation) -> String? {
    guard status == .success else { return nil }
    return switch operation {
    case .register: sessionID == nil ? "a session id" : nil
    case .capture, .endCapture: captureIDs.isEmpty ? "ids of captured data" : nil
    case .download, .thriftyDownload, .rawDownload: data == nil ? "data of the sensor" : nil
    case .getServiceInfo, .getConfiguration, .getDownloadInfo, .getSensorStatus: metadata == nil ? "metadata" : nil
    case .unregister, .tryLock, .stealLock, .unlock, .initialize, .uninitialize, .setConfiguration, .beginCapture,
      .cancel,
      .stream:
      nil
    }
  }
}
