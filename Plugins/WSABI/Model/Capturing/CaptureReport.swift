/// What came of a capture.
struct CaptureReport: Sendable, Hashable {
  var outcome: SequenceOutcome
  /// Whether somebody here wanted no more of it.
  var isCancelled = false
  /// What is stored, in the order of the service's ids.
  var records: [CaptureRecord] = []
  /// Ids whose data cannot be had any more, with the reason.
  var lost: [SensorUUID: String] = [:]
  /// Ids whose data is still at the service and will be fetched later, with the reason.
  var waiting: [SensorUUID: String] = [:]
  /// Ids the service answered with that are not new, with the reason: nothing was filed under them.
  var refused: [SensorUUID: String] = [:]
  /// What could not be written down, in words; the data itself is then in ``waiting`` or stored.
  var troubles: [String] = []

  /// Takes what came of the ids of the same capture.
  mutating func take(_ fetched: CaptureReport) {
    (records, lost, waiting, refused) = (fetched.records, fetched.lost, fetched.waiting, fetched.refused)
  }
}
