import PluginAPI
import Testing

@testable import Host

@MainActor struct CompleterTests {
  private func words(_ typed: String...) async throws -> [String] {
    let run = try CommandLineRun()
    return await Completer(run.interpreter).candidates(typed)
      .map { candidate in
        switch candidate {
        case .word(let word, _): word
        case .files(let extensions): ":files " + extensions.joined(separator: " ")
        case .folders: ":folders"
        }
      }
  }

  @Test func `commands and plugins are offered first`() async throws {
    let first = try await words("")
    #expect(first.contains("sample") && first.contains("run") && !first.contains("__complete"))
    #expect(try await words("sam") == ["sample"])
    #expect(try await words("./1cr") == [":files "])
    #expect(try await words("--json", "1cr") == [":files "])
    #expect(try await words("sample", "me") == ["measure"])
    #expect(try await words("sample", "measure", "") == ["distance"])
    #expect(try await words("--json", "config", "") == ["get", "set", "unset", "list", "explain"])
  }

  @Test func `a dash offers options, and picture options for commands with pictures`() async throws {
    #expect(try await words("sample", "measure", "distance", "--sc") == ["--scale"])
    #expect(try await words("sample", "render", "--gr") == ["--graphics"])
    #expect(try await words("sample", "list", "--gr") == [])
    #expect(try await words("--js") == ["--json", "--jsonl"])
    #expect(try await words("sample", "echo", "--", "--js") == [])
  }

  @Test func `choices, files and known names are offered as values`() async throws {
    #expect(try await words("sample", "measure", "distance", "--unit", "") == ["metre", "foot"])
    #expect(try await words("sample", "measure", "distance", "--unit=f") == ["--unit=foot"])
    #expect(try await words("sample", "info", "s") == ["slate, \"grey\"", ":files rock"])
    #expect(try await words("sample", "list", "--home", "") == [":folders"])
    #expect(try await words("completion", "z") == ["zsh"])
    #expect(try await words("run", "") == ["sample"])
    #expect(try await words("config", "set", "sample.w") == ["sample.weight-limit"])
    #expect(try await words("help", "sta") == ["statuses"])
  }

  @Test func `values of settings, names of commands and ids of plugins are offered where they fit`() async throws {
    #expect(try await words("config", "set", "color", "") == ["auto", "always", "never", "16", "256", "truecolor"])
    #expect(try await words("config", "set", "host.offline", "y") == ["yes"])
    #expect(try await words("config", "set", "theme", "") == ["high-contrast", "light", "standard"])
    #expect(try await words("config", "set", "no-such-setting", "") == [])
    #expect(try await words("help", "sample", "me") == ["measure"])
    #expect(try await words("help", "schema", "sample", "l") == ["list"])
    #expect(try await words("man", "sample", "measure", "") == ["distance"])
    #expect(try await words("plugin", "install", "--replace", "") == [])
  }

  @Test func `a value listed by the plugin has a description`() async throws {
    let completer = Completer(try CommandLineRun().interpreter)
    #expect(await completer.candidates(["sample", "info", "g"]).first == .word("granite", "2.5"))
  }

  @Test func `a screen's documents are completed like a command's`() async throws {
    #expect(try await words("run", "sample", "gr") == ["granite", ":files rock"])
    #expect(try await words("run", "nobody", "gr") == [":files "])
  }

  @Test func `aliases of values are offered only after their first character`() async throws {
    #expect(try await words("sample", "info", "") == ["granite", "slate, \"grey\"", ":files rock"])
    #expect(try await words("sample", "info", "2") == ["2.5", ":files rock"])
  }

  @Test func `a bash word is unquoted by the rules of bash`() {
    #expect(CompletionCommands.unquoted(#"two\ w"#) == "two w")
    #expect(CompletionCommands.unquoted(#"'a\b' "c\"d""#) == #"a\b c"d"#)
    #expect(CompletionCommands.unquoted(#""open q"#) == "open q")
  }

  @Test func `words split by bash are joined, and only the remainder is returned`() async throws {
    #expect(CompletionCommands.joiningBreaks(["a", "--x", "=", "b", "p", ":", ""]) == ["a", "--x=b", "p:"])
    let run = try CommandLineRun()
    #expect(
      try await run.output("__complete", "--", "sample", "measure", "distance", "--unit", "=", "f") == "foot\t\n")
    #expect(
      try await run.output("__complete", "--shell", "zsh", "--", "sample", "measure", "distance", "--unit=f")
        == "--unit=foot\t\n")
  }

  @Test func `a Nushell word is unquoted by the rules of Nushell`() {
    #expect(CompletionCommands.unquotedByNu("two") == "two")
    #expect(CompletionCommands.unquotedByNu(#""two \"w\\""#) == #"two "w\"#)
    #expect(CompletionCommands.unquotedByNu(#"'a\b'"#) == #"a\b"#)
    #expect(CompletionCommands.unquotedByNu("`open q") == "open q" && CompletionCommands.unquotedByNu("\"") == "")
  }

  @Test func `words with special characters are quoted for Nushell`() async throws {
    let run = try CommandLineRun()
    func lines(_ words: String...) async throws -> [Substring] {
      try await run.output(["__complete", "--shell", "nu", "--"] + words).split(separator: "\n")
    }
    #expect(try await lines("sample", "info", "gr") == ["granite\t2.5", ":files\trock"])
    let quoted: [Substring] = ["\"slate, \\\"grey\\\"\"\t", ":files\trock"]
    #expect(try await lines("sample", "info", "sl") == quoted)
    #expect(try await lines("sample", "info", "\"slate, ") == quoted)
    #expect(try await lines("sample", "measure", "distance", "--unit=f") == ["--unit=foot\t"])
  }

  @Test func `quotes and brackets of the Nushell script are balanced`() {
    var open: [Character] = []
    var quote: Character?
    var isComment = false
    let closing: [Character: Character] = [")": "(", "]": "[", "}": "{"]
    for character in CompletionScript.nu.text {
      if isComment {
        isComment = character != "\n"
      } else if let current = quote {
        if character == current { quote = nil }
      } else if character == "#" {
        isComment = true
      } else if "\"'`".contains(character) {
        quote = character
      } else if "([{".contains(character) {
        open.append(character)
      } else if let opening = closing[character] {
        #expect(open.popLast() == opening)
      }
    }
    #expect(open == [] && quote == nil)
  }
}
