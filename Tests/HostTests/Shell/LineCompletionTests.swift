import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

struct LineCompletionTests {
  private func outcome(_ line: String, _ words: String...) -> LineCompletion.Outcome? {
    LineCompletion.outcome(of: LineWords(line).current, words.map { .init(text: $0, isOpen: $0.hasSuffix("/")) })
  }

  @Test func `a single candidate is completed and followed by a space`() {
    #expect(outcome("vers", "version") == .replace(4, with: "version "))
    #expect(outcome("info my", "my file") == .replace(2, with: "'my file' "))
    #expect(outcome("info 'my", "my file") == .replace(3, with: "'my file' "))
    #expect(outcome("info ", "it's") == .replace(0, with: #"'it'\''s' "#))
  }

  @Test func `a folder is completed without a space, in the quotes already typed`() {
    #expect(outcome("info my", "my files/") == .replace(2, with: #"my\ files/"#))
    #expect(outcome("info 'my", "my files/") == .replace(3, with: "'my files/"))
    #expect(outcome("info \"my", "my \"files\"/") == .replace(3, with: #""my \"files\"/"#))
  }

  @Test func `several candidates are completed to their common prefix, then listed`() {
    #expect(outcome("info m", "my file", "my folder") == .replace(1, with: #"my\ f"#))
    #expect(
      outcome(#"info my\ f"#, "my file", "my folder") == .list([.init(text: "my file"), .init(text: "my folder")]))
    #expect(outcome("info \"m", "m$a", "m$b") == .replace(2, with: #""m\$"#))
    #expect(outcome("info x") == nil)
  }

  @Test func `inserted text reads back as the word, whatever its characters`() {
    for name in ["a b", "it's", "a\"b", "a\\b", "$x", "a;b", "#a", "(a)[0]", "*?", "ä 中", "~", "a=b,c"] {
      guard case .replace(0, let text)? = outcome("info ", name) else {
        Issue.record("nothing is inserted for '\(name)'")
        continue
      }
      #expect(LineWords("info " + text).before == ["info", name])
      guard case .replace(0, let begun)? = outcome("info ", name + "1", name + "2") else {
        Issue.record("nothing is begun for '\(name)'")
        continue
      }
      #expect(LineWords("info " + begun).current.text == name)
    }
  }

  @Test func `variables are not quoted`() {
    let word = LineWords("info $_.chain_").current
    let items = [LineCompletion.Item(text: "$_.chain_id", isOpen: true)]
    #expect(LineCompletion.outcome(of: word, items, isQuoted: false) == .replace(9, with: "$_.chain_id"))
  }

  @Test func `files have the requested extensions, and folders are offered too`() throws {
    let folder = try TemporaryFolder()
    for name in ["one.rock", "TWO.ROCK", "three.stone", ".hidden.rock", "line\nfeed.rock"] {
      try folder.write([], name)
    }
    try FileManager.default.createDirectory(at: folder.url("rocks"), withIntermediateDirectories: true)
    let path = folder.path.path + "/"
    func names(_ candidates: Completer.Candidate..., word: String) -> [String] {
      LineCompletion.items(candidates, for: word).map { String($0.text.dropFirst(path.count)) }
    }
    #expect(names(.files(["rock"]), word: path) == ["TWO.ROCK", "one.rock", "rocks/"])
    #expect(names(.files([]), word: path + "t") == ["three.stone"])
    #expect(names(.files(["rock"]), word: path + ".h") == [".hidden.rock"])
    #expect(names(.folders, word: path) == ["rocks/"])
    #expect(names(.files([]), word: path + "nothing/") == [])
    let option = LineCompletion.items([.files([])], for: "--output=" + path + "o")
    #expect(option.map(\.text) == ["--output=" + path + "one.rock"])
  }

  @Test func `values with control characters are not offered, and none twice`() {
    let candidates: [Completer.Candidate] = [.word("a\u{1B}[31m", ""), .word("ab", "one"), .word("ab", "two")]
    #expect(LineCompletion.items(candidates, for: "a") == [.init(text: "ab", summary: "one")])
  }

  @Test func `a listing has summaries or columns and fits the screen`() {
    let size = Size(width: 20, height: 6)
    let named = [LineCompletion.Item(text: "a", summary: "first\u{1B}[2J"), .init(text: "bcd")]
    #expect(LineCompletion.listing(named, in: size) == "a    first\u{FFFD}[2J\nbcd  \n")
    let many = (10..<30).map { LineCompletion.Item(text: "\($0)") }
    // Four columns of 4, in the 19 cells before the last one.
    #expect(
      LineCompletion.listing(many, in: size) == "10  11  12  13  \n14  15  16  17  \n… and 12 more\n")
    #expect(LineCompletion.listing(named, in: Size(width: 0, height: 0)).hasSuffix("\n"))
  }
}

@MainActor struct ShellCompletionTests {
  @Test func `words that assign a result are not part of the command`() {
    #expect(ShellCompletion.commandWords(["let", "x", "=", "sample"]) == ["sample"])
    #expect(ShellCompletion.commandWords(["for", "x", "in"]) == [])
    #expect(ShellCompletion.commandWords(["sample", "info", "="]) == ["sample", "info", "="])
  }

  @Test func `completion knows commands, values, keywords and variables`() async throws {
    let run = try CommandLineRun()
    let session = ScriptSession(run.interpreter, name: "shell")
    session["row"] = ["id": 1, "index": 2]
    let completion = ShellCompletion(run.interpreter, session)
    func outcome(_ line: String) async -> LineCompletion.Outcome? {
      await withCheckedContinuation { continuation in
        WorkQueue("test").async { continuation.resume(returning: completion.outcome(line)) }
      }
    }
    #expect(await outcome("sample inf") == .replace(3, with: "info "))
    #expect(await outcome("sample list; sample info gr") == .replace(2, with: "granite "))
    #expect(await outcome("sample info 'sl") == .replace(3, with: "'slate, \"grey\"' "))
    #expect(await outcome("qui") == .replace(3, with: "quit "))
    #expect(await outcome("paral") == .replace(5, with: "parallel "))
    #expect(await outcome("brea") == .replace(4, with: "break "))
    #expect(await outcome("let x=sample inf") == .replace(3, with: "info "))
    #expect(await outcome("sample info $r") == .replace(2, with: "$row"))
    #expect(await outcome("sample info $nothing") == nil)
  }
}
