import Foundation
import TestSupport

/// Scripts that mount folders which nothing else sees.
enum PrivateMounts {
  /// True if the system lets this user mount folders for a process and its children alone.
  static let areAllowed = (try? shell("mount -t tmpfs none /mnt").status) == 0

  /// The reason for which tests are skipped without that right.
  static let absence = "this user cannot mount folders for one process"

  /// Runs a script of bash in a mount namespace of its own.
  ///
  /// - Parameter environment: Variables beside those of the tests; nil removes one.
  static func shell(
    _ script: String, _ arguments: String..., environment: [String: String?] = [:]
  ) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["unshare", "-m", "bash", "-c", "set -e\n" + script, "bash"] + arguments,
      environment: ["WORKBENCH_FIXTURE": nil, "WORKBENCH_PLUGIN_PATH": nil].merging(environment) { $1 })
  }

  /// Runs a program where the library libpq is not installed.
  ///
  /// - Parameter environment: Variables beside those of the tests; nil removes one.
  static func withoutLibpq(
    _ program: URL, _ words: [String], environment: [String: String?] = [:]
  ) throws -> BuiltProgram.Outcome {
    let folder = try TemporaryFolder()
    // A folder of links to all other libraries takes the place of the libraries' folder.
    let script = """
      file=$(/sbin/ldconfig -p | awk '$1 == "libpq.so.5" {print $NF; exit}')
      if [ -n "$file" ]; then
        libraries=$(dirname "$(readlink -f "$file")")
        mkdir "$0/front" "$0/behind"
        for file in "$libraries"/*; do
          case ${file##*/} in libpq.so*) ;; *) echo "$0/behind/${file##*/}" ;; esac
        done | xargs ln -s -t "$0/front"
        mount --bind "$libraries" "$0/behind"
        mount --bind "$0/front" "$libraries"
      fi
      exec "$@"
      """
    return try BuiltProgram.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      ["unshare", "-m", "bash", "-c", "set -e\n" + script, folder.path.path, program.path] + words,
      environment: environment)
  }
}
