import Testing

@testable import PathCase

@Suite struct FormulaProgramTests {
  private func value(_ operation: FormulaOperation, _ values: [Double]) -> Double? {
    FormulaProgram(steps: values.map { .number($0) } + [.apply(operation, count: values.count)]).value { _ in nil }
  }

  @Test func `operations follow their mathematical definitions`() {
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

  @Test func `an operation with too few or too many operands has no value`() {
    #expect(value(.divide, [1]) == nil)
    #expect(value(.sin, [1, 2, 3]) == nil)
    #expect(value(.piecewise, [1, 0]) == nil)
    #expect(FormulaProgram(steps: [.apply(.plus, count: 2)]).value { _ in nil } == nil)
    #expect(FormulaProgram().value { _ in nil } == nil)
    #expect(FormulaProgram(steps: [.symbol("a")]).value { _ in nil } == nil)
  }

  @Test func `formulas are evaluated after those they depend on`() {
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

struct FormulaFunctionTests {
  private func model(_ functions: String, _ formula: String) throws -> ReactionModel {
    try SBMLReader.model(
      Array(
        """
        <?xml version="1.0"?><sbml xmlns="http://www.sbml.org/sbml/level3/version1/core" level="3" version="1">
        <model id="m"><listOfFunctionDefinitions>\(functions)</listOfFunctionDefinitions>
        <listOfParameters><parameter id="p" value="3" constant="true"/><parameter id="q" constant="false"/>
        </listOfParameters><listOfInitialAssignments><initialAssignment symbol="q">
        <math xmlns="http://www.w3.org/1998/Math/MathML">\(formula)</math></initialAssignment></listOfInitialAssignments>
        </model></sbml>
        """.utf8)
    ).model
  }

  private func function(_ id: String, _ names: String..., body: String) -> String {
    let parameters = names.map { "<bvar><ci>\($0)</ci></bvar>" }.joined()
    return """
      <functionDefinition id="\(id)"><math xmlns="http://www.w3.org/1998/Math/MathML"><lambda>\(parameters)\(body)</lambda>
      </math></functionDefinition>
      """
  }

  @Test func `functions of the model are expanded, also nested ones`() throws {
    let less = function("less", "a", "b", body: "<apply><minus/><ci>a</ci><ci>b</ci></apply>")
    let twice = function(
      "twice", "x", body: "<apply><ci>less</ci><apply><times/><cn>3</cn><ci>x</ci></apply><ci>x</ci></apply>")
    let found = try model(
      less + twice,
      "<apply><ci>twice</ci><apply><ci>less</ci><ci>p</ci><apply><ci>twice</ci><cn>0.25</cn></apply></apply></apply>")
    #expect(found.parameters[1].value == 5)
  }

  @Test func `unknown, recursive and exploding functions have no value`() throws {
    let one = function("one", body: "<cn>7</cn>")
    #expect(try model(one, "<apply><ci>one</ci></apply>").parameters[1].value == 7)
    #expect(try model(one, "<apply><ci>one</ci><cn>1</cn></apply>").parameters[1].value == nil)
    #expect(try model("", "<apply><ci>none</ci><cn>1</cn></apply>").parameters[1].value == nil)
    let itself = function("f", "x", body: "<apply><ci>f</ci><ci>x</ci></apply>")
    #expect(try model(itself, "<apply><ci>f</ci><cn>1</cn></apply>").parameters[1].value == nil)
    var bomb = function("f0", "x", body: "<apply><plus/><ci>x</ci><ci>x</ci></apply>")
    for number in 1...200 {
      bomb += function(
        "f\(number)", "x",
        body:
          "<apply><plus/><apply><ci>f\(number - 1)</ci><ci>x</ci></apply><apply><ci>f\(number - 1)</ci><ci>x</ci></apply></apply>"
      )
    }
    #expect(try model(bomb, "<apply><ci>f200</ci><cn>1</cn></apply>").parameters[1].value == nil)
  }
}
