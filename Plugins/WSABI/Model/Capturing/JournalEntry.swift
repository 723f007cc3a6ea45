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
