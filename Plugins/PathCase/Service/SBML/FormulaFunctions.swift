/// The functions that a model defines for its formulas.
struct FormulaFunctions: Sendable, Hashable {
  /// A function.
  struct Function: Sendable, Hashable {
    /// The names of what it is given, in their order.
    var parameters: [Identifier]
    var program: FormulaProgram
  }

  /// A function that is at work.
  private struct Frame {
    var program: FormulaProgram
    /// The next step.
    var next = 0
    /// The function's place among all; formulas come behind all of them.
    var place: Int
    /// What the names in it stand for; nil in a formula.
    var locals: [Identifier: Double]?
    /// How many values there were when it began.
    var base: Int
  }

  private var places: [Identifier: Int] = [:]
  private var functions: [Function] = []

  /// How many steps functions may take for one formula: each may call others twice as often as the one before it.
  static let mostSteps = 10_000

  /// Adds a function; it may call those before it.
  mutating func add(_ id: Identifier, _ function: Function) {
    places[id] = functions.count
    functions.append(function)
  }

  /// The value of a formula.
  ///
  /// - Parameter value: gives the value of a name in the formula; nil if it has none.
  /// - Returns: the number; nil if a name has no value, a function is not there or is given too few or too many values,
  ///   or functions take too many steps.
  /// - Source: SBML Level 3 Version 2 Core, section 4.3: functions call those that are defined before them.
  func value(of formula: FormulaProgram, _ value: (Identifier) -> Double?) -> Double? {
    var stack: [Double] = []
    var frames = [Frame(program: formula, place: functions.count, base: 0)]
    var steps = 0
    while let top = frames.indices.last {
      guard frames[top].next < frames[top].program.steps.count else {
        // It leaves one value and nothing else.
        guard stack.count == frames[top].base + 1 else { return nil }
        frames.removeLast()
        continue
      }
      let step = frames[top].program.steps[frames[top].next]
      frames[top].next += 1
      if frames[top].locals != nil {
        steps += 1
        if steps > Self.mostSteps { return nil }
      }
      switch step {
      case .number(let number): stack.append(number)
      case .symbol(let name):
        guard let number = frames[top].locals.map({ $0[name] }) ?? value(name) else { return nil }
        stack.append(number)
      case .apply(let operation, let count):
        guard count >= 0, count <= stack.count - frames[top].base else { return nil }
        guard let result = operation.value(of: stack.suffix(count)) else { return nil }
        stack.removeLast(count)
        stack.append(result)
      case .call(let name, let count):
        guard count <= stack.count - frames[top].base,
          let frame = frame(of: name, stack.suffix(count), before: frames[top].place, base: stack.count - count)
        else { return nil }
        stack.removeLast(count)
        frames.append(frame)
      }
    }
    return stack.count == 1 ? stack[0] : nil
  }

  private func frame(of name: Identifier, _ values: ArraySlice<Double>, before last: Int, base: Int) -> Frame? {
    guard let place = places[name], place < last, functions[place].parameters.count == values.count else { return nil }
    let locals = Dictionary(zip(functions[place].parameters, values), uniquingKeysWith: { first, _ in first })
    return Frame(program: functions[place].program, place: place, locals: locals, base: base)
  }
}
