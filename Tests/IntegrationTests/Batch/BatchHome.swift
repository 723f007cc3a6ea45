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
      "TMPDIR": home.folder.path.path, "WORKBENCH_FIXTURE_GATE": gate.path,
    ].merging(variables) { $1 }
  }

  /// The file for which `misbehaving wait` waits, and `misbehaving nest` with WORKBENCH_FIXTURE=wait.
  private var gate: URL { home.folder.url("gate") }

  /// The processes that reached the gate.
  var waiting: Set<Int32> {
    Set(names(in: home.folder.path).compactMap { $0.hasPrefix("gate.") ? Int32($0.dropFirst("gate.".count)) : nil })
  }

  func openGate() throws { try Data().write(to: gate) }

  /// The folders that batch workers and their children have for temporary files.
  var temporaryFolders: [String] { names(in: home.folder.path).filter { $0.hasPrefix("workbench-batch-") } }

  private func names(in folder: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
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

  /// Starts the program without waiting for its end.
  func process(_ words: String...) throws -> Process { try process(BuiltProgram.workbench, words) }

  /// Starts a program, such as one that runs `workbench`, without waiting for its end.
  func process(_ program: URL, _ words: [String]) throws -> Process {
    let process = Process()
    process.executableURL = program
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
    return names(in: folder).sorted().map { folder.appendingPathComponent($0) }
  }

  /// The logs of the attempts at a shard.
  func attempts(at shard: Int) -> [URL] {
    let digits = String(shard)
    let prefix = String(repeating: "0", count: 5 - digits.count) + digits + "."
    return logs.filter { $0.lastPathComponent.hasPrefix(prefix) }
  }

  /// The process that writes a log; nil before its first line.
  static func worker(of log: URL) -> Int32? {
    text(of: log).firstMatch(of: /"process":([0-9]+)/).flatMap { Int32($0.1) }
  }

  /// The note of a job of a batch system.
  struct JobNote {
    /// The shards of an array; none for a follow-up job.
    var shards: [Int]
    var round: Int
  }

  /// The notes of all jobs, first job first.
  var jobNotes: [JobNote] {
    let folder = run.appendingPathComponent("jobs")
    let numbers = names(in: folder).compactMap { $0.hasSuffix(".json") ? Int($0.dropLast(".json".count)) : nil }
    return numbers.sorted().compactMap { number in
      let bytes = try? Data(contentsOf: folder.appendingPathComponent("\(number).json"))
      let note = bytes.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
      guard let shards = note?["shards"] as? [Int], let round = note?["round"] as? Int else { return nil }
      return JobNote(shards: shards, round: round)
    }
  }

  /// The text of a log, as far as it is written.
  static func text(of log: URL) -> String {
    (try? Data(contentsOf: log)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The number of records in the logs, copies included.
  var recordCount: Int {
    logs.reduce(0) { count, log in
      count + Self.text(of: log).split(separator: "\n").count { $0.contains(#" {"kind":"value""#) }
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
