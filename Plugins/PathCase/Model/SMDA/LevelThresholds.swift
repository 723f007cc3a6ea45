/// The concentrations that separate the levels of a pool.
struct LevelThresholds: Sendable, Hashable {
  /// The concentration below which a pool is unavailable; nil if it never is.
  var unavailableBelow: Double?
  /// The concentration above which it is accumulated; nil if it never is.
  var accumulatedAbove: Double?
  /// The concentration above which it is severely accumulated; nil if it never is.
  var severeAbove: Double?

  /// A Boolean value indicating whether the thresholds are in ascending order.
  var isInOrder: Bool {
    let known = [unavailableBelow, accumulatedAbove, severeAbove].compactMap { $0 }
    return zip(known, known.dropFirst()).allSatisfy { $0 <= $1 }
  }

  /// Returns the level of a concentration; a threshold itself belongs to the level nearer to the normal one.
  func level(of value: Double) -> MetaboliteLevel {
    if let unavailableBelow, value < unavailableBelow { return .unavailable }
    if let severeAbove, value > severeAbove { return .severelyAccumulated }
    if let accumulatedAbove, value > accumulatedAbove { return .accumulated }
    return .available
  }

  /// Returns the levels that an interval touches, its ends included.
  func levels(from lowest: Double, to highest: Double) -> LevelSet {
    let range = level(of: lowest)...max(level(of: lowest), level(of: highest))
    return LevelSet(MetaboliteLevel.allCases.filter { range.contains($0) && exists($0) })
  }

  /// Returns whether some concentration has a level.
  private func exists(_ level: MetaboliteLevel) -> Bool {
    switch level {
    case .unavailable: unavailableBelow != nil
    case .available: true
    case .accumulated: accumulatedAbove != nil && (severeAbove == nil || accumulatedAbove != severeAbove)
    case .severelyAccumulated: severeAbove != nil
    }
  }
}

extension LevelThresholds {
  init(_ range: BiofluidRange) {
    self.init(
      unavailableBelow: range.unavailableBelow, accumulatedAbove: range.accumulatedAbove,
      severeAbove: range.severeAbove)
  }
}
