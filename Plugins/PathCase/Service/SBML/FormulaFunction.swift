/// A function defined by a model: a formula with parameters.
struct FormulaFunction: Sendable, Hashable {
  /// The maximum number of steps in all formulas of a model after functions have been inlined.
  static let mostSteps = 1 << 20

  var parameters: [Identifier]
  var body: FormulaProgram

  /// Inlines the function: replaces its arguments, the last values that the steps compute, by its result.
  ///
  /// - Parameters:
  ///   - steps: The steps, which end with the formulas of the arguments.
  ///   - count: The number of arguments.
  ///   - most: The maximum number of resulting steps.
  /// - Complexity: Proportional to the inserted steps and those they replace.
  /// - Returns: True if the number of arguments matches and the formula does not become too long.
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
    // Earlier steps keep their positions: a formula may contain very many calls in sequence.
    steps.replaceSubrange(start..., with: made)
    return true
  }

  /// Returns the start of each of the last values' formulas; nil if there are not enough.
  private static func starts(of steps: [FormulaProgram.Step], count: Int) -> [Int]? {
    var starts: [Int] = []
    var place = steps.count
    for _ in 0..<count {
      // The number of values still to be found for the steps seen so far.
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
