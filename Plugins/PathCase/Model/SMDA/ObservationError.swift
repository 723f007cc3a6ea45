import PluginAPI

/// The reason for which an observation cannot be used.
struct ObservationError: Error, Equatable, ReportableError {
  /// The fault of an observation.
  enum Fault: Equatable {
    /// The network does not contain the pool.
    case unknownPool(nearest: String?)
    /// An earlier row gives another level.
    case twoLevels(String, before: String, place: String)
    /// A letter is not a level of the analysis.
    case unknownLabel(String, known: String)
    /// There is a concentration, but no threshold for it.
    case noThresholds
    /// A threshold is below the preceding one.
    case thresholdsOutOfOrder
    /// The thresholds have another unit.
    case otherUnit(String, wanted: String)
    /// An interval ends before it begins.
    case reversedInterval
  }

  /// The position of the row, such as `line 3`.
  var place: String
  var pool: String
  var fault: Fault

  init(_ row: ObservationRow, _ fault: Fault) {
    place = row.place
    pool = row.pool.text
    self.fault = fault
  }

  var report: ErrorReport { whole.short }

  private var whole: ErrorReport {
    ErrorReport(
      code: code, kind: .unusableInput, "\(place) cannot be used: \(reason)", advice: advice,
      details: ["place": .text(place), "pool": .text(pool)])
  }

  private var code: String {
    switch fault {
    case .unknownPool: "pathcase.smda-unknown-pool"
    case .twoLevels: "pathcase.smda-two-levels"
    case .unknownLabel: "pathcase.smda-unknown-level"
    case .noThresholds: "pathcase.smda-no-thresholds"
    case .thresholdsOutOfOrder: "pathcase.smda-thresholds"
    case .otherUnit: "pathcase.smda-unit"
    case .reversedInterval: "pathcase.smda-interval"
    }
  }

  private var reason: String {
    switch fault {
    case .unknownPool: "the network has no pool '\(pool)'"
    case .twoLevels(let now, let before, let place): "pool '\(pool)' is \(now) here but \(before) at \(place)"
    case .unknownLabel(let label, _): "'\(label)' is no level"
    case .noThresholds: "nobody says from which concentration on there is much of '\(pool)'"
    case .thresholdsOutOfOrder: "the thresholds of '\(pool)' are not in order"
    case .otherUnit(let unit, let wanted): "'\(pool)' is given in '\(unit)', its thresholds are in '\(wanted)'"
    case .reversedInterval: "the interval of '\(pool)' ends before it begins"
    }
  }

  private var advice: String? {
    switch fault {
    case .unknownPool(let nearest): nearest.map { "did you mean '\($0)'?" } ?? "ids are compared letter by letter"
    case .twoLevels: "leave one of them, or give both levels in one row"
    case .unknownLabel(_, let known): "levels are \(known.map(String.init).joined(separator: ", "))"
    case .noThresholds: "give a level, or columns unavailable_below, accumulated_above and severe_above"
    case .thresholdsOutOfOrder: "unavailable_below is at most accumulated_above, and this at most severe_above"
    case .otherUnit(_, let wanted): "give it in '\(wanted)'"
    case .reversedInterval: "write the lower end first"
    }
  }

  /// The stable error codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("pathcase.smda-unknown-pool", "an observation names a pool that the network does not have"),
    .init("pathcase.smda-two-levels", "a pool was observed twice, with different levels"),
    .init("pathcase.smda-unknown-level", "an observation has a letter that is no level of the analysis"),
    .init("pathcase.smda-no-thresholds", "a concentration was observed, but there are no thresholds for its pool"),
    .init("pathcase.smda-thresholds", "the thresholds of a pool are not in order"),
    .init("pathcase.smda-unit", "a concentration has another unit than the thresholds of its pool"),
    .init("pathcase.smda-interval", "an interval of concentrations ends before it begins"),
  ]
}
