import Foundation
import PluginStore
import TestSupport

/// A process that changes the database and reports each step by a letter.
///
/// Only one thread uses it at a time: the test waits while another one does.
final class UpdatingProcess: @unchecked Sendable {
  private let process = Process()
  private let output = Pipe()
  /// The number of letters received.
  private(set) var letters = 0

  init(_ words: [String]) throws {
    process.executableURL = BuiltProgram.folder.appendingPathComponent("DatabaseUpdater")
    process.arguments = words
    process.standardOutput = output
    try process.run()
  }

  /// Kills it after a number of letters and a delay, and counts the letters received until then.
  ///
  /// Any moment will do: nothing depends on which one it is.
  /// - Parameter more: The delay in seconds.
  /// - Returns: True if it was killed, and had not ended before.
  func kill(afterLetters count: Int, more: Double) async throws -> Bool {
    try await OwnThread.value { _ in self.killAndWait(afterLetters: count, more: more) }
  }

  private func killAndWait(afterLetters count: Int, more: Double) -> Bool {
    while letters < count, next() {}
    usleep(UInt32(more * 1_000_000))
    Glibc.kill(process.processIdentifier, SIGKILL)
    while next() {}
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
  }

  private func next() -> Bool {
    guard let data = try? output.fileHandleForReading.read(upToCount: 1), !data.isEmpty else { return false }
    letters += 1
    return true
  }
}
