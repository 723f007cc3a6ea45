import Testing

@testable import PathCase

struct ContractNumberTests {
  @Test(arguments: [
    ("2", 2.0), (" \t-0.5\n", -0.5), ("+1.e3", 1000), (".5", 0.5), ("1E-2", 0.01), ("007", 7), ("1e-400", 0),
  ])
  func `numbers are parsed as in XML Schema`(_ text: String, _ number: Double) {
    #expect(ContractNumber.double(text) == number)
  }

  @Test(arguments: [
    "", " ", ".", "-", "e5", "1e", "1e+", "NaN", "nan", "INF", "-INF", "infinity", "0x10", "0x1p3", "1e400", "2,5",
    "1 2", "1_000", "١", "--1", "1.2.3", "1e2.5",
  ])
  func `other texts are not numbers`(_ text: String) {
    #expect(ContractNumber.double(text) == nil)
  }

  @Test func `integers out of range or malformed are refused`() {
    #expect(ContractNumber.integer(" -12 ") == -12 && ContractNumber.integer("+3") == 3)
    #expect(["", "-", "1.0", "9223372036854775808", "0x1", "1e3"].allSatisfy { ContractNumber.integer($0) == nil })
  }
}
