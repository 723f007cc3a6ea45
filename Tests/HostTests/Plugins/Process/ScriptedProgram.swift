import Foundation
import PluginAPI
import PluginTesting
import TestSupport

@testable import Host

/// A plugin whose program is a script of the shell.
struct ScriptedProgram {
  let folder: TemporaryFolder
  let plugin: TestPlugin

  /// Functions that scripts use: each reads or writes a message.
  private static let functions = #"""
    take() { read -r message; }
    say() { printf '%s\n' "$1"; }
    hello() { take; say '{"jsonrpc":"2.0","id":1,"result":{"protocol":1}}'; }
    emit() { say "{\"jsonrpc\":\"2.0\",\"method\":\"emit\",\"params\":{\"id\":$1,\"value\":$2}}"; }
    finish() { say "{\"jsonrpc\":\"2.0\",\"id\":$1,\"result\":null}"; }
    ask() { say "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"$2\",\"params\":$3}"; take; say "$message" >>"$notes"; }

    """#

  /// The JSON of a manifest.
  static func manifest(run: String = #"["sh", "main.sh"]"#, with other: String = "") -> String {
    #"""
    {"protocol": 1, "features": ["emit"], "run": \#(run),
     "plugin": {"id": "scripted", "name": "Scripted", "version": "1.0.0", "summary": "Runs a script"},
     "commands": [{"name": "go", "summary": "Run", "arguments": [], "options": [], "effects": ["reads"],
       "output": {"schema": {"is": "any"}, "type": null, "stream": true}}],
     "screens": [{"name": "main", "title": "Main", "actions": [{"id": "add", "title": "Add", "keys": ["a"]}]}],
     "textRenderers": ["scripted.text"],
     "checks": [{"name": "health", "summary": "Health"}],
     "topics": [{"name": "news", "summary": "News", "payload": {"is": "any"}}],
     "settings": [{"name": "unit", "kind": {"is": "text"}, "summary": "Unit", "default": "metre"}]\#(other)}
    """#
  }

  /// Creates a plugin.
  ///
  /// - Parameters:
  ///   - script: The program; `$notes` is a file in ``folder`` for what tests look at.
  ///   - run: The command line in the manifest.
  init(
    _ script: String, run: String = #"["sh", "main.sh"]"#, limits: ProgramLimits = ProgramLimits(),
    memoryInBytes: UInt64 = 0
  ) async throws {
    // A program may end before it reads; the host ignores the signal too.
    signal(SIGPIPE, SIG_IGN)
    folder = try TemporaryFolder()
    let path = try folder.write(Array(Self.manifest(run: run).utf8), "scripted/plugin.json").path
    let head = "notes='\(folder.url("notes").path)'\necho $$ >>\"$notes.pids\"\n"
    try folder.write(Array((head + Self.functions + script + "\n").utf8), "scripted/main.sh")
    let (manifest, identity) = try ProgramManifest.read(path)
    let source = ProgramService.Source(
      manifest: manifest, path: path, identity: identity, state: folder.url("state").path,
      memoryInBytes: memoryInBytes, limits: limits)
    plugin = try await TestPlugin(ProgramPlugin(source), home: folder.url("home").path)
  }

  /// Runs the command of the plugin and returns what it emitted.
  func go() async throws -> [Value] { try await plugin.run("go").values }

  /// The lines that the script wrote to a file.
  func notes(_ name: String = "notes") -> [String] {
    let text = (try? String(contentsOf: folder.url(name), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// The process ids of all programs that were started.
  var processes: [String] { notes("notes.pids") }

  /// Returns a Boolean value indicating whether a process runs; nobody may wait for one whose parent ended.
  static func runs(_ process: String) -> Bool {
    (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/cmdline")))?.isEmpty == false
  }

  /// Returns a Boolean value indicating whether a process runs or was not waited for.
  static func exists(_ process: String) -> Bool { FileManager.default.fileExists(atPath: "/proc/" + process) }
}
