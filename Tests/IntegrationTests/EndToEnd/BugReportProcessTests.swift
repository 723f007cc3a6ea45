import Foundation
import TestSupport
import Testing

/// Bug reports of the real program and its plugins.
struct BugReportProcessTests {
  @Test func `a report lists the plugins and contains no user data`() throws {
    let home = try TemporaryFolder()
    let secrets = ["tok_live_9f8e7d", "correct horse battery", "Lovelace", home.path.path]
    let outcome = try CommandLineProcess(
      ["bugreport"],
      environment: [
        "WORKBENCH_HOME": home.path.path, "HOME": home.path.path, "WORKBENCH_OPENBIS_TOKEN": secrets[0],
        "WORKBENCH_SECRET": secrets[1], "USER": secrets[2], "TERM": "xterm-256color",
      ]
    ).finish()
    #expect(outcome.status == 0, "\(outcome.errors)")
    for secret in secrets { #expect(!outcome.output.contains(secret), "\(outcome.output)") }
    for plugin in ["molecules", "openbis", "pathcase", "wsabi"] {
      #expect(outcome.output.contains("  \(plugin), "), "\(outcome.output)")
    }
    #expect(outcome.output.contains("WORKBENCH_OPENBIS_TOKEN is set") && outcome.output.contains("  kernel: Linux"))
  }

  @Test func `a report is written to a private file or to standard output`() throws {
    let folder = try TemporaryFolder()
    let file = folder.path.appendingPathComponent("report.txt").path
    let written = try CommandLineProcess.run("bugreport", "--output", file)
    #expect(written.status == 0 && written.errors.contains("wrote '\(file)'"), "\(written.errors)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == written.output)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let printed = try CommandLineProcess.run("bugreport", "--output", "-")
    #expect(printed.status == 0 && printed.output.hasPrefix("Program\n") && printed.errors.isEmpty, "\(printed.errors)")
  }
}
