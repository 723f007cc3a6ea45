import Testing

@testable import WSABI

@Suite struct WireValueSettingTests {
  @Test(arguments: [
    ("640", WireValue.integer(640, type: "int")), ("-3", .integer(-3, type: "int")),
    ("19.685", .decimal("19.685", type: "decimal")), ("true", .boolean(true)), ("False", .boolean(false)),
    ("640x480", .resolution(WireResolution(width: "640", height: "480", unit: nil))),
    ("image/png", .string("image/png")), ("nan", .string("nan")), ("0x10", .string("0x10")), ("1e3", .string("1e3")),
    ("x", .string("x")), ("-", .string("-")),
    ("1.", .string("1.")), ("0x0", .string("0x0")), ("", .string("")), ("x480", .string("x480")),
    ("99999999999999999999", .decimal("99999999999999999999", type: "decimal")),
  ])
  func `the type of a setting is inferred from its text`(_ text: String, _ value: WireValue) {
    #expect(WireValue(setting: text) == value)
  }

  @Test(arguments: [
    ("640", "string", WireValue.string("640")), ("640", "positiveInteger", .integer(640, type: "positiveInteger")),
    ("640", "double", .double(640, type: "double")), ("wide", "int", .other("wide", type: "int")),
    ("nan", "double", .other("nan", type: "double")), ("1", "boolean", .other("1", type: "boolean")),
    ("500", "decimal", .decimal("500", type: "decimal")), ("a b", "anyURI", .uri("a b")),
    ("640x480", "Resolution", .resolution(WireResolution(width: "640", height: "480", unit: nil))),
    ("640", "Strange", .string("640")),
  ])
  func `the type that the sensor names overrides the inferred one`(_ text: String, _ type: String, _ value: WireValue) {
    #expect(WireValue(setting: text, type: type) == value)
  }
}
