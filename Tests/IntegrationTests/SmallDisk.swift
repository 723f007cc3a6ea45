import Foundation
import TestSupport

/// A small file system in a namespace of a test's own, which the test fills.
enum SmallDisk {
  /// True if a user may mount file systems in a namespace of their own.
  static let canMount = (try? run("true", kilobytes: 64).status) == 0

  /// Runs a script with a file system at `$0` that has the program's home; the arguments begin at `$1`.
  static func run(_ script: String, kilobytes: Int, _ arguments: [String] = []) throws -> BuiltProgram.Outcome {
    let folder = try TemporaryFolder()
    return try BuiltProgram.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      [
        "unshare", "--user", "--map-root-user", "--mount", "bash", "-c",
        "mount -t tmpfs -o size=\(kilobytes)k,mode=700 tmpfs \"$0\" || exit 1\n" + script, folder.path.path,
      ] + arguments, environment: ["WORKBENCH_HOME": folder.url("home").path, "WORKBENCH_PLUGIN_PATH": nil])
  }
}
