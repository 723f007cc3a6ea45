import PluginAPI
import Testing

@testable import WSABI
@testable import WSABISimulator

@Suite struct TextAreaTests {
  private let room = Size(width: 11, height: 3)

  private func typed(_ keys: [String], in area: TextArea = TextArea()) throws -> TextArea {
    var area = area
    for text in keys {
      let isTaken = area.handle(Key(text).map(Event.key) ?? .paste(text), in: room)
      #expect(isTaken, "\(text)")
    }
    return area
  }

  private func rows(_ area: TextArea) -> [String] {
    var frame = TextFrame(size: Size(width: room.width, height: 12))
    area.draw(into: &frame, in: frame.bounds)
    return frame.plainText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `enter begins a line, and pasted text keeps its line breaks`() throws {
    let area = try typed(["a", "enter", "enter", "two\r\nthree", "left", "home", "x", "end", "!"])
    #expect(area.text == "a\n\ntwo\nxthree!")
    #expect(TextArea("a\n\tb\u{7}\n").text == "a\n b\n")
  }

  @Test func `editing keys join and cut lines at their ends`() throws {
    #expect(try typed(["home", "backspace"], in: TextArea("one\ntwo")).text == "onetwo")
    #expect(try typed(["up", "end", "delete"], in: TextArea("one\ntwo")).text == "onetwo")
    #expect(try typed(["ctrl-u"], in: TextArea("one\ntwo three")).text == "one\n")
    #expect(try typed(["ctrl-w", "ctrl-w"], in: TextArea("one\ntwo three ")).text == "one\n")
    #expect(try typed(["home", "ctrl-k", "ctrl-k"], in: TextArea("one\ntwo")).text == "one\n")
    #expect(try typed(["ctrl-home", "backspace", "ctrl-end", "delete"], in: TextArea("one\ntwo")).text == "one\ntwo")
  }

  @Test func `long lines wrap at spaces, and long words and wide characters wrap inside`() {
    #expect(rows(TextArea("one two three four")).prefix(2) == ["one two", "three four"])
    #expect(rows(TextArea("abcdefghijklmno")).prefix(2) == ["abcdefghij", "klmno"])
    #expect(rows(TextArea("王小明田中さくら")).prefix(2) == ["王小明田中", "さくら"])
    #expect(TextArea("").rows(width: 0).count == 1 && TextArea("ab").rows(width: 1).count == 2)
  }

  @Test func `up and down move by visible rows and keep their column`() throws {
    let area = TextArea("one two three four\nab\nthird")
    var moved = try typed(["up"], in: area)
    #expect([moved.line, moved.column] == [1, 2])
    moved = try typed(["up"], in: moved)
    #expect(moved.line == 0 && moved.column == 8 + 5)
    moved = try typed(["up", "up", "up"], in: moved)
    #expect([moved.line, moved.column] == [0, 5])
  }

  @Test func `the cursor stays visible, and a click moves it`() throws {
    var area = try typed((1...9).flatMap { ["\($0)", "enter"] })
    #expect(area.top == 7)
    area.point(at: Point(x: 5, y: 0), in: room)
    #expect([area.line, area.column] == [7, 1])
    area = try typed(["page-up", "page-up", "page-up", "page-up", "page-up"], in: area)
    #expect(area.top == 0 && area.line == 0)
  }

  @Test func `random keys keep the cursor inside the text`() {
    var area = TextArea("")
    var chance = SeededChance(7)
    let keys = [
      "a", "space", "é", "王", "enter", "backspace", "delete", "left", "right", "up", "down", "home", "end", "ctrl-k",
    ]
    var isInside = true
    for _ in 0..<5000 {
      let size = Size(width: chance.below(9), height: chance.below(4))
      if let key = Key(keys[chance.below(keys.count)]) { _ = area.handle(.key(key), in: size) }
      let lines = area.text.split(separator: "\n", omittingEmptySubsequences: false)
      isInside = isInside && lines.indices.contains(area.line) && area.column <= lines[area.line].count
    }
    #expect(isInside)
  }
}
