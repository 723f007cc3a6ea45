/// An order to capture an item with a sensor.
struct CaptureOrder: Sendable, Hashable {
  var item: Int
  var address: SensorAddress
  /// The sensor's configuration.
  var configuration: WireDictionary
  /// The item's definition at the time of the order; an item edited since is not captured.
  ///
  /// Nil to leave it open.
  var definition: ItemDefinition?
}

/// The result of a capture.
struct CaptureReport: Sendable, Hashable {
  var outcome: SequenceOutcome
  /// True if the capture was canceled here.
  var isCancelled = false
  /// The stored captures, in the order of the service's ids.
  var records: [CaptureRecord] = []
  /// Ids whose data is no longer available, with the reason.
  var lost: [SensorUUID: String] = [:]
  /// Ids whose data is still at the service and will be downloaded later, with the reason.
  var waiting: [SensorUUID: String] = [:]
  /// Ids in the response that are not new, with the reason; nothing was filed under them.
  var refused: [SensorUUID: String] = [:]
  /// Descriptions of facts that could not be written down.
  ///
  /// The data itself is then in ``waiting`` or stored.
  var troubles: [String] = []
  /// The flaws of received pictures, by capture number.
  ///
  /// Such pictures are stored as received, and do not count as whole.
  var flaws: [Int: String] = [:]
  /// Descriptions of anything unusual in the response with the ids.
  var oddities: [String] = []
  /// The service's rule on when the lock can be stolen, as text; empty if it does not say.
  var stealingWords = ""

  /// The missing ids that belong to other attempts than the one that delivered the ``records``.
  private(set) var ofOthers: Set<SensorUUID> = []

  /// True if part of the capture is unknown, not downloaded or not available.
  var isOpen: Bool {
    if case .unknown = outcome.ending { return true }
    return !(lost.isEmpty && waiting.isEmpty && refused.isEmpty)
  }

  /// The number of captures that the service named in the attempt that delivered the ``records``.
  var idCount: Int { records.count + absent.subtracting(ofOthers).count }

  /// Ids that did not come, of any attempt.
  private var absent: Set<SensorUUID> { Set(lost.keys).union(waiting.keys).union(refused.keys) }

  /// The number of captures of that attempt whose data is not available.
  var missingCount: Int { Set(lost.keys).union(refused.keys).subtracting(ofOthers).count }

  /// True if data was received and all its pictures are whole.
  var isWhole: Bool { !records.isEmpty && flaws.isEmpty }

  /// The score of its worst picture, 0 … 100; nil if none was scored.
  ///
  /// A pair is as good as the eye that is seen less well.
  var worstScore: Int? { records.compactMap { $0.quality?.score }.min() }

  /// Returns this report with the open results of other attempts for the same item, which a successful capture neither
  /// clarifies nor downloads.
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

  /// Takes over the results of the ids of the same capture.
  mutating func take(_ fetched: CaptureReport) {
    (records, lost, waiting, refused) = (fetched.records, fetched.lost, fetched.waiting, fetched.refused)
  }
}
