import Foundation
import PluginAPI
import TestSupport

@testable import Host

/// Programs with the names of Slurm's, which note their calls and print what a test wants.
final class FakeSlurm {
  private let folder: TemporaryFolder

  /// - Parameters:
  ///   - arrayLimit: The value of `MaxArraySize`.
  ///   - accepted: The number of jobs that are accepted.
  init(arrayLimit: Int = 1001, accepted: Int = .max) throws {
    folder = try TemporaryFolder()
    // The folder is the whole PATH: a Slurm of this machine must not be found.
    for tool in ["cat", "wc"] {
      try FileManager.default.createSymbolicLink(atPath: folder.url(tool).path, withDestinationPath: "/usr/bin/" + tool)
    }
    try program(
      "sbatch",
      """
      echo "$*" >>submitted
      count=$(wc -l <submitted)
      if [ "$count" -gt \(accepted) ]; then
        echo 'sbatch: error: invalid partition specified: absent' >&2
        echo 'sbatch: error: Batch job submission failed: Invalid partition name specified' >&2
        exit 1
      fi
      echo 'sbatch: lua: welcome' >&2
      echo "$((100 + count))"
      """)
    try program("scontrol", "echo 'MaxArraySize            = \(arrayLimit)'")
    try program("scancel", "echo \"$*\" >>canceled")
    try program("sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1")
    try setQueue("")
  }

  /// Writes a program, which runs in its own folder.
  func program(_ name: String, _ script: String) throws {
    let file = try folder.write(Array("#!/bin/sh\ncd \"${0%/*}\" || exit\n\(script)\n".utf8), name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
  }

  /// Sets the output of `squeue`.
  func setQueue(_ text: String) throws {
    try folder.write(Array(text.utf8), "queue")
    try program("squeue", "cat queue")
  }

  /// Lets the programs fail as without a controller.
  func loseController() throws {
    for name in ["squeue", "scontrol", "scancel"] {
      try program(name, "echo '\(name): error: Unable to contact slurm controller (connect failure)' >&2; exit 1")
    }
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(at: folder.url(name)) }

  var environment: [String: String] { ["PATH": folder.path.path] }

  /// The arguments of the calls of `sbatch`.
  var submissions: [[Substring]] { lines("submitted").map { $0.split(separator: " ") } }

  /// The calls of `scancel`.
  var cancellations: [Substring] { lines("canceled") }

  private func lines(_ name: String) -> [Substring] {
    let text = (try? Data(contentsOf: folder.url(name))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return text.split(separator: "\n")
  }
}
