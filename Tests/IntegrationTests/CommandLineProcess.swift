import Foundation
import Glibc
import TestSupport

/// Runs the built program as a user's shell would.
final class CommandLineProcess {
  /// The exit status and output of a run.
  struct Outcome {
    /// The exit status; 128 + n if signal n ended it, as shells count.
    var status: Int32
    var output: String
    var errors: String
  }

  private let folder: TemporaryFolder
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  /// A file: of two pipes the one that is not read could stop the program.
  private let errors: URL

  /// Starts the program; its standard input stays open until ``finish(input:)``.
  init(_ words: [String], environment: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    errors = try folder.write([], "errors")
    process.executableURL = BuiltProgram.workbench
    process.arguments = words
    var variables = [
      "WORKBENCH_HOME": folder.url("home").path, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "TERM": "xterm",
    ]
    variables.merge(environment) { $1 }
    process.environment = variables
    process.standardInput = input
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
  }

  /// Runs the program to its end.
  static func run(_ words: String..., input: String = "", environment: [String: String] = [:]) throws -> Outcome {
    try CommandLineProcess(words, environment: environment).finish(input: input)
  }

  /// Writes bytes to the program's standard input.
  ///
  /// If the program has already ended, its outcome shows that; the tests get no signal.
  func write(_ text: String) {
    signal(SIGPIPE, SIG_IGN)
    try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  /// Waits until the program has written something to standard output.
  func readSome() -> String { String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) }

  /// The process id.
  var identifier: Int32 { process.processIdentifier }

  /// Sends a signal.
  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Writes the rest of the program's input and waits for its end.
  func finish(input text: String = "") throws -> Outcome {
    if !text.isEmpty { write(text) }
    try input.fileHandleForWriting.close()
    return wait()
  }

  /// Waits for the end with standard input left open.
  func wait() -> Outcome {
    let written = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let told = (try? Data(contentsOf: errors)) ?? Data()
    let ended = process.terminationReason == .uncaughtSignal
    return Outcome(
      status: ended ? 128 + process.terminationStatus : process.terminationStatus,
      output: String(decoding: written, as: UTF8.self), errors: String(decoding: told, as: UTF8.self))
  }
}
