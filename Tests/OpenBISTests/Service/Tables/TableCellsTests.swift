import PluginAPI
import Testing

@testable import OpenBIS

/// The JSON in cells of details: properties and images.
struct TableCellsTests {
  private func properties(_ cell: String) -> [Property]? {
    Array(cell.utf8).withUnsafeBufferPointer { PropertiesCell.read($0) }
  }

  private func images(_ cell: String) -> [EntityImage]? {
    Array(cell.utf8).withUnsafeBufferPointer { ImagesCell.read($0) }
  }

  private func value(_ json: String) -> String? {
    properties(#"[{"key":"K","label":"L","value":\#(json),"more":[1,{"key":"x"}]}]"#)?.first?.value
  }

  @Test(arguments: [
    ("null", ""), ("7", "7"), ("9007199254740993.10", "9007199254740993.10"), ("true", "true"), ("\"a\\nb\"", "a\nb"),
    (#"["a",1,null,true,{"x":1}]"#, #"a, 1, , true, {"x":1}"#), (#"{"x":[1]}"#, #"{"x":[1]}"#), ("[]", ""),
    ("\"\\u001b[31m<html><b>x</b>\"", "\u{1B}[31m<html><b>x</b>"),
  ])
  func `case 36: a value of any kind becomes text`(json: String, expected: String) {
    #expect(value(json) == expected)
  }

  @Test func `case 36: a value of ten megabytes is read completely`() {
    let long = String(repeating: "0123456789", count: 1 << 20)
    #expect(value("\"\(long)\"") == long)
  }

  @Test func `properties keep their order, and missing keys and labels are filled in`() {
    let cell = ##"[{"label":"A","value":"1"},{"value":2,"key":"#B"},7,[{"key":"no"}],{},null,{"key":"C","label":"c"}]"##
    #expect(
      properties(cell) == [
        Property(key: "A", label: "A", value: "1"), Property(key: "#B", label: "#B", value: "2"),
        Property(key: "C", label: "c", value: ""),
      ])
  }

  @Test func `case 37: an object is a list of keys and values`() {
    #expect(
      properties(#"{"A":"1","B":{"x":2},"C":[1,2],"D":null}"#) == [
        Property(key: "A", label: "A", value: "1"), Property(key: "B", label: "B", value: #"{"x":2}"#),
        Property(key: "C", label: "C", value: "1, 2"), Property(key: "D", label: "D", value: ""),
      ])
    #expect(properties("{}") == [] && properties("[]") == [] && properties(" \n") == [])
  }

  @Test(arguments: ["{", "[{]", "7", "\"x\"", "[] x", "<html>", "null", "[1,2]", "[null]", "[[],\"x\"]"])
  func `malformed properties are unknown`(cell: String) {
    #expect(properties(cell) == nil)
  }

  @Test func `addresses of images are stored unchanged`() {
    let cell = #"""
      {"MARQUEE":{"URL":"https://h/a.png"},
       "TILED":[{"URL":"/datastore_server/x.jpg"},{"URL":"b.svg?x=1"},"http://h/c.png"]}
      """#
    #expect(
      images(cell) == [
        EntityImage(role: .marquee, source: .address("https://h/a.png")),
        EntityImage(role: .tiled, source: .address("/datastore_server/x.jpg")),
        EntityImage(role: .tiled, source: .address("b.svg?x=1")),
        EntityImage(role: .tiled, source: .address("http://h/c.png")),
      ])
    #expect(images(" ") == [])
    #expect(images("") == [] && images("{}") == [] && images(#"{"MARQUEE":null,"TILED":null}"#) == [])
  }

  @Test(arguments: [
    #"{"URL":null}"#, #"{"URL":""}"#, #"{"URL":"ftp://h/x.png"}"#, #"{"URL":"data:image/png;base64,AA=="}"#,
    #"{"URL":"FILE:///etc/passwd"}"#, "{}", "7", #"{"DATA":{}}"#,
    // Case 39.
    #"{"DATA":{"BASE64":"%%%%","FORMAT":"PNG"}}"#, #"{"DATA":{"BASE64":"AAAAA","FORMAT":"PNG"}}"#,
    #"{"DATA":{"BASE64":"_9j_4AAQ","FORMAT":"JPEG"}}"#, #"{"DATA":{"BASE64":"","FORMAT":"PNG"}}"#,
    #"{"DATA":{"BASE64":"aGVsbG8gd29ybGQ=","FORMAT":"PNG"}}"#,
  ])
  func `cases 38 and 39: an unusable image has a reason`(specification: String) {
    guard let image = images(#"{"MARQUEE":\#(specification)}"#)?.first, case .unusable(let reason) = image.source else {
      Issue.record("it is usable")
      return
    }
    #expect(!reason.isEmpty && image.role == .marquee)
  }

  @Test(arguments: ["{", "7", "[]", "x"]) func `case 38: malformed images are unknown`(cell: String) {
    #expect(images(cell) == nil)
  }

  @Test(arguments: [
    ("iVBORw0KGgoAAAAA", "PNG"), ("iVBORw0KGgo", "PNG"), ("iVBO\\r\\nRw0K GgoA\\n", "PNG"), ("/9j/4AAQ", "JPEG"),
    ("R0lGODlhAQABAA==", "GIF"),
    ("PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=", "SVG"),
  ])
  func `case 39: base64 with whitespace is read, and the format detected from the bytes`(text: String, format: String) {
    let image = images(#"{"MARQUEE":{"DATA":{"BASE64":"\#(text)","FORMAT":"PNG"}}}"#)?.first
    guard case .bytes(let bytes) = image?.source else {
      Issue.record("it has no bytes")
      return
    }
    #expect(image?.format == format && ImageBytes.format(bytes) == format)
  }

  @Test func `case 40: two hundred tiles are read as addresses only`() {
    let tiles = (0..<200).map { #"{"URL":"https://h/\#($0).png"}"# }.joined(separator: ",")
    let found = images(#"{"TILED":[\#(tiles)]}"#)
    #expect(found?.count == 200 && found?.last?.source == .address("https://h/199.png"))
  }
}
