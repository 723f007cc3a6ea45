import Testing

@testable import Host

struct LineWordsTests {
  @Test func `words are split as in scripts, and the word at the cursor may be empty`() {
    let line = LineWords(#"first; molecules info "a b"\ c "#)
    #expect(line.commands.map { $0.map(\.text) } == [["first"], ["molecules", "info", "a b c", ""]])
    #expect(line.before == ["molecules", "info", "a b c"] && line.current == LineWords.Word())
    #expect(LineWords("").current == LineWords.Word())
  }

  @Test(arguments: ["'my fi", "\"my fi", #"my\ fi"#, #""a\"b"#, #"it\'s"#, #"a\"#, "中 文"])
  func `the word at the cursor counts the typed characters`(word: String) {
    let last = word.contains("中") ? "文" : word
    #expect(LineWords("info " + word).current.typedCount == last.unicodeScalars.count)
  }

  @Test func `an open quote is recognized`() {
    #expect(LineWords("info 'my fi").current.quote == "'" && LineWords("info 'my fi").current.text == "my fi")
    #expect(LineWords(#"info "a\"b"#).current.text == #"a"b"# && LineWords(#"info "a\"b"#).current.quote == "\"")
    #expect(LineWords("info 'a' ").current.quote == nil)
  }

  @Test func `variables are recognized where they are replaced`() {
    #expect(LineWords("info $_.i").current.hasVariable && LineWords("info \"$x").current.hasVariable)
    #expect(!LineWords("info '$x").current.hasVariable && !LineWords(#"info \$x"#).current.hasVariable)
  }

  @Test func `symbols separate words only where scripts do`() {
    func split(_ text: String) -> [String] { LineWords(text).commands.last?.map(\.text) ?? [] }
    #expect(split("let x=sample inf") == ["let", "x", "=", "sample", "inf"])
    #expect(split("let l=[a,b [c") == ["let", "l", "=", "[", "a", "b", "[", "c"])
    #expect(split("let l = [$x[0] b") == ["let", "l", "=", "[", "$x[0]", "b"])
    #expect(split("for x in [a]; sample echo a=b,[c](d)") == ["sample", "echo", "a=b,[c](d)"])
    #expect(split("if ($x.a>=3) and not") == ["if", "(", "$x.a", ">=", "3", ")", "and", "not"])
    #expect(split("'let' x=5") == ["let", "x=5"] && split("expect fail a=b") == ["expect", "fail", "a=b"])
    #expect(LineWords("let x=sampl").current.typedCount == 5)
  }

  @Test func `comments contain no words`() {
    #expect(LineWords("a # b c\nd").commands.map { $0.map(\.text) } == [["a"], ["d"]])
    #expect(LineWords("a#b").current.text == "a#b")
  }
}
