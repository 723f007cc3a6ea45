import Foundation
import Glibc
import TestSupport
import Testing

/// Scripts with variables, loops and declared options, by the built program.
@Suite(.timeLimit(.minutes(10)))
struct ScriptProcessTests {
  private let home: PluginHome

  init() throws { home = try PluginHome() }

  @Test func `plugin results are values whose parts are checked`() throws {
    let script = """
      let l = molecules list
      expect $l.count > 0
      for m in $l
        let x = molecules info $m.id
        expect $x.atoms == $m.atoms
      end
      print done $l.count
      """
    let run = try home.runPlain("exec", script)
    #expect(run.status == 0 && run.output.hasPrefix("done "), "\(run.errors)")
    let wrong = try home.runPlain("exec", "molecules list\nlet x = molecules info 1crn\nprint $x.atms", "--json")
    #expect(wrong.status == 2 && wrong.output == "" && wrong.errorCode == "host.script-path")
    #expect(wrong.errors.contains("did you mean 'atoms'?") && wrong.errors.contains(#""script":"exec:3:7""#))
  }

  @Test func `a script declares options, and its help lists them`() throws {
    let script = try home.folder.write(
      Array("summary \"Print a setting\"\noption name text graphics \"Setting\"\nconfig get $name\n".utf8), "a.wbs")
    #expect(try home.runPlain("script", script.path).output == "auto\n")
    let help = try home.runPlain("script", script.path, "--help")
    #expect(help.output.contains("Print a setting") && help.output.contains("--name"))
    let wrong = try home.runPlain("script", script.path, "--nam", "x", "--json")
    #expect(wrong.status == 2 && wrong.errorCode == "host.unknown-option")
  }

  @Test func `a time limit and Ctrl-C end an endless loop and report its line`() throws {
    let script = try home.folder.write(Array("version\nwhile true\n  let x = 1\nend\n".utf8), "loop.wbs")
    let limited = try home.runPlain("script", script.path, "--timeout", "1")
    #expect(limited.status == 124)
    #expect(limited.errors.contains("loop.wbs:") && limited.errors.contains("not finished after 1 second;"))
    let process = try CommandLineProcess(["script", script.path])
    try #require(process.readSome().contains("contract"))
    process.send(SIGINT)
    let run = process.wait()
    #expect(run.status == 130 && run.errors.contains("loop.wbs:") && run.errors.hasSuffix(": interrupted\n"))
  }

  @Test func `Ctrl-C ends all parallel statements`() throws {
    let script = "version\nparallel 3\nmisbehaving sleep\nmisbehaving sleep\nfor i in 1..9; misbehaving sleep; end\nend"
    let process = try CommandLineProcess(["exec", script, "--plugin-dir", home.plugins.path])
    try #require(process.readSome().contains("contract"))
    process.send(SIGINT)
    let run = process.wait()
    #expect(run.status == 130 && run.errors.contains("exec:") && run.errors.contains("interrupted"), "\(run.errors)")
  }

  @Test func `a block from a pipe runs when it is closed`() throws {
    let process = try CommandLineProcess(["script", "-", "--jsonl"])
    process.write("for i in 1..2\n  print $i\n")
    process.write("end\n")
    #expect(process.readSome().hasPrefix("1\n"))
    process.write("let x = version\nprint $x.contract $i\nif true\n")
    let run = try process.finish()
    #expect(run.status == 2 && run.errors.contains("host.script-block") && run.errors.contains("stdin:6:1"))
  }
}
