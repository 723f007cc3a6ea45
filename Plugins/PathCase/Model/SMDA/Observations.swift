import PluginAPI

extension ScenarioNetwork {
  /// Returns the network with new observations, which replace any earlier ones.
  ///
  /// Empty rows are skipped; a row may repeat an earlier one.
  /// - Parameters:
  ///   - rows: The observations, in the order of the file.
  ///   - ranges: The thresholds of pools, used for rows without their own.
  /// - Throws: ``ObservationError``, for the first row that cannot be used.
  func observing(_ rows: [ObservationRow], ranges: [BiofluidRange] = []) throws(ErrorReport) -> ScenarioNetwork {
    var network = self
    var numbers: [Identifier: Int] = [:]
    for (index, pool) in pools.enumerated() {
      numbers[pool.id] = index
      network.pools[index].observed = nil
    }
    var limits: [Identifier: BiofluidRange] = [:]
    for range in ranges { limits[range.pool] = range }
    var places: [Int: String] = [:]
    for row in rows {
      guard let pool = Identifier.meant(by: row.pool.text).lazy.compactMap({ numbers[$0] }).first else {
        throw ObservationError.unknownPool(row, nearest: nearest(to: row.pool))
      }
      guard let levels = try levels(row, limits[pools[pool].id]) else { continue }
      if let before = network.pools[pool].observed, before != levels {
        throw ObservationError.twoLevels(
          row, levels.letters, before: before.letters, location: places[pool] ?? "")
      }
      network.pools[pool].observed = levels
      places[pool] = row.location
    }
    return network
  }

  /// Returns the levels that a row permits; nil for any.
  private func levels(_ row: ObservationRow, _ range: BiofluidRange?) throws(ErrorReport) -> LevelSet? {
    switch row.content {
    case .missing: return nil
    case .belowDetection: return .unavailable
    case .below(let limit):
      if row.thresholds == nil, range == nil { return .unavailable }
      // An insensitive method may not detect a concentration high enough to be available.
      return try thresholds(row, range).levels(from: 0, to: max(0, limit.nextDown)).union(.unavailable)
        .limited(to: rules.levels)
    case .labels(let labels): return try self.levels(row, labels: labels)
    case .value(let value): return try thresholds(row, range).levels(from: value, to: value).limited(to: rules.levels)
    case .interval(let lowest, let highest):
      guard lowest <= highest else { throw ObservationError.reversedInterval(row) }
      return try thresholds(row, range).levels(from: lowest, to: highest).limited(to: rules.levels)
    }
  }

  private func levels(_ row: ObservationRow, labels: [String]) throws(ErrorReport) -> LevelSet {
    let known = MetaboliteLevel.allCases.prefix(rules.levels)
    var levels = LevelSet()
    for label in labels {
      guard let level = MetaboliteLevel(letter: label), known.contains(level) else {
        throw ObservationError.unknownLabel(row, label, known: String(known.map(\.letter)))
      }
      levels.formUnion(LevelSet([level]))
    }
    return levels
  }

  private func thresholds(_ row: ObservationRow, _ range: BiofluidRange?) throws(ErrorReport) -> LevelThresholds {
    guard let thresholds = row.thresholds ?? range.map(LevelThresholds.init) else {
      throw ObservationError.noThresholds(row)
    }
    guard thresholds.isInOrder else { throw ObservationError.thresholdsOutOfOrder(row) }
    if row.thresholds == nil, let unit = range?.unit, !unit.isEmpty, !row.unit.isEmpty,
      Self.plain(unit) != Self.plain(row.unit)
    {
      throw ObservationError.otherUnit(row, wanted: unit)
    }
    return thresholds
  }

  /// Returns the normalized notation of a unit: `mM` is `mmol/L`, and micro has two signs and a letter.
  private static func plain(_ unit: String) -> Identifier {
    let molar = ["M": "mol/L", "mM": "mmol/L", "µM": "µmol/L", "μM": "µmol/L", "uM": "µmol/L", "nM": "nmol/L"]
    if let known = molar[unit] { return Identifier(known) }
    let micro = ["μmol/L", "umol/L", "µmol/l", "μmol/l", "umol/l"]
    if micro.contains(unit) { return Identifier("µmol/L") }
    return Identifier(unit.hasSuffix("mol/l") ? unit.dropLast() + "L" : unit)
  }

  /// Returns a pool whose id differs only in case, or by one character at its start or end.
  private func nearest(to id: Identifier) -> String? {
    let wanted = id.text.lowercased()
    return pools.first {
      let name = $0.id.text.lowercased()
      return name == wanted || name.hasPrefix(wanted) || (!name.isEmpty && wanted.hasPrefix(name))
    }?.id.text
  }
}

/// A row of an observation file, before it is checked.
struct ObservationRow: Sendable, Hashable {
  /// The content of an observation.
  enum Content: Sendable, Hashable {
    /// The letters of levels, such as `A` and `C`.
    case labels([String])
    /// A concentration.
    case value(Double)
    /// A concentration between two values, inclusive.
    case interval(Double, Double)
    /// A concentration below the detection limit.
    case belowDetection
    /// A concentration below the given detection limit.
    case below(Double)
    /// No value: the sample is missing.
    case missing
  }

  /// The position of the row, such as `line 3`.
  var location: String
  var pool: Identifier
  var content: Content
  /// The unit of the concentration; empty if none is given.
  var unit = ""
  /// The thresholds given in the row itself.
  var thresholds: LevelThresholds?
}

/// The errors of observations that cannot be used.
enum ObservationError {
  static let all: [DeclaredError] = [
    unknownPool, twoLevels, unknownLabel, noThresholds, thresholdsOutOfOrder, otherUnit, reversedInterval,
  ]

  static let unknownPool = DeclaredError(
    "pathcase.smda-unknown-pool", .unusableInput, "an observation refers to a pool that the network does not have")

  static func unknownPool(_ row: ObservationRow, nearest: String?) -> ErrorReport {
    report(
      unknownPool, row, "the network has no pool '\(row.pool.text)'",
      advice: nearest.map { "did you mean '\($0)'?" } ?? "check the id; upper and lower case differ")
  }

  static let twoLevels = DeclaredError(
    "pathcase.smda-two-levels", .unusableInput, "a pool has two observations with different levels")

  /// Returns the error of a row for whose pool an earlier row gives another level.
  static func twoLevels(_ row: ObservationRow, _ now: String, before: String, location: String) -> ErrorReport {
    report(
      twoLevels, row, "pool '\(row.pool.text)' is \(now) here but \(before) at \(location)",
      advice: "keep one of them, or give both levels in one row")
  }

  static let unknownLabel = DeclaredError(
    "pathcase.smda-unknown-level", .unusableInput, "the letter of an observation is not a level of the analysis")

  static func unknownLabel(_ row: ObservationRow, _ label: String, known: String) -> ErrorReport {
    report(
      unknownLabel, row, "'\(label)' is not a level",
      advice: "use one of \(known.map(String.init).joined(separator: ", "))")
  }

  static let noThresholds = DeclaredError(
    "pathcase.smda-no-thresholds", .unusableInput,
    "an observation is a concentration, but its pool has no thresholds")

  static func noThresholds(_ row: ObservationRow) -> ErrorReport {
    report(
      noThresholds, row, "'\(row.pool.text)' has a concentration but no thresholds",
      advice: "give a level, or columns unavailable_below, accumulated_above and severe_above")
  }

  static let thresholdsOutOfOrder = DeclaredError(
    "pathcase.smda-thresholds", .unusableInput, "the thresholds of a pool do not increase")

  static func thresholdsOutOfOrder(_ row: ObservationRow) -> ErrorReport {
    report(
      thresholdsOutOfOrder, row, "the thresholds of '\(row.pool.text)' do not increase",
      advice: "give unavailable_below ≤ accumulated_above ≤ severe_above")
  }

  static let otherUnit = DeclaredError(
    "pathcase.smda-unit", .unusableInput, "a concentration and the thresholds of its pool have different units")

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
      "\(row.location) cannot be used: \(reason)", advice: advice,
      details: ["place": .text(row.location), "pool": .text(row.pool.text)]
    ).short
  }
}
