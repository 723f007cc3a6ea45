internal import CHost
import Glibc
import PluginAPI

/// Reads a plugin's description of itself in a child process, so that a faulty plugin cannot harm this one.
struct PluginProbe: Sendable {
  var installation: HostInstallation
  /// The time limit of the child, not counting the time it waits for a processor.
  var deadlineInMilliseconds: Int32 = 2000
  /// The maximum size of its response, in bytes.
  var limit = 16 << 20
  /// The limit of the child's writable memory.
  var memoryLimitInMegabytes = 1024
  /// The state folder with the crash journal, for plugins that may end this process while they are probed.
  var state: String?

  /// Probes a library.
  ///
  /// - Returns: The plugin's name and contributions, or the reason for refusing it.
  func verdict(on path: String, id: String) -> (name: String?, verdict: PluginDossier.Verdict) {
    let contributions: Contributions
    do throws(ErrorReport) {
      contributions = try noting(path, id: id) { () throws(ErrorReport) in try describe(path, id: id) }
    } catch {
      return (nil, .refused(error))
    }
    return (contributions.plugin.name, .usable(RegistryBlock(StoredContributions(contributions).bytes)))
  }

  /// Records in the crash journal that the plugin runs, as it may end this process.
  ///
  /// Bundled plugins are not recorded: killing the program must not quarantine them.
  private func noting<Result>(
    _ path: String, id: String, _ body: () throws(ErrorReport) -> Result
  ) throws(ErrorReport) -> Result {
    guard let state, FilePath.folder(of: path) != installation.bundledPlugins, let identity = FileIdentity(path: path)
    else { return try body() }
    CrashJournal.open(state: state)
    return try CrashJournal.probing(id, identity, body)
  }

  private func describe(_ path: String, id: String) throws(ErrorReport) -> Contributions {
    let result = Self.run(
      installation.program, ["workbench", PluginProbeChild.word, path, String(memoryLimitInMegabytes)], limit: limit,
      deadlineInMilliseconds: deadlineInMilliseconds)
    defer { free(result.output) }
    switch result.end {
    case chost_child_exited where result.status == 0:
      let bytes = Array(UnsafeBufferPointer(start: result.output, count: result.count))
      return try read(bytes, id: id)
    case chost_child_exited where result.status == CHOST_PROBE_OUT_OF_MEMORY:
      throw PluginRefusal.probeOutOfMemory(id: id, megabytes: memoryLimitInMegabytes)
    case chost_child_exited:
      throw PluginRefusal.probeFailed(id: id, "the probe ended with status \(result.status)")
    case chost_child_signalled:
      throw PluginRefusal.probeCrashed(id: id, signal: Self.name(ofSignal: result.status))
    case chost_child_timed_out:
      throw PluginRefusal.probeHung(id: id, seconds: Int(deadlineInMilliseconds) / 1000)
    case chost_child_too_talkative:
      throw PluginRefusal.probeFailed(id: id, "its description is larger than \(limit >> 20) MB")
    default:
      throw PluginRefusal.probeFailed(id: id, String(cString: strerror(result.status)))
    }
  }

  private func read(_ output: [UInt8], id: String) throws(ErrorReport) -> Contributions {
    guard let value = try? Value(decoding: output) else {
      throw PluginRefusal.probeFailed(id: id, "it ended the probe before describing itself")
    }
    if let report = try? ErrorReport(value: value["error"]) { throw report }
    guard let contributions = try? Contributions(value: value["contributions"]) else {
      throw PluginRefusal.probeFailed(id: id, "its description cannot be read")
    }
    return contributions
  }

  /// Runs a child that opens plugin libraries.
  ///
  /// The child does not inherit the variables of the dynamic linker, and writes no backtraces, as crashes are expected.
  static func run(
    _ program: String, _ commandLine: [String], limit: Int, deadlineInMilliseconds: Int32
  ) -> chost_child_result {
    var arguments = commandLine.map { strdup($0) } + [nil]
    var environment = ProcessEnvironment.all()
      .filter { !$0.key.hasPrefix("LD_") && $0.key != "SWIFT_BACKTRACE" }
      .map { strdup($0.key + "=" + $0.value) }
    environment += [strdup("SWIFT_BACKTRACE=enable=no"), nil]
    defer { for text in arguments + environment { free(text) } }
    return chost_run_child(program, &arguments, &environment, -1, limit, deadlineInMilliseconds)
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

/// The child's side of a probe: `workbench __probe PATH MEGABYTES`.
///
/// Opens the library, reads the plugin's contributions and writes the response in byte form to standard output: a
/// record with `contributions`, or with `error`.
enum PluginProbeChild {
  /// The argument that makes the program a probe.
  static let word = "__probe"

  /// Runs the probe and ends the process.
  ///
  /// - Parameter arguments: The library's path, and the megabytes of writable memory it may take.
  static func run(_ arguments: [String]) -> Never {
    chost_become_probe((arguments.last.flatMap(UInt64.init) ?? 0) << 20)
    // Text that the plugin prints is not part of the response.
    let output = dup(1)
    let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
    dup2(nothing, 1)
    let value: Value
    do {
      guard let path = arguments.first else { throw PluginRefusal.unreadable(path: "", "a file name is missing") }
      value = ["contributions": try describe(FilePath.absolute(path)).value]
    } catch {
      value = ["error": ((error as? any ReportableError)?.report ?? unexpected(error)).value]
    }
    let isWritten = HostFile.writeAll(value.encoded(), to: output) == 0
    _exit(isWritten ? 0 : 1)
  }

  private static func describe(_ path: String) throws -> Contributions {
    // The parent has checked owner and mode.
    let (bytes, _) = try FileTrust.read(path, isTrusted: true)
    let file: ELFFile
    do throws(ELFError) { file = try ELFFile(bytes) } catch { throw PluginRefusal.library(path: path, error) }
    guard let stamp = try PluginStamp(file, path: path) else { throw PluginRefusal.noStamp(path: path) }
    let (plugin, _) = try PluginLibrary.open(
      path, id: stamp.id, needs: LibraryNeeds(file), installation: .current)
    let contributions = plugin.contributions
    try ContributionsCheck.check(contributions, against: stamp)
    return contributions
  }

  private static func unexpected(_ error: any Error) -> ErrorReport {
    ErrorReport(code: "host.plugin-probe-failed", kind: .pluginFailed, "cannot examine the plugin: \(error)")
  }
}
