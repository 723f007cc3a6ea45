import Glibc
import PluginAPI

/// A run of a build tool, whose output is collected.
final class ToolRun: ProgramProcess.Reader {
  /// The end of a tool, and the text that it wrote.
  struct Outcome: Sendable {
    var end: ProgramProcess.End
    var output: [UInt8]
    var errors: [UInt8]

    /// A Boolean value indicating whether it ended with status 0.
    var isSuccess: Bool { end == .exited(0) }
  }

  /// The maximum number of bytes of each stream that are kept.
  private static let largest = 8 << 20
  private var output: [UInt8] = []
  private var errors: [UInt8] = []

  private init() {}

  /// Runs a tool without input; blocks the thread until it ended.
  ///
  /// The tool is killed with this process, and if the thread's work is canceled.
  /// - Parameters:
  ///   - commandLine: The tool, which is searched for in the folders of `PATH`, and its arguments.
  ///   - seconds: The time limit; nil for none.
  ///   - onStart: Receives a function that kills the tool.
  static func run(
    _ commandLine: [String], seconds: Double? = nil, onStart: (@escaping @Sendable () -> Void) -> Void = { _ in }
  ) throws -> Outcome {
    let process: ProgramProcess
    let launch = ProgramProcess.Launch(program: "/usr/bin/env", arguments: ["env"] + commandLine, memoryInBytes: 0)
    do throws(ProgramProcess.SystemError) {
      process = try ProgramProcess(launch)
    } catch {
      throw AuthorError.buildFailed("cannot start '\(commandLine[0])': \(error.message)")
    }
    process.closeInput()
    onStart { process.kill() }
    let timer = seconds.map { seconds in
      let timer = WorkSource(.timer(afterSeconds: seconds, everySeconds: nil), on: WorkQueue("workbench.tool"))
      timer.start { process.kill() }
      return timer
    }
    defer { timer?.cancel() }
    let run = ToolRun()
    let end = process.follow(run)
    return Outcome(end: end, output: run.output, errors: run.errors)
  }

  var takesOutput: Bool { true }

  func receive(_ output: [UInt8]) { self.output += output.prefix(max(0, Self.largest - self.output.count)) }

  func log(_ errors: [UInt8]) { self.errors += errors.prefix(max(0, Self.largest - self.errors.count)) }

  func outputEnded() {}
}
