internal import CHost
import Glibc
import PluginAPI

/// Lets a plugin describe itself in a child process, so that nothing it does can harm this one.
struct PluginProbe: Sendable {
  var installation: HostInstallation
  /// The time the child has, without that in which other work kept it from running.
  var deadlineInMilliseconds: Int32 = 2000
  /// The most bytes its answer may have.
  var limit = 16 << 20

  /// Probes a library.
  ///
  /// - Returns: The plugin's contributions in their byte form, or why it cannot be used.
  func verdict(on path: String, id: String) -> PluginDossier.Verdict {
    let result = run(["workbench", PluginProbeChild.word, path])
    defer { free(result.output) }
    switch result.end {
    case chost_child_exited where result.status == 0:
      let bytes = Array(UnsafeBufferPointer(start: result.output, count: result.count))
      return read(bytes, id: id)
    case chost_child_exited:
      return refused(.probeFailed(id: id, "the probe ended with status \(result.status)"))
    case chost_child_signalled:
      return refused(.probeCrashed(id: id, signal: Self.name(ofSignal: result.status)))
    case chost_child_timed_out:
      return refused(.probeHung(id: id, seconds: Int(deadlineInMilliseconds) / 1000))
    case chost_child_too_talkative:
      return refused(.probeFailed(id: id, "its description has more than \(limit >> 20) MB"))
    default:
      return refused(.probeFailed(id: id, String(cString: strerror(result.status))))
    }
  }

  private func read(_ answer: [UInt8], id: String) -> PluginDossier.Verdict {
    guard let value = try? Value(decoding: answer) else {
      return refused(.probeFailed(id: id, "it ended the probe before describing itself"))
    }
    if let report = try? ErrorReport(value: value["error"]) { return .refused(report) }
    guard (try? Contributions(value: value["contributions"])) != nil else {
      return refused(.probeFailed(id: id, "its description cannot be read"))
    }
    return .usable(value["contributions"].encoded())
  }

  private func refused(_ refusal: PluginRefusal) -> PluginDossier.Verdict { .refused(refusal.report) }

  private func run(_ words: [String]) -> chost_child_result {
    var arguments = words.map { strdup($0) } + [nil]
    var environment = ProcessEnvironment.all()
      .filter { !$0.key.hasPrefix("LD_") && $0.key != "SWIFT_BACKTRACE" }
      .map { strdup($0.key + "=" + $0.value) }
    environment += [strdup("SWIFT_BACKTRACE=enable=no"), nil]
    defer { for text in arguments + environment { free(text) } }
    return chost_run_child(installation.program, &arguments, &environment, limit, deadlineInMilliseconds)
  }

  /// The name of a signal, such as `SIGSEGV`.
  static func name(ofSignal number: Int32) -> String {
    let names: [Int32: String] = [
      SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGFPE: "SIGFPE", SIGBUS: "SIGBUS",
      SIGSEGV: "SIGSEGV", SIGQUIT: "SIGQUIT", SIGKILL: "SIGKILL", SIGTERM: "SIGTERM", SIGINT: "SIGINT",
    ]
    return names[number] ?? "signal \(number)"
  }
}
