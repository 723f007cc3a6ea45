import PluginAPI

extension ScenarioNetwork {
  /// Returns the network with new observations, which replace any earlier ones.
  ///
  /// Empty rows are skipped; a row may repeat an earlier one. A pool may be named without the `M_` prefix of SBML
  /// files.
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
      guard let pool = numbers[row.pool] ?? numbers[Identifier("M_" + row.pool.text)] else {
        throw ObservationError.unknownPool(row, nearest: nearest(to: row.pool))
      }
      guard let levels = try levels(row, limits[pools[pool].id]) else { continue }
      if let before = network.pools[pool].observed, before != levels {
        throw ObservationError.twoLevels(
          row, levels.letters, before: before.letters, place: places[pool] ?? "")
      }
      network.pools[pool].observed = levels
      places[pool] = row.place
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
      return inRules(try thresholds(row, range).levels(from: 0, to: max(0, limit.nextDown)).union(.unavailable))
    case .labels(let labels): return try self.levels(row, labels: labels)
    case .value(let value): return inRules(try thresholds(row, range).levels(from: value, to: value))
    case .interval(let lowest, let highest):
      guard lowest <= highest else { throw ObservationError.reversedInterval(row) }
      return inRules(try thresholds(row, range).levels(from: lowest, to: highest))
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

  /// Returns the levels under the rules: with three levels, severely accumulated becomes accumulated.
  private func inRules(_ levels: LevelSet) -> LevelSet {
    guard rules.levels < 4, levels.contains(.severelyAccumulated) else { return levels }
    return levels.subtracting(.severelyAccumulated).union(.accumulated)
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
