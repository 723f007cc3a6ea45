/// Formulas that set names which other formulas use.
enum FormulaSystem {
  /// Computes all that can be computed, each formula once, after those it needs.
  ///
  /// - Parameters:
  ///   - formulas: names and what they are set to; of two for one name the last counts.
  ///   - functions: those that the formulas call.
  ///   - values: the values of names; those of what is set are replaced.
  /// - Returns: the names that are set but cannot be computed: they need each other, or something without value.
  /// - Complexity: proportional to all steps of all formulas.
  static func solve(
    _ formulas: [(target: Identifier, program: FormulaProgram)], functions: FormulaFunctions = FormulaFunctions(),
    _ values: inout [Identifier: Double]
  ) -> Set<Identifier> {
    var programs: [Identifier: FormulaProgram] = [:]
    for (target, program) in formulas {
      programs[target] = program
      values[target] = nil
    }
    var missing: [Identifier: Int] = [:]
    var users: [Identifier: [Identifier]] = [:]
    for (target, program) in programs {
      let needed = program.symbols.filter { programs[$0] != nil }
      missing[target] = needed.count
      for name in needed { users[name, default: []].append(target) }
    }
    var unknown = Set(programs.keys)
    var ready = missing.filter { $0.value == 0 }.map(\.key)
    while let target = ready.popLast() {
      guard let value = programs[target].flatMap({ functions.value(of: $0) { values[$0] } }) else { continue }
      values[target] = value
      unknown.remove(target)
      for user in users[target] ?? [] {
        missing[user, default: 0] -= 1
        if missing[user] == 0 { ready.append(user) }
      }
    }
    return unknown
  }
}
