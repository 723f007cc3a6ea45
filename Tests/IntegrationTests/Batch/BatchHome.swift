import Foundation
import Glibc
import TestSupport

/// A home with the misbehaving plugin, and one batch run in it.
struct BatchHome {
  private let home: PluginHome
  /// The folder of the run.
  let run: URL
  private let variables: [String: String]

  /// - Parameters:
  ///   - name: The name of the run's folder.
  ///   - variables: Variables of the program beside its own, such as those of a batch system.
  init(run name: String = "run", _ variables: [String: String] = [:]) throws {
    self.variables = variables
    home = try PluginHome()
    run = home.folder.url(name)
  }

  /// The environment of the program.
  var environment: [String: String] {
    [
      "WORKBENCH_HOME": home.home.path, "WORKBENCH_PLUGIN_PATH": home.plugins.path, "SWIFT_BACKTRACE": "enable=no",
      "TMPDIR": home.folder.path.path,
    ].merging(variables) { $1 }
  }

  /// Adds a byte to the library of the plugin, whose code and version stay the same.
  func changeLibrary() throws {
    let file = home.plugins.appendingPathComponent("libMisbehaving.so")
    var bytes = try Data(contentsOf: file)
    bytes.append(0)
    try bytes.write(to: file)
  }

  /// A run that could not be planned.
  struct NotPlanned: Error {
    var errors: String
  }

  /// Runs the program.
  func workbench(_ words: [String]) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(BuiltProgram.workbench, words, environment: environment.mapValues { $0 })
  }

  /// Runs a command of `batch`, whose result and messages are JSON.
  ///
  /// - Parameters:
  ///   - options: The words after the run's folder.
  ///   - line: The command for the items.
  func batch(_ command: String, _ options: [String] = [], items line: [String] = []) throws -> BuiltProgram.Outcome {
    try workbench(["batch", command, run.path, "--json"] + options + (line.isEmpty ? [] : ["--"] + line))
  }

  /// Runs a script of bash: `$0` is the program, `$1` the run's folder.
  func shell(_ script: String) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(
      URL(fileURLWithPath: "/bin/bash"), ["-c", script, BuiltProgram.workbench.path, run.path],
      environment: environment.mapValues { $0 })
  }

  /// Starts a command of `batch` without waiting for its end.
  func process(_ words: String...) throws -> Process {
    let process = Process()
    process.executableURL = BuiltProgram.workbench
    process.arguments = words
    process.environment = environment.merging(["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Writes a list of items and returns its path.
  func list(_ items: [String]) throws -> String {
    try home.folder.write(Array(items.map { $0 + "\n" }.joined().utf8), "items.txt").path
  }

  /// Plans a run of `misbehaving nest`, with as many levels as the item's number, below two hundred.
  ///
  /// - Parameter probe: The number of items that run while it is planned.
  func planNested(_ count: Int, shards: Int = 1, probe: Int = 0) throws {
    let list = try list((0..<count).map { "\($0 % 200)" })
    let options = ["--items", list, "--shards", "\(shards)", "--probe", "\(probe)"]
    let outcome = try batch("plan", options, items: ["misbehaving", "nest", "{}"])
    guard outcome.status == 0 else { throw NotPlanned(errors: outcome.errors) }
  }

  /// The gathered results of such a run.
  static func nested(_ count: Int) -> String {
    (0..<count).map { index in
      let levels = index % 200
      let value = String(repeating: "[", count: levels) + "null" + String(repeating: "]", count: levels)
      return #"{"item":\#(index + 1),"id":"\#(levels)","value":\#(value),"diagnostics":[]}"# + "\n"
    }.joined()
  }

  /// The logs of all attempts.
  var logs: [URL] {
    let folder = run.appendingPathComponent("attempts")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appendingPathComponent($0) }
  }

  /// The number of records in the logs, copies included.
  var recordCount: Int {
    logs.reduce(0) { count, log in
      let text = (try? Data(contentsOf: log)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      return count + text.split(separator: "\n").count { $0.contains(#" {"kind":"value""#) }
    }
  }

  /// The processes that a process started and that are alive.
  static func children(of process: Int32) -> [Int32] {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    return threads.flatMap { thread in
      let text = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)
      return (text ?? "").split(separator: " ").compactMap { Int32($0) }
    }
  }

  /// Returns false for a process that ended, even if nobody waited for it.
  static func isAlive(_ process: Int32) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? "State:\tZ"
    return !status.contains("State:\tZ")
  }
}
