import Foundation
import TestSupport

/// A home and a plugin folder of their own, and runs of the program in them.
struct PluginHome {
  let folder: TemporaryFolder
  /// The program that is run.
  var program = BuiltProgram.workbench

  /// Creates a home; with the misbehaving plugin in its plugin folder if wanted.
  init(withPlugin: Bool = true) throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: plugins, withIntermediateDirectories: true)
    if withPlugin { try folder.write(try PluginFixture.misbehaving.get(), "plugins/libMisbehaving.so") }
  }

  /// Installs a plugin that is a program in Python, with the SDK's file.
  func install(program name: String) throws {
    let script = try Data(contentsOf: Checkout.root.appendingPathComponent("Tests/Fixtures/Programs/\(name)/main.py"))
    let sdk = try Data(
      contentsOf: Checkout.root.appendingPathComponent("Sources/PluginSDK/Python/workbench_plugin.py"))
    try folder.write(Array(script), "plugins/\(name)/main.py")
    try folder.write(Array(sdk), "plugins/\(name)/workbench_plugin.py")
    let manifest = try BuiltProgram.run(
      URL(fileURLWithPath: "/usr/bin/python3"),
      ["-B", plugins.appendingPathComponent("\(name)/main.py").path, "--manifest"])
    try folder.write(Array(manifest.output.utf8), "plugins/\(name)/plugin.json")
  }

  /// The folder named by `--plugin-dir`.
  var plugins: URL { folder.url("plugins") }

  /// The home.
  var home: URL { folder.url("home") }

  /// Opens the screen of a plugin in tmux; `done` appears once the terminal has its settings from before.
  func screen(of plugin: String) throws -> TmuxSession {
    try TmuxSession(
      """
      before=$(stty -g)
      '\(BuiltProgram.workbench.path)' run \(plugin) --plugin-dir '\(plugins.path)'
      echo "status $?"
      until [ "$before" = "$(stty -g)" ]; do sleep 0.05; done
      echo done
      """, environment: ["WORKBENCH_HOME": home.path, "SWIFT_BACKTRACE": "enable=no"])
  }

  /// Runs `workbench` with this home and plugin folder.
  ///
  /// - Parameter wish: The misbehavior of the plugin.
  func run(_ words: String..., wish: String? = nil, deadlineInSeconds: Double = 120) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(
      program, words + ["--plugin-dir", plugins.path], environment: environment(wish: wish),
      deadlineInSeconds: deadlineInSeconds)
  }

  /// Runs `workbench` with this home and plugin folder.
  func run(_ words: [String], _ options: String...) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(
      program, words + options + ["--plugin-dir", plugins.path], environment: environment(wish: nil))
  }

  /// Runs `workbench` with this home and without the plugin folder.
  func runPlain(_ words: String...) throws -> BuiltProgram.Outcome { try runPlain(words) }

  /// Runs `workbench` with this home and without the plugin folder.
  func runPlain(_ words: [String]) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(program, words, environment: environment(wish: nil))
  }

  /// Runs a script of bash that starts, waits for and signals `workbench` itself.
  ///
  /// - Parameter file: The file passed to the script as `$2`; `$0` is the program, `$1` the plugin folder.
  func runShell(_ script: String, _ file: String) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(
      URL(fileURLWithPath: "/bin/bash"), ["-c", "set -m\n" + script, program.path, plugins.path, file],
      environment: environment(wish: nil))
  }

  private func environment(wish: String?) -> [String: String?] {
    [
      "WORKBENCH_HOME": home.path, "WORKBENCH_FIXTURE": wish, "SWIFT_BACKTRACE": "enable=no",
      "WORKBENCH_PLUGIN_PATH": nil,
    ]
  }

  /// Returns the names in a folder of the home.
  func names(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: home.appendingPathComponent(path).path)) ?? []).sorted()
  }
}

extension BuiltProgram.Outcome {
  /// The code of the error that was written as JSON.
  var errorCode: String? { error?["code"] as? String }

  /// The message of the error that was written as JSON.
  var errorMessage: String { error?["message"] as? String ?? "" }

  private var error: [String: Any]? {
    for line in errors.split(separator: "\n") {
      let object = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
      if let error = object?["error"] as? [String: Any] { return error }
    }
    return nil
  }

  /// The rows that were written as JSON.
  var rows: [[String: Any]] {
    ((try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [[String: Any]]) ?? []
  }

  /// The record that was written as JSON.
  var record: [String: Any] {
    ((try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any]) ?? [:]
  }
}
