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
