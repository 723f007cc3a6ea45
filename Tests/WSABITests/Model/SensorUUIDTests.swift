import Testing

@testable import WSABI

@Suite struct SensorUUIDTests {
  @Test func `UUIDs ignore case and preserve their text`() throws {
    let upper = try #require(SensorUUID("B9F3A1D2-0001-4C4E-9E2F-ABCDEFABCDEF"))
    let lower = try #require(SensorUUID("b9f3a1d2-0001-4c4e-9e2f-abcdefabcdef\r\n"))
    #expect(upper == lower)
    #expect(upper.hashValue == lower.hashValue)
    #expect(upper.text == "B9F3A1D2-0001-4C4E-9E2F-ABCDEFABCDEF")
  }

  @Test(arguments: [
    "", "../../x", "b9f3a1d2-0001-4c4e-9e2f-abcdefabcde", "b9f3a1d2-0001-4c4e-9e2f-abcdefabcdefa",
    "b9f3a1d2 0001-4c4e-9e2f-abcdefabcdef", "g9f3a1d2-0001-4c4e-9e2f-abcdefabcdef",
    "b9f3a1d2-0001-4c4e-9e2f-abcdefabcd\u{e9}",
  ]) func `text without the form of a UUID is not a UUID`(_ text: String) {
    #expect(SensorUUID(text) == nil)
  }
}
