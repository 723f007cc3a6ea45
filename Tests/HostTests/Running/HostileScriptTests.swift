import Foundation
import PluginAPI
import Testing

@testable import Host

/// Scripts made to fail, hang or exhaust the program: each ends with an error that has a code, and nothing of it runs
/// that comes before a mistake.
@MainActor struct HostileScriptTests {
  /// Runs a file with these bytes.
  ///
  /// - Returns: The code of the first error, and what was printed.
  private func code(_ bytes: [UInt8], _ arguments: [String] = []) async throws -> (code: String, output: String) {
    let run = try CommandLineRun()
    let script = try run.file("hostile.wbs", "")
    try Data(bytes).write(to: URL(fileURLWithPath: script))
    do {
      try await run.run(["script", script, "--json"] + arguments)
      return ("", run.streams.output.contents)
    } catch let failure as ReportedFailure {
      #expect(failure.status > 0 && failure.status < 8)
      let line = try #require(run.messages.split(separator: "\n").first { $0.contains("\"error\"") })
      let error = try JSONReader.read(Array(line.utf8))["error"]
      #expect(error["details"]["script"].text?.contains("hostile.wbs:") == true, "\(line)")
      return (error["code"].text ?? "", run.streams.output.contents)
    } catch {
      return (ErrorReport(error).code, run.streams.output.contents)
    }
  }

  /// Scripts with a mistake, and the last word of its code.
  private nonisolated static let mistakes: [(String, String)] = [
    ("'", "quote"), ("\"", "quote"), ("\"\\\"", "quote"), ("\"$", "quote"), ("print ${x", "quote"), ("${", "quote"),
    ("let x = [", "quote"), ("let x = [[1]", "quote"), ("if (true; end", "quote"), ("if ((true); end", "quote"),
    ("print $x[", "variable"), ("print $x[abc]", "variable"), ("print $x[99999999999999999999]", "variable"),
    ("print ${}", "variable"), ("print ${1x}", "variable"), ("print $0", "variable"), ("print ${x y}", "variable"),
    ("print ${99999999999999999999}", "variable"), ("print $x", "variable"), ("let x = $x", "variable"),
    ("print $9", "argument"), ("sample echo $#$1", "argument"), ("end", "block"), ("else", "block"),
    ("if true", "block"), ("for x in [a]", "block"), ("while true", "block"), ("parallel 2", "block"),
    ("if true; else; else; end", "block"), ("if true; else; else if true; end", "block"),
    ("for x in [a]; else; end", "block"), ("break", "block"), ("if true; continue; end", "block"),
    ("parallel 2; for x in [a]; break; end; end", "block"), ("for", "syntax"), ("for x", "syntax"),
    ("for x in", "syntax"), ("for x on [a]; end", "syntax"), ("for 1 in [a]; end", "syntax"), ("if", "syntax"),
    ("if true false; end", "syntax"), ("if 1 = 2; end", "syntax"), ("if 1 == ; end", "syntax"),
    ("if == 1; end", "syntax"), ("if not; end", "syntax"), ("if 1 < 2 < 3; end", "syntax"), ("if ) ; end", "syntax"),
    ("while", "syntax"), ("else if", "block"), ("if true; else x; end", "syntax"), ("end end", "syntax"),
    ("let", "syntax"), ("let x", "syntax"), ("let x =", "syntax"), ("let 1x = 5", "syntax"), ("let x-y = 5", "syntax"),
    ("let args = 5", "syntax"), ("let 'x' = 5", "syntax"), ("let x = [a] b", "syntax"), ("let x = json {", "syntax"),
    ("let x = json '{\"a\":1,\"a\":2}'", "syntax"), ("let x = json 'nan'", "syntax"), ("$x", "syntax"),
    ("let x = 1; $x list", "syntax"), ("let x = 1; let y = $x z", "syntax"), ("let x = 1; sample echo --$x", "syntax"),
    ("parallel", "syntax"), ("parallel 0", "syntax"), ("parallel -1", "syntax"), ("parallel 1000000", "syntax"),
    ("source", "syntax"), ("source $x", "syntax"), ("source a b", "syntax"), ("source ''", "syntax"),
    ("expect", "syntax"), ("expect fail", "syntax"), ("on-error", "syntax"), ("print", "syntax"),
    ("sample reset; summary 'late'", "declaration"), ("argument x nonsense 'S'", "declaration"),
    ("argument", "declaration"), ("option x number many 'S'", "declaration"), ("option X text 'S'", "declaration"),
    ("option help text 'S'", "declaration"), ("option json text 'S'", "declaration"),
    ("flag keep-going 'S'", "declaration"),
    ("flag a 'S'; flag a 'S'", "declaration"), ("argument x a| 'S'", "declaration"), ("flag x", "declaration"),
    ("source hostile.wbs", "depth"), ("if false; source hostile.wbs; end", "depth"),
  ]

  @Test(arguments: mistakes) func `a syntax error is found before anything runs`(script: String, code: String)
    async throws
  {
    let isHead = code == "declaration"
    let end = try await self.code(Array((isHead ? script : "sample echo no\n" + script).utf8))
    #expect(end.code == "host.script-" + code && end.output == "")
  }

  @Test func `more than a hundred hostile scripts are tested`() {
    #expect(Set((Self.mistakes + Self.unbounded).map { $0.0 }).count > 100)
  }

  @Test func `bytes that are not text are refused`() async throws {
    let texts: [[UInt8]] = [
      [0xFF, 0xFE, 0x61, 0x00], [0x61, 0x00], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x89] + Array("PNG\r\n".utf8),
      Array("sample echo no\n'".utf8) + [0x80], Array("sample echo no\n\u{0}".utf8),
    ]
    for text in texts {
      let end = try await code(text)
      #expect(end.code == "host.script-text" && end.output == "", "\(text)")
    }
  }

  @Test func `an argument cannot impersonate a value`() async throws {
    let run = try CommandLineRun()
    await #expect(throws: ReportedFailure(status: 5)) {
      try await run("exec", "let x = 'secret'; sample echo $1 $x", "\u{0}0\u{0}")
    }
    #expect(run.messages.contains("an argument is not UTF-8 text without NUL characters"))
    #expect(run.streams.output.contents == "")
  }

  @Test func `nesting is limited`() async throws {
    let deep = [
      String(repeating: "if true\n", count: 10_000), "if " + String(repeating: "(", count: 10_000),
      "let x = " + String(repeating: "[", count: 10_000),
    ]
    for script in deep { #expect(try await code(Array(script.utf8)).code == "host.script-nesting") }
    let json = "let x = json '" + String(repeating: "[", count: 10_000) + "'"
    #expect(try await code(Array(json.utf8)).code == "host.script-syntax")
    // Chains are no nesting.
    let long =
      "if " + String(repeating: "not ", count: 10_001) + "true; print no; end; if true"
      + String(repeating: " and true", count: 10_000) + "; print 1; end"
    let end = try await code(Array(long.utf8))
    #expect(end.code == "" && end.output == "1\n")
  }

  /// Scripts that want more than there is, and the code of their end.
  private nonisolated static let unbounded: [(String, String)] = [
    ("let s = a\nwhile true; let s = \"$s$s\"; end", "host.unknown-command"),
    ("let s = 'a'\nwhile true; let s = \"$s$s\"; end", "host.script-too-large"),
    (
      "let s = 'a'; for i in 1..19; let s = \"$s$s\"; end; let l = [$s]\nwhile true; let l = [$l $l]; end",
      "host.script-too-large"
    ),
    ("let l = [1]\nwhile true; let l = [$l]; end", "host.script-value"),
    ("for i in 1..99999999999; end", "host.script-too-large"),
    ("for i in -9223372036854775808..9223372036854775807; end", "host.script-too-large"),
    ("for i in 1..99999999999999999999; end", "host.script-value"), ("for i in a..b; end", "host.script-value"),
    ("let x = [1]; print $x[9223372036854775807]", "host.script-path"),
    ("let x = [1]; print $x[-9223372036854775808]", "host.script-path"),
    ("let x = [1]; sample count $x", "host.unfitting-argument"),
    ("let x = 'sample.no-rock'; expect fail sample.other sample fail $x", "host.script-expectation"),
    ("while true; sample fail network; end", "sample.no-rock"),
    ("source /dev/zero", "host.unreadable-file"), ("source /nonexistent/a.wbs", "host.unreadable-file"),
  ]

  @Test(arguments: unbounded) func `values and files are limited during a run`(script: String, code: String)
    async throws
  {
    let end = try await self.code(Array(script.utf8))
    #expect(end.code == code)
  }

  @Test(arguments: [
    "while true\nend", "while true; let x = 1; end", "for i in 1..999999999; end", "while true; sample echo b; end",
  ])
  func `an interrupt ends an endless loop and reports its position`(loop: String) async throws {
    let run = try CommandLineRun()
    let task = Task { try await run("exec", "sample echo a\n" + loop) }
    while !run.streams.output.contents.hasPrefix("a\n") { await Task.yield() }
    for _ in 0..<10 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(run.streams.scriptPlace.entry?.position.hasPrefix("exec:2:") == true)
  }

  @Test func `values that look like scripts are inserted unchanged`() async throws {
    let run = try CommandLineRun()
    let values = [
      "; sample reset", "$x", "`id`", "$(id)", "--output=/tmp/x", "a\nsample reset", "'", "\"", "\\", "[1]", "#", "end",
    ]
    for value in values {
      let session = ScriptSession(run.interpreter, name: "a")
      session["x"] = .text(value)
      let before = run.streams.output.contents.utf8.count
      try await session.run(
        "sample echo $x \"$x\" --jsonl; for y in [$x]; if $y != $x; print no; end; end", isLast: true)
      let text = String(run.streams.output.contents.utf8.dropFirst(before)) ?? ""
      let json = JSONWriter.text(of: .text(value)) + "\n"
      #expect(text == json + json)
    }
  }
}
