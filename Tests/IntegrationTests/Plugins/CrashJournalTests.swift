import Foundation
import TestSupport
import Testing

/// The crash journal where it cannot be written.
struct CrashJournalTests {
  @Test(.enabled(if: SmallDisk.canMount, "a user may not mount file systems"))
  func `on a full disk, commands run without the journal, with one warning`() throws {
    let home = try PluginHome()
    let outcome = try SmallDisk.run(
      """
      mkdir -p "$WORKBENCH_HOME"
      dd if=/dev/zero of="$0/full" bs=4k 2>/dev/null
      "$1" misbehaving greet --plugin-dir "$2"
      """, kilobytes: 64, [BuiltProgram.workbench.path, home.plugins.path])
    #expect(outcome.status == 0)
    #expect(outcome.output == "hello from misbehaving\n")
    #expect(outcome.errors.contains("state/journal': No space left on device; free some space on the device\n"))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }
}
