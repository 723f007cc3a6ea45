/// A function that a model defines: a formula with names for what it is applied to.
struct FormulaFunction: Sendable, Hashable {
  /// What all formulas of a model with their functions put in may have at most, in steps.
  static let mostSteps = 1 << 20

  var parameters: [Identifier]
  var body: FormulaProgram

  /// Puts the function in the place of what it is applied to: the last values that steps leave.
  ///
  /// - Parameters:
  ///   - steps: end with the formulas of what the function is applied to.
  ///   - count: how many these are.
  ///   - most: how many steps there may be then.
  /// - Complexity: Proportional to what is put in and what it takes the place of.
  /// - Returns: Whether that was possible: the function has so many parameters, and the formula does not become endless.
  func apply(to steps: inout [FormulaProgram.Step], count: Int, most: Int) -> Bool {
    guard count == parameters.count, let starts = Self.starts(of: steps, count: count) else { return false }
    var values: [Identifier: [FormulaProgram.Step]] = [:]
    for (index, name) in parameters.enumerated() {
      let end = index + 1 < count ? starts[index + 1] : steps.count
      values[name] = Array(steps[starts[index]..<end])
    }
    let start = starts.first ?? steps.count
    var made: [FormulaProgram.Step] = []
    for step in body.steps {
      if case .symbol(let name) = step, let value = values[name] { made += value } else { made.append(step) }
      if start + made.count > most { return false }
    }
    // What comes before stays where it is: a formula may have very many applications behind each other.
    steps.replaceSubrange(start..., with: made)
    return true
  }

  /// Where the formulas of the last values begin; nil if there are not so many.
  private static func starts(of steps: [FormulaProgram.Step], count: Int) -> [Int]? {
    var starts: [Int] = []
    var place = steps.count
    for _ in 0..<count {
      // So many values are still to be found for the steps that were seen.
      var missing = 1
      while missing > 0 {
        guard place > 0 else { return nil }
        place -= 1
        if case .apply(_, let count) = steps[place] { missing += count }
        missing -= 1
      }
      starts.append(place)
    }
    return starts.reversed()
  }
}
