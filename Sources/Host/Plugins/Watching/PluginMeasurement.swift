internal import CHost
import Glibc
import PluginAPI

/// The time and memory of a part of a plugin, measured in a child process.
struct PluginMeasurement: Sendable {
  /// The part: `load` and `activate` have no name.
  struct Part: Sendable, Hashable {
    var phase: PluginPhase
    var name = ""
  }

  var part: Part
  var milliseconds: Double?
  /// The peak memory of the process, and of the plugin's program, until the part ended.
  var mebibytes: Double?
  /// The reason why it failed; nil if it succeeded.
  var problem: String?

  /// Returns the parts of a plugin that can be measured: commands that only read, without arguments, and all screens.
  static func parts(of contributions: StoredContributions) -> [Part] {
    let commands = contributions.commandNames.filter { name in
      guard let command = contributions.command(name) else { return false }
      let isComplete = !(command.arguments + command.options).contains(where: \.isRequired)
      return isComplete && command.effects.isSubset(of: [.reads])
    }
    return commands.map { Part(phase: .command, name: $0) }
      + contributions.screens.map { Part(phase: .screen, name: $0.name) }
  }

  /// Measures loading and activation; a program is not loaded.
  static func start(of id: String, _ trials: PluginTrials) throws -> [PluginMeasurement] {
    let record = try run(Part(phase: .activate), of: id, trials)
    let measured = [PluginPhase.load, .activate].filter { record.milliseconds[$0] != nil }
    let phases = measured.isEmpty ? [.load] : measured
    return phases.map { phase in
      PluginMeasurement(
        part: Part(phase: phase), milliseconds: record.milliseconds[phase], mebibytes: record.mebibytes[phase],
        problem: phase == phases.last ? record.problem : nil)
    }
  }

  /// Measures a command or screen, after the plugin was activated.
  init(_ part: Part, of id: String, _ trials: PluginTrials) throws {
    let record = try Self.run(part, of: id, trials)
    (self.part, problem) = (part, record.problem)
    (milliseconds, mebibytes) = (record.milliseconds[part.phase], record.mebibytes[part.phase])
  }

  private init(part: Part, milliseconds: Double?, mebibytes: Double?, problem: String?) {
    (self.part, self.milliseconds, self.mebibytes, self.problem) = (part, milliseconds, mebibytes, problem)
  }

  /// The response of a child.
  struct Response {
    var milliseconds: [PluginPhase: Double] = [:]
    var mebibytes: [PluginPhase: Double] = [:]
    var problem: String?
  }

  private static func run(_ part: Part, of id: String, _ trials: PluginTrials) throws -> Response {
    let arguments = [id, part.phase.rawValue, part.name] + trials.options
    let (end, output) = try trials.run(PluginMeasurementChild.word, arguments, without: [])
    guard end == .exited(0), let value = try? Value(decoding: output) else {
      return Response(problem: end == .exited(0) ? "it ended the program" : "\(end)")
    }
    var response = Response(problem: value["problem"].text)
    for phase in [PluginPhase.load, .activate, .command, .screen] {
      response.milliseconds[phase] = value[phase.rawValue]["milliseconds"].number
      response.mebibytes[phase] = value[phase.rawValue]["mebibytes"].number
    }
    return response
  }
}

/// The child's side of a measurement: `workbench __measure FOLDER PLUGIN PHASE NAME [--option …]`.
///
/// Writes a record to standard output, in byte form: a record of `milliseconds` and `mebibytes` for each phase, and the
/// `problem` if there was one.
@MainActor final class PluginMeasurementChild {
  /// The argument that makes the program a child.
  nonisolated static let word = "__measure"

  private var record: Record = [:]

  /// Measures the part and ends the process.
  static func start(_ arguments: [String]) -> Never {
    let output = PluginTrialChild.begin()
    signal(SIGPIPE, SIG_IGN)
    chost_signals_keep()
    PluginExit.watch { report in chost_end(report.exitStatus) }
    guard arguments.count >= 4 else { chost_end(2) }
    Task { @MainActor in
      let child = PluginMeasurementChild()
      await child.measure(arguments)
      chost_end(HostFile.writeAll(Value(child.record).encoded(), to: output) == 0 ? 0 : 1)
    }
    MainQueue.run()
  }

  private func measure(_ arguments: [String]) async {
    let (id, phase, name) = (arguments[1], PluginPhase(rawValue: arguments[2]), arguments[3])
    do {
      var options = GlobalOptions()
      let interpreter = try Program.interpreter(
        for: &options, words: Array(arguments[4...]), streams: .memory(environment: ProcessEnvironment.all()),
        replaced: PluginTrials.folders(in: arguments[0]))
      let plugins = interpreter.session.plugins
      // This process is a child already, in which loading is measured.
      plugins.isIsolating = false
      plugins.onPhase = { [weak self] in self?.note($0, since: $1) }
      _ = try plugins.activated(id)
      let start = MonotonicClock.seconds
      switch phase {
      case .command:
        let commandLine = [id] + name.split(separator: " ").map(String.init)
        guard let entry = interpreter.table.entry(commandLine) else { return }
        try await interpreter.call(entry, [:], options: options, output: DiscardedOutput())
        note(.command, since: start)
      case .screen:
        let launch = ScreenLaunch(plugin: id, screen: name, isRemembered: false, headless: .init())
        let outcome = try await HeadlessRun.run(session: interpreter.session, launch)
        note(.screen, since: start)
        if let error = outcome.error ?? outcome.failure { throw error }
      case .load, .activate, .store, .render, .check, .probe, nil: break
      }
    } catch {
      record["problem"] = .text(ErrorReport(error).message)
    }
  }

  private func note(_ phase: PluginPhase, since start: Double) {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let programs = ProgramProcess.running.reduce(0) { $0 + ProcessMemory.peakMebibytes(of: $1) }
    record[phase.rawValue] = [
      "milliseconds": .number((MonotonicClock.seconds - start) * 1000),
      "mebibytes": .number(Double(usage.ru_maxrss) / 1024 + programs),
    ]
  }
}

/// A receiver that keeps nothing.
private struct DiscardedOutput: CommandOutput {
  func emit(_ value: Value) async throws { try Task.checkCancellation() }
  func report(_ progress: Progress) {}
  func warn(_ diagnostic: Diagnostic) {}
}
