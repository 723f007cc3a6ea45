import PluginAPI
import Testing

@testable import Host

struct ScriptValueTests {
  private static let day = Value.date(Instant(seconds: 1_795_824_000, nanoseconds: 0))

  @Test(
    arguments: [
      (1, .equal, 1.0, true), (1, .equal, "1", true), ("1", .equal, "1.0", false), ("a", .equal, "a", true),
      ("10", .less, "9", true), (10, .less, "9", false), ("9", .less, 10, true), (.null, .equal, .null, true),
      (.null, .less, 1, false), (1, .atLeast, .null, false), (true, .equal, "true", false), (true, .equal, true, true),
      (.quantity(1.5, unit: "m"), .greater, 1, true), (.decimal("0.10"), .equal, 0.1, true),
      (9_007_199_254_740_993, .equal, 9_007_199_254_740_992, false), ([1, "2"], .equal, [1.0, 2], true),
      ([1, 2], .equal, [1], false), ([1, 2], .contains, 2.0, true), (3, .isIn, [1, 2], false),
      ("abc", .contains, "bc", true), ("abc", .contains, "", true), ("abc", .contains, "abcd", false),
      (["a": 1], .contains, "a", true), (.null, .contains, 1, false), (day, .atMost, "2026-11-29", true),
      (day, .equal, "no date", false), (.number(.nan), .less, 1, false), (.number(.nan), .atLeast, 1, false),
    ] as [(Value, ScriptComparison, Value, Bool)])
  func `values are compared by type`(left: Value, comparison: ScriptComparison, right: Value, holds: Bool) throws {
    #expect(try ScriptValue.holds(left, comparison, right) == holds)
  }

  @Test(
    arguments: [([1], .less, 2), (true, .less, false), ("a", .less, 1), (5, .contains, 5), (1, .isIn, 2)]
      as [(Value, ScriptComparison, Value)])
  func `comparisons without a meaning are refused`(left: Value, comparison: ScriptComparison, right: Value) {
    #expect(throws: ErrorReport.self) { try ScriptValue.holds(left, comparison, right) }
  }

  @Test func `parts of the declared schema match parts of the value`() throws {
    let table = Value.table(Table(columns: [.init("id", .integers([1, 2])), .init("tags", .values([["a"], ["b"]]))]))
    let shape = ValueSchema.table([.init("id", .integer), .init("tags", .list(.text))])
    for (text, value, part) in [
      ("$x.id", [1, 2], .list(.integer)), ("$x[-1].id", 2, .integer), ("$x[0].tags[0]", "a", .text),
      ("$x.count", 2, .integer), ("$x.tags[1]", ["b"], .list(.text)),
    ] as [(String, Value, ValueSchema)] {
      let reference = try #require(ScriptReader.reference(text))
      #expect(try ScriptValue.part(of: table, reference) == value && ScriptShape.part(of: shape, reference) == part)
    }
    for text in ["$x.no", "$x[0].no", "$x[0][0]", "$x.id.no"] {
      let reference = try #require(ScriptReader.reference(text))
      #expect(throws: ErrorReport.self) { try ScriptValue.part(of: table, reference) }
      #expect(throws: ErrorReport.self) { try ScriptShape.part(of: shape, reference) }
    }
  }

  @Test func `an unknown part lists the known ones, and null has no parts`() throws {
    let reference = try #require(ScriptReader.reference("$x.a.b"))
    #expect(throws: ScriptError.unknownPart("b", of: "$x.a", known: ["c"])) {
      try ScriptValue.part(of: ["a": ["c": 1]], reference)
    }
    #expect(throws: ScriptError.noValue("$x.a")) { try ScriptValue.part(of: ["a": nil], reference) }
    #expect(ScriptError.unknownPart("nam", of: "$x", known: ["name"]).advice == "did you mean 'name'?")
  }
}
