import PluginAPI

/// The durable journal of captures, written in this order so that no capture is lost with the process.
///
/// No request is sent to a sensor before ``begin(_:)`` returns. The ids of captured data are written by
/// ``captured(_:ids:)`` before anything else is done with them. A download counts once ``keep(_:_:_:)`` returns.
/// ``unfinished()`` returns the captures left open by an earlier process.
protocol CaptureJournal: LockJournal {
  /// Writes that a capture is about to be requested.
  func begin(_ intent: CaptureIntent) async throws -> JournalNumber
  /// Writes the ids of the response, which end the entry as ``CaptureOutcome/captured``.
  ///
  /// - Returns: The ids whose data is now awaited. An id that belongs to another item is refused, as its data was
  ///   captured for someone else. An id whose data is already stored is not awaited again.
  @discardableResult
  func captured(_ number: JournalNumber, ids: [SensorUUID]) async throws -> [SensorUUID]
  /// Opens a sink for the data of one id.
  func sink(_ number: JournalNumber, _ id: SensorUUID) async throws -> any DataSink
  /// Stores the data of a sink: data, hash, metadata and record in one transaction, filed under the item of the entry.
  func keep(_ number: JournalNumber, _ sink: any DataSink, _ download: FinishedDownload) async throws -> CaptureRecord
  /// Writes that the data of an id is no longer available, and why.
  func lost(_ number: JournalNumber, _ id: SensorUUID, because reason: String) async throws
  /// Writes that the data of an id stays at its service until a user requests it, and why: another automatic download
  /// would cost as much and fail again.
  func putOff(_ number: JournalNumber, _ id: SensorUUID, because reason: String) async throws
  /// Writes the outcome of the operation; downloads may still be pending.
  func end(_ number: JournalNumber, _ outcome: CaptureOutcome) async throws
  /// Returns the captures that have begun without an end, or have ids without data; oldest first.
  func unfinished() async throws -> [UnfinishedCapture]
}

/// The number of an entry of the journal.
struct JournalNumber: Sendable, Hashable {
  let value: Int

  init(_ value: Int) { self.value = value }
}

/// A capture about to be requested.
struct CaptureIntent: Sendable, Hashable {
  var item: Int
  var address: SensorAddress
  var session: SensorUUID
  /// The sensor's configuration for the capture.
  var configuration: WireDictionary
  /// The item's definition when the capture was ordered, which is not stored; nil to leave it open.
  var definition: ItemDefinition?
}

/// The outcome of a capture, as far as this side knows.
enum CaptureOutcome: Sendable, Hashable {
  /// The service answered with ids.
  case captured
  /// The service answered, without captured data; its status and message.
  case refused(OperationStatus, message: String)
  /// It is unknown whether the sensor captured: the response was lost. Never repeated without a user's request.
  case unknown(reason: String)
  /// The request never reached the service.
  case notAsked(reason: String)
}

/// A download that arrived whole.
struct FinishedDownload: Sendable, Hashable {
  var id: SensorUUID
  var answer: SensorAnswer
  /// The first bytes of the data, 64 at most, which determine the type.
  var start: [UInt8]
}

/// A capture found open after a restart.
struct UnfinishedCapture: Sendable, Hashable {
  var number: JournalNumber
  var intent: CaptureIntent
  /// Nil if the process ended before a response: the outcome is unknown.
  var outcome: CaptureOutcome?
  /// Ids whose data is neither stored nor lost.
  var waiting: [SensorUUID]
  /// Those of them that are fetched on request only, with the reason.
  var putOff: [SensorUUID: String] = [:]
}

/// An entry of the capture journal: the request and its sensor, the outcome, and the state of each id.
struct JournalEntry: Sendable, Hashable {
  var number: JournalNumber
  var intent: CaptureIntent
  /// Nil while it is unknown, also if the process ended before a response.
  var outcome: CaptureOutcome?
  /// In the order of the response, without ids whose data was deleted since.
  var ids: [CapturedID]

  /// An id that a service gave.
  struct CapturedID: Sendable, Hashable {
    var id: SensorUUID
    var state: State
  }

  /// The state of an id's data.
  enum State: Sendable, Hashable {
    case waiting
    case kept
    /// The data is no longer available; the payload is the reason.
    case lost(String)
  }
}

/// The durable journal of the locks that this station requests, so that a process that was killed does not leave its
/// lock at a sensor, where it would block others until they steal it.
protocol LockJournal: Sendable {
  /// Writes that a lock is about to be requested; does nothing if that is already written, or the store is locked.
  func willLock(_ lock: HeldLock) async throws
  /// Notes that a lock is certainly released. This is written some seconds later, unless the lock is requested again.
  func didUnlock(_ lock: HeldLock)
  /// Writes all releases noted by ``didUnlock(_:)``, as far as possible now.
  func settleLocks() async
  /// Writes that this process no longer has the session of a lock that may still be held: as a lock of an ended process,
  /// any process may release it.
  func abandon(_ lock: HeldLock) async
  /// Returns the locks of ended processes, oldest first; only those of one address if it is not nil.
  ///
  /// Other processes do not get them until each was settled with ``gaveBack(_:)`` or ``leave(_:wasTried:)``.
  func leftLocks(at address: SensorAddress?) async throws -> [LeftLock]
  /// Makes the lock of such a process this one's own, which uses it with its session.
  func takeOver(_ left: LeftLock) async throws
  /// Writes that such a lock is certainly released.
  func gaveBack(_ left: LeftLock) async throws
  /// Leaves such a lock to the next process.
  ///
  /// - Parameter wasTried: True if the service did not release it on request; a lock older than the lifetime of any
  ///   session is then forgotten.
  /// - Returns: True if it is forgotten.
  @discardableResult
  func leave(_ left: LeftLock, wasTried: Bool) async -> Bool
}

/// The lock of a sensor, by the session that requests it.
struct HeldLock: Sendable, Hashable {
  var address: SensorAddress
  var session: SensorUUID
}

/// A lock that a process may have had when it ended.
struct LeftLock: Sendable, Hashable {
  let number: Int
  var lock: HeldLock
  /// The time of the request, to the hour.
  ///
  /// The entry of a lock in long use is rewritten.
  var asked: Instant
  /// True if it was stolen from another client for the next capture; it is released by request only.
  var isStolen = false

  /// No service keeps an unused session longer than a day.
  static let longestLifeInSeconds = 86_400.0
}

/// A destination for a sensor's data while it is received.
///
/// One thread writes at a time. The data counts only once the sink is finished: a sink that is abandoned, or lost with
/// the process, leaves no trace.
protocol DataSink: AnyObject, Sendable {
  /// Writes the next decoded bytes.
  ///
  /// - Throws: The reason they cannot be written, such as a full disk; the download ends with it.
  func write(_ bytes: UnsafeRawBufferPointer) throws
  /// Discards the written data.
  func abandon()
}
