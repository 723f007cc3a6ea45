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

  /// A computation, by the number of values it accepts.
  private enum Computation {
    case any((ArraySlice<Double>) -> Double?)
    case one((Double) -> Double)
    case two((Double, Double) -> Double)
    /// One value, or two of which the first is the degree, the base or the like.
    case oneOrTwo((Double) -> Double, (Double, Double) -> Double)
    /// A condition that holds for every pair of neighbors.
    case neighbors((Double, Double) -> Bool)
  }

  /// Computes the operation; nil if it does not accept this number of values.
  func value(of values: ArraySlice<Double>) -> Double? {
    let first = values.first ?? 0
    let last = values.last ?? 0
    return switch computation {
    case .any(let compute): compute(values)
    case .one(let compute): values.count == 1 ? compute(first) : nil
    case .two(let compute): values.count == 2 ? compute(first, last) : nil
    case .oneOrTwo(let one, let two): values.count == 1 ? one(first) : values.count == 2 ? two(first, last) : nil
    case .neighbors(let holds): zip(values, values.dropFirst()).allSatisfy { holds($0, $1) } ? 1 : 0
    }
  }

  private var computation: Computation {
    switch self {
    case .plus: .any { $0.reduce(0, +) }
    case .times: .any { $0.reduce(1, *) }
    case .max: .any { $0.max() }
    case .min: .any { $0.min() }
    case .and: .any { $0.allSatisfy { $0 != 0 } ? 1 : 0 }
    case .or: .any { $0.contains { $0 != 0 } ? 1 : 0 }
    case .xor: .any { $0.count { $0 != 0 } % 2 == 1 ? 1 : 0 }
    case .piecewise: .any(Self.piecewise)
    case .eq: .neighbors { $0 == $1 }
    case .gt: .neighbors { $0 > $1 }
    case .lt: .neighbors { $0 < $1 }
    case .geq: .neighbors { $0 >= $1 }
    case .leq: .neighbors { $0 <= $1 }
    case .minus: .oneOrTwo({ -$0 }, { $0 - $1 })
    case .root: .oneOrTwo({ $0.squareRoot() }, { Glibc.pow($1, 1 / $0) })
    case .log: .oneOrTwo({ Glibc.log10($0) }, { Glibc.log($1) / Glibc.log($0) })
    case .divide: .two { $0 / $1 }
    case .power: .two { Glibc.pow($0, $1) }
    case .quotient: .two { ($0 / $1).rounded(.towardZero) }
    case .rem: .two { $0.truncatingRemainder(dividingBy: $1) }
    case .neq: .two { $0 != $1 ? 1 : 0 }
    case .implies: .two { $0 == 0 || $1 != 0 ? 1 : 0 }
    case .abs: .one { Swift.abs($0) }
    case .exp: .one { Glibc.exp($0) }
    case .ln: .one { Glibc.log($0) }
    case .floor: .one { $0.rounded(.down) }
    case .ceiling: .one { $0.rounded(.up) }
    case .factorial: .one { Glibc.tgamma($0 + 1) }
    case .not: .one { $0 == 0 ? 1 : 0 }
    case .sin: .one { Glibc.sin($0) }
    case .cos: .one { Glibc.cos($0) }
    case .tan: .one { Glibc.tan($0) }
    case .sec: .one { 1 / Glibc.cos($0) }
    case .csc: .one { 1 / Glibc.sin($0) }
    case .cot: .one { 1 / Glibc.tan($0) }
    case .arcsin: .one { Glibc.asin($0) }
    case .arccos: .one { Glibc.acos($0) }
    case .arctan: .one { Glibc.atan($0) }
    case .sinh: .one { Glibc.sinh($0) }
    case .cosh: .one { Glibc.cosh($0) }
    case .tanh: .one { Glibc.tanh($0) }
    }
  }

  private static func piecewise(_ values: ArraySlice<Double>) -> Double? {
    var index = values.startIndex
    while index + 1 < values.endIndex {
      if values[index + 1] != 0 { return values[index] }
      index += 2
    }
    return index < values.endIndex ? values[index] : nil
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
    return Array(starts.reversed())
  }
}

/// Solves formulas that assign names used by other formulas.
enum FormulaSystem {
  /// Computes everything that can be computed, each formula once, after those that it needs.
  ///
  /// - Parameters:
  ///   - formulas: The names and their formulas; the last of two formulas for one name is used.
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
