import PluginAPI
import Testing

struct ParameterBoundsTests {
  @Test func `bounds apply to text and values`() throws {
    let number = Parameter("cutoff", .number(minimum: 0, maximum: 10), "a length", unit: "angstrom")
    #expect(try number.value(parsing: "10") == .number(10))
    #expect(throws: ParameterError.self) { try number.value(parsing: "10.5") }
    #expect(throws: ParameterError.self) { try number.value(accepting: .integer(-1)) }
  }

  @Test(arguments: [
    Parameter.Kind.integer(minimum: 5, maximum: 1), .number(minimum: 1, maximum: 0), .number(minimum: .nan, maximum: 1),
  ])
  func `contradictory bounds refuse every value`(kind: Parameter.Kind) {
    #expect(throws: ParameterError.self) { try Parameter("odd", kind, "a mistake").value(parsing: "1") }
    #expect(throws: ParameterError.self) { try Parameter("odd", kind, "a mistake").value(accepting: .integer(3)) }
  }
}
