import PluginAPI
import Testing

@testable import Host

struct ScriptReaderTests {
  private func words(_ text: String, _ arguments: String...) throws -> [[String]] {
    try ScriptReader.commands(of: text, arguments: arguments).map(\.arguments)
  }

  @Test func `a line is a command, and semicolons separate commands`() throws {
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

  @Test func `quotes and backslashes preserve characters`() throws {
    #expect(
      try words(##"'a b' "c d" e\ f '' "" \# \; "\"\$\\\n" 'it'\''s'"##)
        == [["a b", "c d", "e f", "", "", "#", ";", "\"$\\\n", "it's"]])
    #expect(try words(##"a\n 'b\n' "\n$1\t""##, "c") == [["an", "b\\n", "\nc\\t"]])
  }

  @Test func `words with line feeds are quoted on one line and read back`() throws {
    let words = [
      "a\nb", "\n", "it's\n\"x\" $y \\n", "a\r\nb", "it'\u{301}s", "\"\u{301}\n", "a b", "", "$1", "\\", "#", "-x",
    ]
    let line = ScriptQuoting.line(words)
    #expect(!line.utf8.contains(0x0A))
    #expect(try self.words(line, "no") == [words])
    #expect(LineWords(line).commands.map { $0.map(\.text) } == [words])
  }

  @Test func `a backslash joins the next line, and a command has its first line's number`() throws {
    let commands = try ScriptReader.commands(of: "a\\\n b \\\n  c\n\nd \\", arguments: [])
    #expect(
      commands == [ScriptCommand(line: 1, arguments: ["a", "b", "c"]), ScriptCommand(line: 5, arguments: ["d"])])
  }

  @Test func `argument values are inserted without being parsed`() throws {
    #expect(
      try words(#"$1 x$2y "${1}" '$1' $# \$1 $ "#, "a b", "$1;") == [["a b", "x$1;y", "a b", "$1", "2", "$1", "$"]])
    #expect(try words(#"a $args b "$args" x$args"#, "1", "2 3") == [["a", "1", "2 3", "b", "1 2 3", "x1", "2 3"]])
    #expect(try words("a $args b") == [["a", "b"]])
    #expect(try words("${10}", "1", "2", "3", "4", "5", "6", "7", "8", "9", "ten") == [["ten"]])
  }

  private static let syntaxErrors: [(text: String, error: ErrorReport, line: Int, column: Int)] = [
    ("a\n'b", ScriptError.unclosedQuote("'"), 2, 1), ("x  \"b\nc\"", ScriptError.unclosedQuote("\""), 1, 4),
    ("a ${x", ScriptError.unclosedQuote("{"), 1, 3), ("$2", ScriptError.missingArgument(2, given: 1), 1, 1),
    ("\n\n a $home", ScriptError.unknownVariable("home", known: []), 3, 4),
    ("$0", ScriptError.unknownVariable("0", known: []), 1, 1),
    ("ä $x[y]", ScriptError.badReference("$x["), 1, 4), ("${x!}", ScriptError.badReference("${x!}"), 1, 1),
    ("a\u{0}", ScriptError.notText("the line"), 1, 1),
  ]

  @Test(arguments: syntaxErrors)
  func `syntax errors are reported with line and column in bytes`(
    text: String, error: ErrorReport, line: Int, column: Int
  ) {
    let position = ScriptPosition(file: "text", line: line, column: column)
    #expect(throws: ScriptFault(error, at: position)) { try words(text, "a") }
  }

  @Test func `references have names, fields and indices`() throws {
    func parts(_ text: String) throws -> [[ScriptWord.Part]] {
      var reader = ScriptReader(file: "a", arguments: [])
      return try (reader.read(Substring(text)) + reader.end()).flatMap(\.words).map(\.parts)
    }
    func reference(_ name: String, _ text: String, _ steps: [ScriptReference.Step] = []) -> ScriptWord.Part {
      .reference(ScriptReference(name: name, steps: steps, text: text))
    }
    #expect(
      try parts("$x.a_1[0].b $_1 ${y[-1]}.png $z['a b'] $args2")
        == [
          [reference("x", "$x.a_1[0].b", [.field("a_1"), .index(0), .field("b")])], [reference("_1", "$_1")],
          [reference("y", "${y[-1]}", [.index(-1)]), .text(".png")], [reference("z", "$z['a b']", [.field("a b")])],
          [.text("2")],
        ])
    #expect(try parts("\"$x. $größe\"") == [[reference("x", "$x"), .text(". "), reference("größe", "$größe")]])
  }

  @Test func `operators, brackets and commas separate words only in statements that use them`() throws {
    func words(_ text: String) throws -> [String] {
      var reader = ScriptReader(file: "a", arguments: [])
      return try (reader.read(Substring(text)) + reader.end()).flatMap(\.words).map(\.source)
    }
    #expect(try words("if $x>=1 and($y!='a=b')") == ["if", "$x", ">=", "1", "and", "(", "$y", "!=", "a=b", ")"])
    #expect(try words("let x=[a,[1 2]]") == ["let", "x", "=", "[", "a", "[", "1", "2", "]", "]"])
    #expect(try words("for x in [a b]") == ["for", "x", "in", "[", "a", "b", "]"])
    #expect(try words("a --b=c,d [e] (f) g<h") == ["a", "--b=c,d", "[e]", "(f)", "g<h"])
    #expect(try words("let x = a --b=[c]") == ["let", "x", "=", "a", "--b=[c]"])
    #expect(try words("expect fail a --b=c") == ["expect", "fail", "a", "--b=c"])
  }

  @Test func `quoted words are read back unchanged`() throws {
    let list = ["plain", "", "a b", "it's", "$1", "#x", "a;b", "\\", "ä", "--x=y", "\"", "*"]
    #expect(try words(ScriptQuoting.line(list)) == [list])
  }
}
