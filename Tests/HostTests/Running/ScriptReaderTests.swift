import Testing

@testable import Host

struct ScriptReaderTests {
  private func words(_ text: String, _ arguments: String...) throws -> [[String]] {
    try ScriptReader.commands(of: text, arguments: arguments).map(\.words)
  }

  @Test func `a line is a command, and semicolons separate several`() throws {
    #expect(try words("a b\n\n  c ; d\te;;\n") == [["a", "b"], ["c"], ["d", "e"]])
    #expect(try words("a\r\nb\r\n") == [["a"], ["b"]])
  }

  @Test func `comments and the shebang line are skipped`() throws {
    #expect(try words("#!/usr/bin/env workbench\n# all\na # rest\nb#c 'd # e'") == [["a"], ["b#c", "d # e"]])
  }

  @Test func `a byte order mark is skipped only at the start`() throws {
    #expect(try words("\u{FEFF}a \u{FEFF}b\n\u{FEFF}c") == [["a", "\u{FEFF}b"], ["\u{FEFF}c"]])
    #expect(try words("\u{FEFF}# a\nb") == [["b"]])
  }

  @Test func `quotes and backslashes keep characters`() throws {
    #expect(
      try words(##"'a b' "c d" e\ f '' "" \# \; "\"\$\\\n" 'it'\''s'"##)
        == [["a b", "c d", "e f", "", "", "#", ";", ##""$\\n"##, "it's"]])
  }

  @Test func `a backslash at the end joins the next line, and a command has the number of its first line`() throws {
    let commands = try ScriptReader.commands(of: "a\\\n b \\\n  c\n\nd \\", arguments: [])
    #expect(commands == [ScriptCommand(line: 1, words: ["a", "b", "c"]), ScriptCommand(line: 5, words: ["d"])])
  }

  @Test func `values of arguments are inserted without being parsed`() throws {
    #expect(
      try words(#"$1 x$2y "${1}" '$1' $# \$1 $ "#, "a b", "$1;") == [["a b", "x$1;y", "a b", "$1", "2", "$1", "$"]])
    #expect(try words(#"a $args b "$args" x$args"#, "1", "2 3") == [["a", "1", "2 3", "b", "1 2 3", "x1", "2 3"]])
    #expect(try words("a $args b") == [["a", "b"]])
    #expect(try words("${10}", "1", "2", "3", "4", "5", "6", "7", "8", "9", "ten") == [["ten"]])
  }

  @Test func `mistakes are reported with their line`() {
    #expect(throws: ScriptError.unclosedQuote("'", line: 2)) { try words("a\n'b") }
    #expect(throws: ScriptError.unclosedQuote("\"", line: 1)) { try words("\"b\nc\"") }
    #expect(throws: ScriptError.missingArgument(2, given: 1, line: 1)) { try words("$2", "a") }
    #expect(throws: ScriptError.unknownVariable("home", line: 3)) { try words("\n\n$home") }
    #expect(throws: ScriptError.unknownVariable("0", line: 1)) { try words("$0") }
  }

  @Test func `quoted words are read back`() throws {
    let list = ["plain", "", "a b", "it's", "$1", "#x", "a;b", "\\", "ä", "--x=y", "\"", "*"]
    #expect(try words(ScriptQuoting.line(list)) == [list])
  }
}
