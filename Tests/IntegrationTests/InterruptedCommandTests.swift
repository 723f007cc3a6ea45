import Foundation
import Glibc
import TestSupport
import Testing

/// Commands that write and use the network, ended before they are done: what they kept all the same is told.
@Suite(.timeLimit(.minutes(2)))
struct InterruptedCommandTests {
  private let home: PluginHome

  init() throws { home = try PluginHome() }

  private static let warning =
    "warning: the command is being ended and keeps what it has done; a second Ctrl-C ends it now\n"

  /// A run of the program that has begun what takes it long to finish.
  private func begun(_ words: [String], input: String = "", wish: String = "") throws -> CommandLineProcess {
    let process = try CommandLineProcess(
      words + ["--plugin-dir", home.plugins.path], environment: ["WORKBENCH_FIXTURE": wish])
    process.write(input)
    try #require(process.readSome() == "begun\n")
    return process
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func `a signal lets it finish and say what it did`(signal: Int32, status: Int32) throws {
    let process = try begun(["misbehaving", "finish"])
    process.send(signal)
    let run = process.wait()
    #expect(run.status == status && run.output == "half of it is kept\n")
    #expect(run.errors == Self.warning + "workbench: the other half is not done\n")
  }

  @Test func `the end of its time lets it finish too`() throws {
    let run = try begun(["misbehaving", "finish", "--timeout", "3"]).wait()
    #expect(run.status == 124 && run.output == "half of it is kept\n")
    #expect(run.errors == Self.warning + "workbench: the other half is not done\n")
  }

  @Test func `in a script it finishes, and nothing behind it is begun`() throws {
    let process = try begun(["script", "-", "--keep-going"], input: "misbehaving finish\nversion\n")
    process.send(SIGINT)
    let run = process.wait()
    #expect(run.status == 130 && run.output == "half of it is kept\n")
    #expect(run.errors.hasPrefix(Self.warning) && run.errors.contains(":1: the other half is not done\n"))
  }

  @Test func `a second signal ends it now`() throws {
    let process = try begun(["misbehaving", "finish"], wish: "never-finish")
    // Two of the same could be one for the system.
    process.send(SIGINT)
    process.send(SIGTERM)
    let run = process.wait()
    #expect([130, 143].contains(run.status) && run.output == "")
    #expect(run.errors.hasPrefix(Self.warning))
  }
}
