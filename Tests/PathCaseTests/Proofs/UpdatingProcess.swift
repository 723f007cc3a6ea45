import Foundation
import TestSupport

/// A process that changes the database and tells of each step by a letter.
final class UpdatingProcess {
  private let process = Process()
  private let output = Pipe()
  /// How many letters it told.
  private(set) var letters = 0

  init(_ words: [String]) throws {
    process.executableURL = BuiltProgram.folder.appendingPathComponent("DatabaseUpdater")
    process.arguments = words
    process.standardOutput = output
    try process.run()
  }

  /// Kills it after so many letters and a while, and counts what it told meanwhile.
  ///
  /// - Parameter more: In seconds.
  /// - Returns: Whether it was killed, and had not ended before.
  func kill(afterLetters count: Int, more: Double) -> Bool {
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
