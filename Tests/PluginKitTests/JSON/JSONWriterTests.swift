import PluginAPI
import PluginJSON
import PluginText
import TestSupport
import Testing

struct JSONWriterTests {
  private func text(_ value: Value, indentation: Int? = nil) -> String {
    var writer = JSONWriter(indentation: indentation)
    writer.write(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `values are written compact or indented`() {
    let value: Value = ["a": [1, 2.5, true, nil], "b": ["c": "x"], "d": [], "e": .record([:])]
    #expect(text(value) == #"{"a":[1,2.5,true,null],"b":{"c":"x"},"d":[],"e":{}}"#)
    #expect(
      text(value, indentation: 2) == """
        {
          "a": [
            1,
            2.5,
            true,
            null
          ],
          "b": {
            "c": "x"
          },
          "d": [],
          "e": {}
        }
        """)
  }

  @Test func `control characters, quotes and backslashes are escaped, and other characters are unchanged`() {
    #expect(
      text("a\"b\\c\n\r\t\u{0}\u{1F}\u{8}/\u{7F}ü😀\u{2028}") == #""a\"b\\c\n\r\t\u0000\u001f\u0008/"#
        + "\u{7F}ü😀\u{2028}\"")
  }

  @Test func `every kind of value has a JSON form`() {
    #expect(text(.decimal("-12.3400")) == "-12.3400")
    #expect(text(.decimal("1,5")) == "\"1,5\"")
    #expect(text(.number(.nan)) == "null" && text(.number(-.infinity)) == "null")
    #expect(
      text(.bytes([1, 2, 3, 255])) == "\"AQID/w==\"" && text(.bytes([])) == "\"\"" && text(.bytes([77])) == "\"TQ==\"")
    #expect(text(.date(Instant(seconds: 0, nanoseconds: 0))) == "\"1970-01-01T00:00:00Z\"")
    #expect(text(.quantity(1.5, unit: "Å")) == #"{"value":1.5,"unit":"Å"}"#)
    #expect(text(.picture(Picture(width: 3, height: 2))) == #"{"width":3,"height":2}"#)
    let table = Table(columns: [Table.Column("n", .integers([1, 2])), Table.Column("t", .texts(["a", "b"]))])
    #expect(text(.table(table)) == #"[{"n":1,"t":"a"},{"n":2,"t":"b"}]"#)
  }

  @Test func `reading a written double restores it exactly`() throws {
    var random = SplitMix64(seed: 754)
    var lost: [Double] = []
    for _ in 0..<20_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      var writer = JSONWriter()
      writer.write(number)
      var back: Double?
      let reader = try JSONReader { event in
        if case .number(let text) = event { back = text.number }
        return .more
      }
      try reader.push(writer.bytes)
      try reader.finish()
      if back?.bitPattern != number.bitPattern { lost.append(number) }
    }
    #expect(lost == [])
  }

  @Test func `written bytes can be taken at any time`() throws {
    var writer = JSONWriter()
    var sent: [UInt8] = []
    writer.beginObject()
    writer.key("rows")
    writer.beginArray()
    for row in 0..<1000 {
      writer.write(row)
      if writer.bytes.count > 64 { sent += writer.take() }
    }
    writer.endArray()
    writer.key("raw")
    writer.write(raw: Array(#"{"a" : 1.50}"#.utf8))
    writer.key("big")
    try writer.write(number: "123456789012345678901234567890.50")
    writer.endObject()
    sent += writer.take()
    #expect(writer.depth == 0 && writer.bytes == [])
    let value = try Value(json: sent)
    #expect(value["rows"].list?.count == 1000 && value["raw"]["a"] == 1.5)
    #expect(value["big"] == .decimal("123456789012345678901234567890.50"))
  }

  @Test(arguments: ["", "-", "01", "1.", ".5", "1e", "+1", "NaN", "1 ", "0x1", "1e+"])
  func `text that is not a number is not written as one`(
    text: String
  ) {
    var writer = JSONWriter()
    #expect(throws: JSONError.noNumber(text)) { try writer.write(number: text) }
    #expect(writer.bytes == [])
  }

  @Test func `a sequence of values has one line per value`() {
    var writer = JSONWriter()
    for number in 1...3 { writer.write(["n": .integer(number)]) }
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "{\"n\":1}\n{\"n\":2}\n{\"n\":3}")
  }
}
