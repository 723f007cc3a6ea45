/// An entry of the journal of captures: what was asked of which sensor, what came of it, and of each id it gave.
struct JournalEntry: Sendable, Hashable {
  var number: JournalNumber
  var intent: CaptureIntent
  /// Nil while nobody knows, or if the process ended before anybody did.
  var outcome: CaptureOutcome?
  /// In the order of the answer; those whose data was deleted since are left out.
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
    /// It cannot be had any more; why.
    case lost(String)
  }
}
