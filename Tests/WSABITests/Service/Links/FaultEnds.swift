@testable import WSABI
@testable import WSABISimulator

/// The end of a capture with a faulty sensor.
enum FaultEnd: String, Sendable {
  /// All that was captured is stored.
  case stored
  /// Data is still at the service, and left to the next start.
  case waiting
  /// The service no longer has the data.
  case lost
  /// The service refused.
  case refused
  /// There was no response, and no capture.
  case failed
  /// There was no response to the capture: it is unknown whether there was one.
  case unknown
  case givenUp
  case done

  /// - Parameter truth: The keys of the sensors' real captures.
  init(_ report: CaptureReport, _ truth: Set<String>) {
    switch report.outcome.ending {
    case .captured:
      let isLost = report.records.isEmpty || report.lost.keys.contains { truth.contains($0.key) }
      self = !report.waiting.isEmpty ? .waiting : isLost ? .lost : .stored
    case .refused: self = .refused
    case .failed: self = .failed
    case .unknown: self = .unknown
    case .givenUp: self = .givenUp
    case .done: self = .done
    }
  }
}

/// The accepted ends for a fault that a sensor makes once, at one operation of a capture.
///
/// A fault that changes only the form of a response, or does not apply to the operation, must have no effect: the
/// capture is stored.
enum FaultEnds {
  static func right(_ kind: SimulatorFault, at operation: SensorOperation) -> Set<FaultEnd> {
    switch operation {
    // Whatever fails in the release of the lock, the capture is whole.
    case .unlock: [.stored]
    case .download: atDownload(kind)
    case .getServiceInfo: atInformation(kind)
    case .register: atRegistration(kind)
    case .capture: atCapture(kind)
    default: atPreparation(kind, operation)
    }
  }

  /// The connection ends before the response does: idempotent requests are repeated.
  private static let cutting: Set<SimulatorFault> = [
    .dropBefore, .dropAfter, .resetBefore, .resetAfter, .truncate, .overstate,
  ]
  /// The content received is not a response, and would not be the next time.
  private static let unreadable: Set<SimulatorFault> = [
    .understate, .garbage, .gzipBomb, .hugeMessage, .hugeData, .http, .httpLate, .redirect, .loginPage, .emptyBody,
    .cutTag, .junkBehind, .mismatchedTags, .doctype, .externalEntity, .entityBomb, .deep, .manyItems, .bigKey,
    .unknownNamespace, .noNamespace, .badUTF8, .escapeCharacters, .nul, .noStatus, .twoStatuses,
  ]
  /// No response arrives in time, not even after a cancel.
  static let silent: Set<SimulatorFault> = [.hang, .silence, .stall, .throttle]
  /// The service refuses, with a status that requires nothing.
  private static let refusing: Set<SimulatorFault> = [.status, .statusLate, .unknownStatus]
  /// The response is larger than allowed.
  private static let oversized: Set<SimulatorFault> = [
    .gzipBomb, .hugeMessage, .hugeData, .manyItems, .bigKey, .deep,
  ]

  /// Returns the ends for faults of a download.
  ///
  /// Data can be requested until it arrives; only data that the service forgot is lost, and only data that is too large
  /// is left.
  private static func atDownload(_ kind: SimulatorFault) -> Set<FaultEnd> {
    if kind == .forget { return [.lost] }
    return oversized.contains(kind) ? [.stored, .waiting] : [.stored]
  }

  private static func atInformation(_ kind: SimulatorFault) -> Set<FaultEnd> {
    switch kind {
    case .freeze, .busy, .noMetadata: [.failed]
    case _ where unreadable.contains(kind) || silent.contains(kind) || refusing.contains(kind): [.failed]
    // Another client has the lock before it is requested, and keeps it.
    case .stolen: [.refused]
    // A value that a service does not offer, or offers only with blanks around it, may be refused before the request.
    case .padded, .unknownModality, .noModality, .noSubmodality: [.stored, .refused]
    default: [.stored]
    }
  }

  /// Returns the ends for a fault at registration.
  ///
  /// If it is unknown whether there is a session, another one is made, once.
  private static func atRegistration(_ kind: SimulatorFault) -> Set<FaultEnd> {
    refusing.contains(kind) || kind == .stolen ? [.refused] : [.stored]
  }

  /// Checks that a capture is never requested again unless the service reported that there was none.
  private static func atCapture(_ kind: SimulatorFault) -> Set<FaultEnd> {
    switch kind {
    case .noCaptures, .emptyCaptures: [.unknown]
    case _ where cutting.contains(kind) || unreadable.contains(kind) || silent.contains(kind): [.unknown]
    // Its ids arrived nevertheless.
    case .unknownStatus: [.stored]
    case .status, .statusLate, .stolen, .hold: [.refused]
    // The capture may be over before the thief comes.
    case .thief: [.stored, .refused]
    default: [.stored]
    }
  }

  /// Returns the ends for faults of the lock's operations, and of those that prepare the sensor for a capture.
  private static func atPreparation(_ kind: SimulatorFault, _ operation: SensorOperation) -> Set<FaultEnd> {
    switch kind {
    case _ where silent.contains(kind): [.failed]
    // An unreadable response is requested once more; one that is too large, or redirects elsewhere, would be the same
    // again.
    case .redirect, .unknownNamespace, .noNamespace, .gzipBomb, .hugeMessage, .hugeData: [.failed]
    case _ where unreadable.contains(kind): [.stored]
    case _ where refusing.contains(kind) || kind == .stolen: [.refused]
    // A cancel, which ends it, is sent only for operations of the sensor.
    case .freeze: operation.isOfSensor ? [.stored] : [.failed]
    case .hold: operation.isOfSensor ? [.refused] : [.stored]
    case .thief: operation.isOfSensor ? [.stored, .refused] : [.stored]
    // The next thing that is written is the configuration, in the namespace that was read last.
    case .otherNamespace: operation == .initialize ? [.stored, .failed] : [.stored]
    default: [.stored]
    }
  }
}
