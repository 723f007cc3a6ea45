import Foundation
import Glibc
import TestSupport

/// A real Slurm with four nodes of one CPU on this machine, run by `Scripts/slurm-node`.
///
/// It ends with its owner, or with the process of the tests if that is killed.
final class SlurmNode {
  /// A Boolean value indicating whether Slurm is installed and this user may run it.
  static let isAvailable =
    getuid() == 0 && ["slurmctld", "slurmd"].allSatisfy { access("/usr/sbin/" + $0, X_OK) == 0 }

  /// A script that failed.
  struct Failure: Error {
    var errors: String
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try script("start", "4", "\(getpid())")
  }

  deinit { try? script("stop") }

  /// The variables of programs that use this Slurm.
  var variables: [String: String] { ["SLURM_CONF": folder.url("slurm.conf").path] }

  /// Starts the daemons that do not run.
  func start() throws { try script("start") }

  /// Kills a daemon: `slurmctld`, or a node such as `n2`.
  func kill(_ daemon: String) throws { try script("kill", daemon) }

  private func script(_ verb: String, _ arguments: String...) throws {
    try run(Checkout.root.appendingPathComponent("Scripts/slurm-node").path, [verb, folder.path.path] + arguments)
  }

  /// Runs a program of Slurm and returns its output.
  @discardableResult
  func run(_ program: String, _ arguments: [String]) throws -> String {
    let outcome = try BuiltProgram.run(
      URL(fileURLWithPath: "/usr/bin/env"), [program] + arguments, environment: variables.mapValues { $0 })
    guard outcome.status == 0 else { throw Failure(errors: outcome.output + outcome.errors) }
    return outcome.output
  }

  /// Does what an administrator does after a node or the controller was lost: drained nodes and held tasks are
  /// re-enabled, and requeued tasks do not wait for two minutes.
  func restore() throws {
    for node in try run("sinfo", ["-h", "-N", "-o", "%N|%T"]).split(separator: "\n") where node.contains("drain") {
      _ = try? run("scontrol", ["update", "nodename=" + node.prefix { $0 != "|" }, "state=resume"])
    }
    for task in try run("squeue", ["-h", "-r", "-t", "PD", "-o", "%i|%r"]).split(separator: "\n") {
      let id = String(task.prefix { $0 != "|" })
      if task.contains("Held") { _ = try? run("scontrol", ["release", id]) }
      if task.contains("BeginTime") { _ = try? run("scontrol", ["update", "jobid=" + id, "StartTime=now"]) }
    }
  }
}
