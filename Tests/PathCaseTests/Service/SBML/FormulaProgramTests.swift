import Testing

@testable import PathCase

@Suite struct FormulaProgramTests {
  private func value(_ operation: FormulaOperation, _ values: [Double]) -> Double? {
    FormulaProgram(steps: values.map { .number($0) } + [.apply(operation, count: values.count)]).value { _ in nil }
  }

  @Test func `operations give what mathematics says`() {
    #expect(value(.minus, [3]) == -3)
    #expect(value(.minus, [3, 1]) == 2)
    #expect(value(.power, [2, 10]) == 1024)
    #expect(value(.root, [9]) == 3)
    #expect(value(.times, []) == 1)
    #expect(value(.piecewise, [1, 0, 2, 1, 3]) == 2)
    #expect(value(.piecewise, [1, 0, 3]) == 3)
    #expect(value(.lt, [1, 2, 2]) == 0)
    #expect(value(.leq, [1, 2, 2]) == 1)
    #expect(value(.xor, [1, 1, 1]) == 1)
    #expect(value(.quotient, [-7, 2]) == -3)
  }

  @Test func `what has too few or too many parts has no value`() {
    #expect(value(.divide, [1]) == nil)
    #expect(value(.sin, [1, 2, 3]) == nil)
    #expect(value(.piecewise, [1, 0]) == nil)
    #expect(FormulaProgram(steps: [.apply(.plus, count: 2)]).value { _ in nil } == nil)
    #expect(FormulaProgram().value { _ in nil } == nil)
    #expect(FormulaProgram(steps: [.symbol("a")]).value { _ in nil } == nil)
  }

  @Test func `functions of a model are called with what they are given`() {
    var functions = FormulaFunctions()
    let twice = FormulaProgram(steps: [.symbol("x"), .number(2), .apply(.times, count: 2)])
    functions.add("twice", .init(parameters: ["x"], program: twice))
    let both: [FormulaProgram.Step] = [
      .symbol("b"), .call("twice", count: 1), .symbol("a"), .apply(.minus, count: 2),
    ]
    functions.add("both", .init(parameters: ["a", "b"], program: FormulaProgram(steps: both)))
    func value(_ steps: [FormulaProgram.Step]) -> Double? {
      functions.value(of: FormulaProgram(steps: steps)) { $0 == "n" ? 7 : nil }
    }
    #expect(value([.number(1), .symbol("n"), .call("both", count: 2)]) == 13)
    // What a function is not given it does not know, whatever the names of the model are.
    functions.add("outer", .init(parameters: [], program: FormulaProgram(steps: [.symbol("n")])))
    #expect(value([.call("outer", count: 0)]) == nil)
    #expect(value([.call("twice", count: 0)]) == nil && value([.number(1), .call("none", count: 1)]) == nil)
    #expect(value([.call("twice", count: 1)]) == nil)
  }

  @Test func `functions that call themselves, or others very often, have no value and end`() {
    var functions = FormulaFunctions()
    functions.add("f0", .init(parameters: ["x"], program: FormulaProgram(steps: [.symbol("x")])))
    for number in 1..<60 {
      let call = FormulaProgram.Step.call(Identifier("f\(number - 1)"), count: 1)
      let program = FormulaProgram(steps: [.symbol("x"), call, .symbol("x"), call, .apply(.plus, count: 2)])
      functions.add(Identifier("f\(number)"), .init(parameters: ["x"], program: program))
    }
    functions.add("self", .init(parameters: [], program: FormulaProgram(steps: [.call("self", count: 0)])))
    func value(_ name: Identifier, _ count: Int) -> Double? {
      functions.value(of: FormulaProgram(steps: (0..<count).map { _ in .number(1) } + [.call(name, count: count)])) {
        _ in
        nil
      }
    }
    #expect(value("f5", 1) == 32 && value("f59", 1) == nil && value("self", 0) == nil)
  }

  @Test func `formulas are computed after those they need`() {
    var values: [Identifier: Double] = ["x": 2]
    func twice(_ name: Identifier) -> FormulaProgram {
      FormulaProgram(steps: [.symbol(name), .number(2), .apply(.times, count: 2)])
    }
    let chain = (0..<5000).reversed().map { (Identifier("n\($0)"), twice($0 == 0 ? "x" : Identifier("n\($0 - 1)"))) }
    let ring: [(Identifier, FormulaProgram)] = [("a", twice("b")), ("b", twice("a")), ("c", twice("a"))]
    let unknown = FormulaSystem.solve(Array(chain.suffix(3)) + ring, &values)
    #expect(values["n0"] == 4)
    #expect(values["n2"] == 16)
    #expect(unknown == ["a", "b", "c"])
    #expect(FormulaSystem.solve(chain, &values).isEmpty)
    #expect(values["n4999"] == .infinity)
  }
}
