import PluginAPI
import Testing

@testable import Host

@MainActor struct CompleterTests {
  private func words(_ typed: String...) throws -> [String] {
    let run = try CommandLineRun()
    return Completer(table: run.interpreter.table, settings: run.interpreter.session.settings).candidates(typed)
      .map { candidate in
        switch candidate {
        case .word(let word, _): word
        case .files(let extensions): ":files " + extensions.joined(separator: " ")
        case .folders: ":folders"
        }
      }
  }

  @Test func `commands and plugins follow at the start`() throws {
    #expect(try words("").contains("sample") && words("").contains("run") && !words("").contains("__complete"))
    #expect(try words("sam") == ["sample"])
    #expect(try words("./1cr") == [":files "] && words("--json", "1cr") == [":files "])
    #expect(try words("sample", "me") == ["measure"])
    #expect(try words("sample", "measure", "") == ["distance"])
    #expect(try words("--json", "config", "") == ["get", "set", "unset", "list", "explain"])
  }

  @Test func `options follow a dash, with those for pictures where there are any`() throws {
    #expect(try words("sample", "measure", "distance", "--sc") == ["--scale"])
    #expect(try words("sample", "render", "--gr") == ["--graphics"])
    #expect(try words("sample", "list", "--gr") == [])
    #expect(try words("--js") == ["--json", "--jsonl"])
    #expect(try words("sample", "echo", "--", "--js") == [])
  }

  @Test func `choices, files and known names follow as values`() throws {
    #expect(try words("sample", "measure", "distance", "--unit", "") == ["metre", "foot"])
    #expect(try words("sample", "measure", "distance", "--unit=f") == ["--unit=foot"])
    #expect(try words("sample", "info", "") == [":files rock"])
    #expect(try words("sample", "list", "--home", "") == [":folders"])
    #expect(try words("completion", "z") == ["zsh"])
    #expect(try words("run", "") == ["sample"])
    #expect(try words("config", "set", "sample.w") == ["sample.weight-limit"])
    #expect(try words("help", "sta") == ["statuses"])
  }

  @Test func `bash breaks words at signs and gets the rest only`() async throws {
    #expect(CompletionCommands.joiningBreaks(["a", "--x", "=", "b", "p", ":", ""]) == ["a", "--x=b", "p:"])
    let run = try CommandLineRun()
    #expect(
      try await run.output("__complete", "--", "sample", "measure", "distance", "--unit", "=", "f") == "foot\t\n")
    #expect(
      try await run.output("__complete", "--shell", "zsh", "--", "sample", "measure", "distance", "--unit=f")
        == "--unit=foot\t\n")
  }
}
