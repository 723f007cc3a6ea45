import Foundation
import TestSupport
import Testing

/// The client for Python: its own tests, with a server that misbehaves and with the program.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/python3"), "there is no python3"))
struct PythonClientTests {
  private func run(_ file: String, environment: [String: String?] = [:]) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(
      URL(fileURLWithPath: "/usr/bin/python3"),
      [
        "-B", "-W", "error::ResourceWarning", "-m", "unittest", "discover", "-s",
        Checkout.root.appendingPathComponent("Tests/PythonClient").path, "-p", file,
      ], environment: environment, deadlineInSeconds: 300)
  }

  @Test func `the client handles a misbehaving server`() throws {
    let outcome = try run("test_client.py")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func `the client runs commands of the program`() throws {
    let outcome = try run("test_program.py", environment: ["WORKBENCH_PROGRAM": BuiltProgram.workbench.path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!outcome.errors.contains("skipped"))
  }
}
