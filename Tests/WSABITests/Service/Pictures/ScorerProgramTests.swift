import Foundation
import Glibc
import PluginAPI
import TestSupport
import Testing

@testable import WSABI

/// A program of the deployer scores captures; whatever it does, a capture waits for it only until its time limit.
@Suite struct ScorerProgramTests {
  private let folder: TemporaryFolder
  private let finger = Submodality(wire: "RightIndexFlat")

  init() throws { folder = try TemporaryFolder() }

  private func program(_ script: String, deadline: Int32 = 60_000) throws -> ScorerProgram {
    let path = folder.path.path + "/scorer"
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path + ".txt"))
    // A process started by another test could hold the file open for writing, so that it cannot be run. Foundation's
    // `Process` is avoided, as it overruns a buffer if a process has thousands of files open.
    try run("cp", [path + ".txt", path])
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    return ScorerProgram(path: path, deadlineInMilliseconds: deadline)
  }

  @Test func `the program gets the data and the submodality, and prints the score`() async throws {
    let data = [UInt8](repeating: 7, count: 1_000_000)
    let counting = try program(#"n=$(wc -c); test "$1" = RightIndexFlat && echo $((n / 10000 - 23))"#)
    #expect(try await counting.quality(of: data, finger) == .init(score: 77, scorer: "program scorer"))
    #expect(try await program("echo ' 5 '").quality(of: [], finger).score == 5)
  }

  @Test func `a program that reads nothing, or ends early, does no harm`() async throws {
    let data = [UInt8](repeating: 7, count: 3_000_000)
    #expect(try await program("exec 0<&-; echo 12").quality(of: data, finger).score == 12)
    let path = folder.path.path + "/scorer"
    await #expect(throws: ScorerError.notRun(path: path, reason: "exit status 3")) {
      try await program("exit 3").quality(of: data, finger)
    }
  }

  @Test(arguments: ["echo 101", "echo good", "true", "echo -5", "echo 1000000000000000000000"])
  func `output other than a number from 0 to 100 is not a score`(_ script: String) async throws {
    await #expect(throws: ScorerError.noScore(path: folder.path.path + "/scorer")) {
      try await program(script).quality(of: [1], finger)
    }
  }

  @Test func `the program has default signal actions, and leads its own process group`() async throws {
    let before = signal(SIGUSR2, SIG_IGN)
    defer { _ = signal(SIGUSR2, before) }
    await #expect(throws: ScorerError.self) { try await program("kill -USR2 $$; echo 50").quality(of: [1], finger) }
    let leading = try program("read pid name state parent group rest < /proc/$$/stat; test $group = $$ && echo 7")
    #expect(try await leading.quality(of: [1], finger).score == 7)
  }

  @Test func `a program that does not end is killed`() async throws {
    await #expect(throws: ScorerError.tooSlow(path: folder.path.path + "/scorer")) {
      try await program("while :; do :; done", deadline: 100).quality(of: [1], finger)
    }
    await #expect(throws: ScorerError.tooSlow(path: folder.path.path + "/scorer")) {
      try await program("echo 50; exec 0<&- 1>&-; while :; do :; done", deadline: 200).quality(of: [1], finger)
    }
    await #expect(throws: ScorerError.self) {
      try await ScorerProgram(path: "/nowhere/scorer").quality(of: [1], finger)
    }
  }
}
