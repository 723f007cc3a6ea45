import Foundation
import Glibc

/// Runs the built program as a user's shell would.
final class CommandLineProcess {
  /// How a run ended, and what it wrote.
  struct Outcome {
    /// The exit status; 128 + n if signal n ended it, as shells count.
    var status: Int32
    var output: String
    var errors: String
  }

  /// The built program, beside the tests.
  static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appendingPathComponent("workbench")

  let home = FileManager.default.temporaryDirectory.appendingPathComponent("workbench-" + UUID().uuidString)
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()

  /// Starts the program; its standard input stays open until ``finish(input:)``.
  init(_ words: [String], environment: [String: String] = [:]) throws {
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    process.executableURL = Self.program
    process.arguments = words
    var variables = ["WORKBENCH_HOME": home.path, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "TERM": "xterm"]
    variables.merge(environment) { $1 }
    process.environment = variables
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  deinit { try? FileManager.default.removeItem(at: home) }

  /// Runs the program to its end.
  static func run(_ words: String..., input: String = "", environment: [String: String] = [:]) throws -> Outcome {
    try CommandLineProcess(words, environment: environment).finish(input: input)
  }

  /// Gives the program bytes on standard input.
  func write(_ text: String) { input.fileHandleForWriting.write(Data(text.utf8)) }

  /// Waits until the program has written something to standard output.
  func readSome() -> String { String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) }

  /// Sends a signal.
  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Gives the program the rest of its input and waits for its end.
  func finish(input text: String = "") throws -> Outcome {
    if !text.isEmpty { write(text) }
    try input.fileHandleForWriting.close()
    return wait()
  }

  /// Waits for the end with standard input left open.
  func wait() -> Outcome {
    let written = output.fileHandleForReading.readDataToEndOfFile()
    let told = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let ended = process.terminationReason == .uncaughtSignal
    return Outcome(
      status: ended ? 128 + process.terminationStatus : process.terminationStatus,
      output: String(decoding: written, as: UTF8.self), errors: String(decoding: told, as: UTF8.self))
  }
}
