import PluginAPI

/// The errors of observations that cannot be used.
enum ObservationError {
  static let all: [DeclaredError] = [
    unknownPool, twoLevels, unknownLabel, noThresholds, thresholdsOutOfOrder, otherUnit, reversedInterval,
  ]

  static let unknownPool = DeclaredError(
    "pathcase.smda-unknown-pool", .unusableInput, "an observation names a pool that the network does not have")

  static func unknownPool(_ row: ObservationRow, nearest: String?) -> ErrorReport {
    report(
      unknownPool, row, "the network has no pool '\(row.pool.text)'",
      advice: nearest.map { "did you mean '\($0)'?" } ?? "ids are compared letter by letter")
  }

  static let twoLevels = DeclaredError(
    "pathcase.smda-two-levels", .unusableInput, "a pool was observed twice, with different levels")

  /// Returns the error of a row for whose pool an earlier row gives another level.
  static func twoLevels(_ row: ObservationRow, _ now: String, before: String, place: String) -> ErrorReport {
    report(
      twoLevels, row, "pool '\(row.pool.text)' is \(now) here but \(before) at \(place)",
      advice: "leave one of them, or give both levels in one row")
  }

  static let unknownLabel = DeclaredError(
    "pathcase.smda-unknown-level", .unusableInput, "an observation has a letter that is no level of the analysis")

  static func unknownLabel(_ row: ObservationRow, _ label: String, known: String) -> ErrorReport {
    report(
      unknownLabel, row, "'\(label)' is no level",
      advice: "levels are \(known.map(String.init).joined(separator: ", "))")
  }

  static let noThresholds = DeclaredError(
    "pathcase.smda-no-thresholds", .unusableInput,
    "a concentration was observed, but there are no thresholds for its pool")

  static func noThresholds(_ row: ObservationRow) -> ErrorReport {
    report(
      noThresholds, row, "nobody says from which concentration on there is much of '\(row.pool.text)'",
      advice: "give a level, or columns unavailable_below, accumulated_above and severe_above")
  }

  static let thresholdsOutOfOrder = DeclaredError(
    "pathcase.smda-thresholds", .unusableInput, "the thresholds of a pool are not in order")

  static func thresholdsOutOfOrder(_ row: ObservationRow) -> ErrorReport {
    report(
      thresholdsOutOfOrder, row, "the thresholds of '\(row.pool.text)' are not in order",
      advice: "unavailable_below is at most accumulated_above, and this at most severe_above")
  }

  static let otherUnit = DeclaredError(
    "pathcase.smda-unit", .unusableInput, "a concentration has another unit than the thresholds of its pool")

  static func otherUnit(_ row: ObservationRow, wanted: String) -> ErrorReport {
    report(
      otherUnit, row, "'\(row.pool.text)' is given in '\(row.unit)', its thresholds are in '\(wanted)'",
      advice: "give it in '\(wanted)'")
  }

  static let reversedInterval = DeclaredError(
    "pathcase.smda-interval", .unusableInput, "an interval of concentrations ends before it begins")

  static func reversedInterval(_ row: ObservationRow) -> ErrorReport {
    report(
      reversedInterval, row, "the interval of '\(row.pool.text)' ends before it begins",
      advice: "write the lower end first")
  }

  private static func report(
    _ error: DeclaredError, _ row: ObservationRow, _ reason: String, advice: String
  ) -> ErrorReport {
    error(
      "\(row.place) cannot be used: \(reason)", advice: advice,
      details: ["place": .text(row.place), "pool": .text(row.pool.text)]
    ).short
  }
}
