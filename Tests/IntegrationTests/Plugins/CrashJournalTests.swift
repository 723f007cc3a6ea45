import Foundation
import TestSupport
import Testing

/// The crash journal where it cannot be written.
struct CrashJournalTests {
  /// A Boolean value indicating whether a small file system can be mounted in a namespace of the test's own.
  private static let canMount = (try? mounting("true").status) == 0

  /// Runs a script with a file system of 64 kB at `$2`.
  private static func mounting(_ script: String, _ arguments: [String] = []) throws -> BuiltProgram.Outcome {
    let folder = try TemporaryFolder()
    return try BuiltProgram.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      [
        "unshare", "--user", "--map-root-user", "--mount", "bash", "-c",
        "mount -t tmpfs -o size=64k,mode=700 tmpfs \"$0\" || exit 1\n" + script, folder.path.path,
      ] + arguments, environment: ["WORKBENCH_HOME": folder.url("home").path, "WORKBENCH_PLUGIN_PATH": nil])
  }

  @Test(.enabled(if: canMount, "a user may not mount file systems"))
  func `on a full disk commands run without it, with one warning`() throws {
    let home = try PluginHome()
    let outcome = try Self.mounting(
      """
      mkdir -p "$WORKBENCH_HOME"
      dd if=/dev/zero of="$0/full" bs=4k 2>/dev/null
      "$1" misbehaving greet --plugin-dir "$2"
      """, [BuiltProgram.workbench.path, home.plugins.path])
    #expect(outcome.status == 0)
    #expect(outcome.output == "hello from misbehaving\n")
    #expect(outcome.errors.contains("state/journal': No space left on device; free some space on the device\n"))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }
}
