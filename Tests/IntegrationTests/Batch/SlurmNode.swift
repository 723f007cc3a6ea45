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
  private let arrayLimit: Int

  /// - Parameters:
  ///   - nodes: The number of nodes.
  ///   - arrayLimit: The value of `MaxArraySize`; indices of tasks are below it.
  init(nodes: Int = 4, arrayLimit: Int = 1001) throws {
    folder = try TemporaryFolder()
    self.arrayLimit = arrayLimit
    try script("start", "\(nodes)", "\(getpid())")
  }

  deinit { try? script("stop") }

  /// The variables of programs that use this Slurm.
  var variables: [String: String] {
    ["SLURM_CONF": folder.url("slurm.conf").path, "SLURM_NODE_MAX_ARRAY": "\(arrayLimit)"]
  }

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

  /// A task of a job that runs.
  struct Task {
    /// The identifier of the job and the index of the task, such as `7_0`.
    var id: String
    /// The shard, if the array has all shards of a run.
    var shard: Int
  }

  /// Returns the task that runs on a node.
  func task(on node: String) throws -> Task? {
    let line = try run("squeue", ["-h", "-r", "-t", "R", "-w", node, "-o", "%F_%K"]).split(separator: "\n").first
    return line.flatMap { id in
      id.split(separator: "_").last.flatMap { Int($0) }.map { Task(id: String(id), shard: $0 + 1) }
    }
  }

  /// Does what an administrator does after a node or the controller was lost: drained nodes and held tasks are
  /// re-enabled, and requeued tasks do not wait for two minutes.
  func restore() throws {
    for node in try run("sinfo", ["-h", "-N", "-o", "%N|%T"]).split(separator: "\n") where node.contains("drain") {
      _ = try? run("scontrol", ["update", "nodename=" + node.prefix { $0 != "|" }, "state=resume"])
    }
    for task in try run("squeue", ["-h", "-r", "-t", "PD", "-o", "%i|%r"]).split(separator: "\n") {
      let id = String(task.prefix { $0 != "|" })
      // 'JobHeldUser', or 'launch failed requeued held'.
      if task.lowercased().contains("held") { _ = try? run("scontrol", ["release", id]) }
      if task.contains("BeginTime") { _ = try? run("scontrol", ["update", "jobid=" + id, "StartTime=now"]) }
    }
  }
}
