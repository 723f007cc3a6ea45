import PluginAPI
import Testing

@testable import Molecules

struct JSONTextTests {
  private func read(_ text: String) throws -> Value { try JSONText.read(Array(text.utf8)) }

  @Test func `JSON documents are parsed`() throws {
    let value = try read(#" {"a":[1,-2.5e3,true,false,null],"é\u00e9\n":"\ud83d\ude00\"\\\/","a2":{},"n":[]} "#)
    #expect(value["a"] == [1, -2500.0, true, false, .null])
    #expect(value["éé\n"] == "😀\"\\/")
    #expect(try read(#"{"a":1,"a":2}"#)["a"] == 2)
    #expect(try read("12345678901234567890") == 12_345_678_901_234_567_890.0)
    #expect(try read(#""\ud800x""#) == "\u{FFFD}x")
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\"}", "{a:1}", "nul", "1 2", "\"a", "\"\\x\"", "\"\\u12\"", "[1", "-", "1e999", "\u{0}",
  ])
  func `malformed JSON is refused`(text: String) {
    #expect(throws: JSONTextError.self) { try read(text) }
  }

  @Test func `nesting has a limit`() {
    #expect(throws: JSONTextError.self) { try read(String(repeating: "[", count: 100_000)) }
  }

  @Test func `reading a quoted text restores it`() throws {
    let text = "a\"b\\c\n\t\u{1}é😀/"
    #expect(try read(JSONText.quoted(text)) == .text(text))
  }
}
