/// Solves formulas that assign names used by other formulas.
enum FormulaSystem {
  /// Computes everything that can be computed, each formula once, after those that it needs.
  ///
  /// - Parameters:
  ///   - formulas: The names and their formulas; the last of two formulas for one name counts.
  ///   - values: The values of names; those of assigned names are replaced.
  /// - Returns: The assigned names that cannot be computed: they depend on each other, or on a name without a value.
  /// - Complexity: Proportional to the steps of all formulas.
  static func solve(
    _ formulas: [(target: Identifier, program: FormulaProgram)], _ values: inout [Identifier: Double]
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
      guard let value = programs[target]?.value({ values[$0] }) else { continue }
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
