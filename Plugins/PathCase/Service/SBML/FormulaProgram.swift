import Glibc

/// A formula as steps of a stack machine, so that no nesting depth can crash the program.
struct FormulaProgram: Sendable, Hashable {
  /// A step: it takes its operands from the top of the stack and leaves its result there.
  enum Step: Sendable, Hashable {
    case number(Double)
    case symbol(Identifier)
    /// An operation on a number of values, the last of which is on top.
    case apply(FormulaOperation, count: Int)
  }

  var steps: [Step] = []

  /// The names whose values it needs.
  var symbols: Set<Identifier> {
    var found: Set<Identifier> = []
    for case .symbol(let name) in steps { found.insert(name) }
    return found
  }

  /// Computes the value.
  ///
  /// - Parameter value: Returns the value of a name; nil if it has none.
  /// - Returns: The number; nil if a name has no value or an operation has too few or too many operands.
  func value(_ value: (Identifier) -> Double?) -> Double? {
    var stack: [Double] = []
    for step in steps {
      switch step {
      case .number(let number): stack.append(number)
      case .symbol(let name):
        guard let number = value(name) else { return nil }
        stack.append(number)
      case .apply(let operation, let count):
        guard count >= 0, count <= stack.count else { return nil }
        guard let result = operation.value(of: stack.suffix(count)) else { return nil }
        stack.removeLast(count)
        stack.append(result)
      }
    }
    return stack.count == 1 ? stack[0] : nil
  }
}

/// An operation in a formula; conditions are 1 for true and 0 for false.
///
/// - Source: SBML Level 3 Version 2 Core, section 3.4.6, the MathML subset.
enum FormulaOperation: String, Sendable, Hashable, CaseIterable {
  case plus, minus, times, divide, power, root, abs, exp, ln, log, floor, ceiling, factorial, quotient, rem, max, min
  case sin, cos, tan, sec, csc, cot, arcsin, arccos, arctan, sinh, cosh, tanh
  case eq, neq, gt, lt, geq, leq
  case and, or, xor, not, implies
  /// Pairs of value and condition, optionally followed by a default value.
  case piecewise

  func value(of values: ArraySlice<Double>) -> Double? {
    let first = values.first ?? 0
    let last = values.last ?? 0
    switch self {
    case .plus: return values.reduce(0, +)
    case .times: return values.reduce(1, *)
    case .max: return values.max()
    case .min: return values.min()
    case .minus: return values.count == 1 ? -first : values.count == 2 ? first - last : nil
    case .and: return values.allSatisfy { $0 != 0 } ? 1 : 0
    case .or: return values.contains { $0 != 0 } ? 1 : 0
    case .xor: return values.count { $0 != 0 } % 2 == 1 ? 1 : 0
    case .eq: return Self.isOrdered(values, by: ==) ? 1 : 0
    case .gt: return Self.isOrdered(values, by: >) ? 1 : 0
    case .lt: return Self.isOrdered(values, by: <) ? 1 : 0
    case .geq: return Self.isOrdered(values, by: >=) ? 1 : 0
    case .leq: return Self.isOrdered(values, by: <=) ? 1 : 0
    case .piecewise: return piecewise(values)
    default: break
    }
    if values.count == 1 { return unary(first) }
    return values.count == 2 ? binary(first, last) : nil
  }

  private static func isOrdered(_ values: ArraySlice<Double>, by areInOrder: (Double, Double) -> Bool) -> Bool {
    zip(values, values.dropFirst()).allSatisfy { areInOrder($0, $1) }
  }

  private func piecewise(_ values: ArraySlice<Double>) -> Double? {
    var index = values.startIndex
    while index + 1 < values.endIndex {
      if values[index + 1] != 0 { return values[index] }
      index += 2
    }
    return index < values.endIndex ? values[index] : nil
  }

  private func unary(_ x: Double) -> Double? {
    switch self {
    case .abs: Swift.abs(x)
    case .exp: Glibc.exp(x)
    case .ln: Glibc.log(x)
    case .log: Glibc.log10(x)
    case .root: x.squareRoot()
    case .floor: x.rounded(.down)
    case .ceiling: x.rounded(.up)
    case .factorial: Glibc.tgamma(x + 1)
    case .not: x == 0 ? 1 : 0
    case .sin: Glibc.sin(x)
    case .cos: Glibc.cos(x)
    case .tan: Glibc.tan(x)
    case .sec: 1 / Glibc.cos(x)
    case .csc: 1 / Glibc.sin(x)
    case .cot: 1 / Glibc.tan(x)
    case .arcsin: Glibc.asin(x)
    case .arccos: Glibc.acos(x)
    case .arctan: Glibc.atan(x)
    case .sinh: Glibc.sinh(x)
    case .cosh: Glibc.cosh(x)
    case .tanh: Glibc.tanh(x)
    default: nil
    }
  }

  private func binary(_ x: Double, _ y: Double) -> Double? {
    switch self {
    case .divide: x / y
    case .power: Glibc.pow(x, y)
    // The degree and the base come first.
    case .root: Glibc.pow(y, 1 / x)
    case .log: Glibc.log(y) / Glibc.log(x)
    case .quotient: (x / y).rounded(.towardZero)
    case .rem: x.truncatingRemainder(dividingBy: y)
    case .neq: x != y ? 1 : 0
    case .implies: x == 0 || y != 0 ? 1 : 0
    default: nil
    }
  }
}

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
    var index = steps.count
    for _ in 0..<count {
      // The number of values still to be found for the steps seen so far.
      var missing = 1
      while missing > 0 {
        guard index > 0 else { return nil }
        index -= 1
        if case .apply(_, let count) = steps[index] { missing += count }
        missing -= 1
      }
      starts.append(index)
    }
    return starts.reversed()
  }
}

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
