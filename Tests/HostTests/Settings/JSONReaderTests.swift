import PluginAPI
import Testing

@testable import Host

struct JSONReaderTests {
  @Test func `each kind of JSON value is read`() throws {
    let value = try JSONReader.read(
      Array(#" {"a":[1,-2.5,true,false,null,"x\u00e9\ud83d\ude00\n\/"],"b":{},"c":[]} "#.utf8))
    #expect(value == ["a": [1, -2.5, true, false, nil, "xé😀\n/"], "b": [:], "c": []])
  }

  @Test func `numbers are written as read`() throws {
    for text in ["0", "-0", "1e5", "12345678901234567890", "0.10", "1.0", "3.14", "-7", "1E+2"] {
      let value = try JSONReader.read(Array(text.utf8))
      #expect(JSONWriter.text(of: value) == text)
    }
  }

  @Test(arguments: [
    ("{\n  \"a\": 1,\n}", 3, "a name in quotes is expected"), ("[1 2]", 1, "',' or ']' is expected"),
    ("", 1, "the document ends where a value is expected"), ("{\"a\":1,\"a\":2}", 1, "the name 'a' occurs twice"),
    ("\"\u{1}\"", 1, "a string contains a control character"), ("[01]", 1, "a number is expected"),
    ("[1.]", 1, "digits are expected after the decimal point"), ("[1e]", 1, "digits are expected in the exponent"),
    ("\"abc", 1, "a string is not closed"), ("\"\\q\"", 1, "an unknown escape"), ("nul", 1, "a value is expected"),
    ("\"\\ud800x\"", 1, "half a surrogate pair"), ("\"\\u00g0\"", 1, "four hexadecimal digits are expected"),
    ("1 2", 1, "text follows the end of the document"), ("// x", 1, "a value is expected"),
    ("{\"a\" 1}", 1, "':' is expected after 'a'"),
  ]) func `a syntax error is reported with its line`(text: String, line: Int, problem: String) {
    let error = #expect(throws: JSONError.self) { try JSONReader.read(Array(text.utf8)) }
    #expect(error?.line == line && error?.problem == problem)
  }

  @Test func `deep nesting and bytes that are not UTF-8 are refused`() {
    #expect(throws: JSONError.self) { try JSONReader.read([UInt8](repeating: UInt8(ascii: "["), count: 100_000)) }
    #expect(throws: JSONError.self) { try JSONReader.read([0x22, 0xFF, 0x22]) }
  }

  @Test func `an object with many names is read, and a duplicate is found`() throws {
    let names = (0..<200_000).map { "\"n\($0)\":0" }.joined(separator: ",")
    let record = try JSONReader.read(Array("{\(names)}".utf8)).record
    #expect(record?.fields.count == 200_000)
    let error = #expect(throws: JSONError.self) { try JSONReader.read(Array("{\(names),\"n150000\":1}".utf8)) }
    #expect(error?.problem == "the name 'n150000' occurs twice")
  }
}
