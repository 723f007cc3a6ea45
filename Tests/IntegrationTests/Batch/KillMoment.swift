import Foundation
import Glibc
import PluginText
import Testing

/// Random moments at which processes are killed.
///
/// The longest time before a kill grows with each kill that hit, and shrinks with each that came after the process had
/// ended. So most kills hit, at any moment between start and end, however busy the machine is.
struct KillMoment {
  private static let growth = 1.1
  private static let shrinkage = 0.7
  private static let leastInMicroseconds = 500.0

  private let limitInMicroseconds: Double
  private var longestInMicroseconds: Double

  /// - Parameter milliseconds: The limit of the longest time.
  init(within milliseconds: Double = 200) {
    limitInMicroseconds = milliseconds * 1000
    longestInMicroseconds = min(limitInMicroseconds, 20_000)
  }

  /// Waits for a random time, or until a process ends.
  func wait(for process: Process, _ random: inout SplitMix64) {
    var remaining = UInt32.random(in: 0...UInt32(longestInMicroseconds), using: &random)
    while remaining > 0, process.isRunning {
      let step = min(remaining, 2_000)
      usleep(step)
      remaining -= step
    }
  }

  /// Kills a process after a random time and waits for its end.
  ///
  /// - Returns: True if it was alive; otherwise it has ended with its exit status.
  mutating func kill(_ process: Process, _ random: inout SplitMix64) -> Bool {
    wait(for: process, &random)
    return kill(process)
  }

  /// Kills a process now and waits for its end; a signal of its own is an issue.
  ///
  /// - Returns: True if it was alive; otherwise it has ended with its exit status.
  mutating func kill(_ process: Process) -> Bool {
    if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    let isKilled = process.terminationReason == .uncaughtSignal
    #expect(!isKilled || process.terminationStatus == SIGKILL)
    let next = longestInMicroseconds * (isKilled ? Self.growth : Self.shrinkage)
    longestInMicroseconds = min(max(next, Self.leastInMicroseconds), limitInMicroseconds)
    return isKilled
  }
}
