import PluginAPI
import Testing

struct ParameterTests {
  private static let small = Parameter("n", .integer(minimum: 1, maximum: 9), "a count")
  private static let angle = Parameter("a", .number(minimum: -180, maximum: 180), "an angle", unit: "degree")
  private static let mode = Parameter("m", .choice(["sticks", "cylinders"]), "a mode")
  private static let turn = Parameter("t", .numbers(count: 3), "a turn")

  @Test func `text is parsed into a value of the parameter's kind`() throws {
    #expect(try Self.small.value(parsing: "9") == 9)
    #expect(try Self.angle.value(parsing: "-1.5e2") == -150.0)
    #expect(try Self.mode.value(parsing: "sticks") == "sticks")
    #expect(try Self.turn.value(parsing: "1,-2.5,0") == [1.0, -2.5, 0.0])
    #expect(try Parameter("f", .flag, "").value(parsing: "yes") == true)
    #expect(try Parameter("f", .flag, "").value(parsing: "false") == false)
    #expect(try Parameter("p", .inputFile(extensions: ["pdb"]), "").value(parsing: "-x y") == "-x y")
  }

  @Test(arguments: [
    (small, "0", "a whole number from 1 to 9"), (small, "10", "a whole number from 1 to 9"),
    (small, "1.0", "a whole number from 1 to 9"), (small, "", "a whole number from 1 to 9"),
    (small, "99999999999999999999", "a whole number from 1 to 9"),
    (angle, "nan", "a number from -180 to 180 (°)"), (angle, "inf", "a number from -180 to 180 (°)"),
    (angle, "180.1", "a number from -180 to 180 (°)"), (turn, "1,2", "3 numbers separated by commas"),
    (turn, "1,2,", "3 numbers separated by commas"), (turn, "1,2,3,4", "3 numbers separated by commas"),
    (turn, "1,2,nan", "3 numbers separated by commas"), (Parameter("f", .flag, ""), "maybe", "yes or no"),
  ])
  func `an unsuitable text is refused with the expected form`(parameter: Parameter, text: String, expected: String) {
    let error = #expect(throws: ParameterError.self) { try parameter.value(parsing: text) }
    #expect(error?.expected == expected && error?.text == text && error?.parameter == parameter.name)
  }

  @Test func `a wrong choice suggests the nearest one`() {
    let error = #expect(throws: ParameterError.self) { try Self.mode.value(parsing: "stiks") }
    #expect(error?.nearest == "sticks")
    #expect(
      error.map { "\($0)" } == "'stiks' is not one of sticks, cylinders for 'm'; did you mean 'sticks'?")
  }

  @Test func `script values are converted if their meaning is the same`() throws {
    #expect(try Self.angle.value(accepting: 3) == 3.0)
    #expect(try Self.angle.value(accepting: .quantity(20, unit: "degree")) == 20.0)
    #expect(try Self.small.value(accepting: "7") == 7)
    #expect(try Self.mode.value(accepting: "sticks") == "sticks")
    #expect(try Parameter("s", .text, "").value(accepting: 12) == "12")
    #expect(try Self.turn.value(accepting: [1, 2.5, 3]) == [1.0, 2.5, 3.0])
    #expect(throws: ParameterError.self) { try Self.turn.value(accepting: [1, 2]) }
    #expect(throws: ParameterError.self) { try Self.small.value(accepting: 10) }
    #expect(throws: ParameterError.self) { try Self.small.value(accepting: true) }
    #expect(throws: ParameterError.self) { try Self.mode.value(accepting: ["sticks"]) }
  }

  @Test func `a repeatable parameter accepts one value or a list`() throws {
    let several = Parameter("n", .integer(minimum: 1, maximum: 9), "counts", isRepeatable: true)
    #expect(try several.value(accepting: 3) == [3])
    #expect(try several.value(accepting: [1, "2"]) == [1, 2])
    #expect(throws: ParameterError.self) { try several.value(accepting: [1, 10]) }
  }

  @Test func `open bounds are not mentioned`() {
    func words(_ minimum: Int, _ maximum: Int) -> String {
      Parameter("n", .integer(minimum: minimum, maximum: maximum), "").expectation
    }
    #expect(words(.min, .max) == "a whole number")
    #expect(words(0, .max) == "a whole number of 0 or more")
    #expect(words(.min, 5) == "a whole number of 5 or less")
  }

  @Test func `units are named by their symbols, and whole bounds have no decimals`() {
    func words(_ minimum: Double, _ maximum: Double, _ unit: String?) -> String {
      Parameter("n", .number(minimum: minimum, maximum: maximum), "", unit: unit).expectation
    }
    #expect(words(0.5, 3600, "second") == "a number from 0.5 to 3600 (s)")
    #expect(words(-.greatestFiniteMagnitude, 1e9, "angstrom") == "a number of 1000000000 or less (Å)")
    #expect(words(0, .greatestFiniteMagnitude, "parsec") == "a number of 0 or more (parsec)")
  }

  @Test func `a flag is false by default`() {
    #expect(Parameter("f", .flag, "").defaultValue == false)
    #expect(Parameter("s", .text, "").defaultValue.isNull)
  }
}
