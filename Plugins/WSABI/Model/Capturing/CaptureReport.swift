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
  /// What is wrong with pictures that came, by the numbers of their captures: kept as they came, and no whole pictures.
  var flaws: [Int: String] = [:]
  /// What was strange in the answer with the ids, in words.
  var oddities: [String] = []
  /// When the lock of the sensor can be taken from its holder, as the service says it, in words; empty if it does not.
  var stealingWords = ""

  /// Which of the ids that did not come are of other attempts than the one that brought the ``records``.
  private(set) var ofOthers: Set<SensorUUID> = []

  /// Whether something of it is not known, not fetched or not to be had.
  var isOpen: Bool {
    if case .unknown = outcome.ending { return true }
    return !(lost.isEmpty && waiting.isEmpty && refused.isEmpty)
  }

  /// How many captures the service named in the attempt that brought the ``records``.
  var idCount: Int { records.count + absent.subtracting(ofOthers).count }

  /// Ids that did not come, of any attempt.
  private var absent: Set<SensorUUID> { Set(lost.keys).union(waiting.keys).union(refused.keys) }

  /// Of how many of them the data cannot be had.
  var missingCount: Int { Set(lost.keys).union(refused.keys).subtracting(ofOthers).count }

  /// Whether data came, and all of its pictures whole.
  var isWhole: Bool { !records.isEmpty && flaws.isEmpty }

  /// The score of its worst picture, 0 … 100; nil if nobody scored any.
  ///
  /// A pair is as good as the eye that is seen less well.
  var worstScore: Int? { records.compactMap { $0.quality?.score }.min() }

  /// This report with what other attempts for the same item left open: a capture that went well makes none of it known,
  /// and fetches none of it.
  func adding(_ attempts: [CaptureReport]) -> CaptureReport {
    var whole = self
    for attempt in attempts where attempt.isOpen {
      if case .unknown = attempt.outcome.ending { whole.outcome.ending = attempt.outcome.ending }
      whole.lost.merge(attempt.lost) { first, _ in first }
      whole.waiting.merge(attempt.waiting) { first, _ in first }
      whole.refused.merge(attempt.refused) { first, _ in first }
      whole.ofOthers.formUnion(attempt.absent)
      whole.troubles += attempt.troubles.filter { !whole.troubles.contains($0) }
    }
    whole.ofOthers.subtract(absent)
    return whole
  }

  /// Takes what came of the ids of the same capture.
  mutating func take(_ fetched: CaptureReport) {
    (records, lost, waiting, refused) = (fetched.records, fetched.lost, fetched.waiting, fetched.refused)
  }
}
