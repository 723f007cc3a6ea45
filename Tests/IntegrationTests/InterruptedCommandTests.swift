import Foundation
import Glibc
import TestSupport
import Testing

/// Commands that write and use the network, ended early: the results they stored are still reported.
@Suite(.timeLimit(.minutes(10)))
struct InterruptedCommandTests {
  private let home: PluginHome

  init() throws { home = try PluginHome() }

  private static let warning =
    "warning: ending the command; completed work is kept; press Ctrl-C again to end it now\n"

  /// Returns a run of the program that has begun long work.
  private func begun(_ words: [String], input: String = "") throws -> CommandLineProcess {
    let process = try CommandLineProcess(words + ["--plugin-dir", home.plugins.path])
    process.write(input)
    try #require(process.readSome() == "begun\n")
    return process
  }

  @Test func `Ctrl-C lets a finishing command complete and report its result`() throws {
    let process = try begun(["misbehaving", "finish"])
    process.send(SIGINT)
    let run = process.wait()
    #expect(run.status == 130 && run.output == "half of it is kept\n")
    #expect(run.errors == Self.warning + "workbench: the other half is not done\n")
  }

  private struct NeverBegan: Error {}

  /// Returns a run that was ended by its time limit after its first output.
  private func timedOut(_ words: [String]) throws -> (begin: String, end: CommandLineProcess.Outcome) {
    // The time includes the start of the program, which takes long on a busy machine.
    for seconds in [1, 4, 16, 64, 256] {
      let process = try CommandLineProcess(words + ["--timeout", "\(seconds)", "--plugin-dir", home.plugins.path])
      let begin = process.readSome()
      let end = process.wait()
      #expect(end.status == 124)
      if !begin.isEmpty { return (begin, end) }
    }
    throw NeverBegan()
  }

  @Test func `the time limit lets a finishing command complete too`() throws {
    let (begin, end) = try timedOut(["misbehaving", "finish"])
    #expect(begin == "begun\n" && end.output == "half of it is kept\n")
    #expect(end.errors == Self.warning + "workbench: the other half is not done\n")
  }

  @Test(
    arguments: [
      ([], "exec:2:1: in 'misbehaving sleep': not finished after "), (["--json"], #""script":"exec:2:1""#),
    ] as [([String], String)])
  func `an exceeded time limit in a script names the line`(options: [String], error: String) throws {
    let (begin, end) = try timedOut(["exec", "version\nmisbehaving sleep\nversion"] + options)
    #expect(begin.contains("contract") && end.output.isEmpty, "\(begin) \(end.output)")
    #expect(end.errors.contains(error), "\(end.errors)")
  }

  @Test(arguments: [
    (["--quiet"], "exec:1:10: in 'misbehaving sleep': interrupted\n"), (["--json"], #""script":"exec:1:10""#),
  ])
  func `Ctrl-C in a script names the line`(options: [String], error: String) throws {
    let words = ["exec", "version; misbehaving sleep", "--plugin-dir", home.plugins.path]
    let process = try CommandLineProcess(words + options)
    try #require(process.readSome().contains("contract"))
    process.send(SIGINT)
    let run = process.wait()
    #expect(run.status == 130 && run.errors.contains(error), "\(run.errors)")
  }

  @Test func `in a script, Ctrl-C lets a command finish and starts no further ones`() throws {
    let process = try begun(["script", "-", "--keep-going"], input: "misbehaving finish\nversion\n")
    process.send(SIGINT)
    let run = process.wait()
    #expect(run.status == 130 && run.output == "half of it is kept\n")
    #expect(
      run.errors.hasPrefix(Self.warning)
        && run.errors.contains(":1:1: in 'misbehaving finish': the other half is not done\n"))
  }
}
