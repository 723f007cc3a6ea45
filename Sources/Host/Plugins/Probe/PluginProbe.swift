internal import CHost
import Glibc
import PluginAPI

/// Lets a plugin describe itself in a child process, so that nothing it does can harm this one.
struct PluginProbe: Sendable {
  var installation: HostInstallation
  /// The time limit of the child, not counting the time it waits for a processor.
  var deadlineInMilliseconds: Int32 = 2000
  /// The maximum size of its response, in bytes.
  var limit = 16 << 20
  /// The writable memory the plugin may take to describe itself.
  var memoryLimitInMegabytes = 1024
  /// The state folder with the crash journal, for plugins that may end this process while they are probed.
  var state: String?

  /// Probes a library.
  ///
  /// - Returns: The plugin's name and contributions, or why it cannot be used.
  func verdict(on path: String, id: String) -> (name: String?, verdict: PluginDossier.Verdict) {
    let contributions: Contributions
    do throws(ErrorReport) {
      contributions = try noting(path, id: id) { () throws(ErrorReport) in try describe(path, id: id) }
    } catch {
      return (nil, .refused(error))
    }
    return (contributions.plugin.name, .usable(RegistryBlock(StoredContributions(contributions).bytes)))
  }

  /// Notes in the crash journal that the plugin runs, as it may end this process.
  ///
  /// Bundled plugins are not noted: killing the program must not quarantine them.
  private func noting<Result>(
    _ path: String, id: String, _ body: () throws(ErrorReport) -> Result
  ) throws(ErrorReport) -> Result {
    guard let state, FilePath.folder(of: path) != installation.bundledPlugins, let identity = FileIdentity(path: path)
    else { return try body() }
    CrashJournal.open(state: state)
    return try CrashJournal.probing(id, identity, body)
  }

  private func describe(_ path: String, id: String) throws(ErrorReport) -> Contributions {
    let result = run(["workbench", PluginProbeChild.word, path, String(memoryLimitInMegabytes)])
    defer { free(result.output) }
    switch result.end {
    case chost_child_exited where result.status == 0:
      let bytes = Array(UnsafeBufferPointer(start: result.output, count: result.count))
      return try read(bytes, id: id)
    case chost_child_exited where result.status == CHOST_PROBE_OUT_OF_MEMORY:
      throw PluginRefusal.probeOutOfMemory(id: id, megabytes: memoryLimitInMegabytes).report
    case chost_child_exited:
      throw PluginRefusal.probeFailed(id: id, "the probe ended with status \(result.status)").report
    case chost_child_signalled:
      throw PluginRefusal.probeCrashed(id: id, signal: Self.name(ofSignal: result.status)).report
    case chost_child_timed_out:
      throw PluginRefusal.probeHung(id: id, seconds: Int(deadlineInMilliseconds) / 1000).report
    case chost_child_too_talkative:
      throw PluginRefusal.probeFailed(id: id, "its description is larger than \(limit >> 20) MB").report
    default:
      throw PluginRefusal.probeFailed(id: id, String(cString: strerror(result.status))).report
    }
  }

  private func read(_ answer: [UInt8], id: String) throws(ErrorReport) -> Contributions {
    guard let value = try? Value(decoding: answer) else {
      throw PluginRefusal.probeFailed(id: id, "it ended the probe before describing itself").report
    }
    if let report = try? ErrorReport(value: value["error"]) { throw report }
    guard let contributions = try? Contributions(value: value["contributions"]) else {
      throw PluginRefusal.probeFailed(id: id, "its description cannot be read").report
    }
    return contributions
  }

  private func run(_ words: [String]) -> chost_child_result {
    var arguments = words.map { strdup($0) } + [nil]
    var environment = ProcessEnvironment.all()
      .filter { !$0.key.hasPrefix("LD_") && $0.key != "SWIFT_BACKTRACE" }
      .map { strdup($0.key + "=" + $0.value) }
    environment += [strdup("SWIFT_BACKTRACE=enable=no"), nil]
    defer { for text in arguments + environment { free(text) } }
    return chost_run_child(installation.program, &arguments, &environment, limit, deadlineInMilliseconds)
  }

  /// Returns the name of a signal, such as `SIGSEGV`.
  static func name(ofSignal number: Int32) -> String {
    let names: [Int32: String] = [
      SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGFPE: "SIGFPE", SIGBUS: "SIGBUS",
      SIGSEGV: "SIGSEGV", SIGQUIT: "SIGQUIT", SIGKILL: "SIGKILL", SIGTERM: "SIGTERM", SIGINT: "SIGINT",
    ]
    return names[number] ?? "signal \(number)"
  }
}
