import BenchmarkSupport
import Glibc
import PluginAPI

@testable import Host

/// The memory that 1,000 reloads of a plugin leave behind.
///
/// A library is reloaded by another process, as a library cannot be closed: `plugin dev` starts a child with the screen
/// again, which finds the state that the screen kept. What could grow is the program that starts the children, and the
/// children, by what they find. A program is restarted within the host.
struct ReloadFigures {
  /// The argument that makes this program restart a plugin that is a program: `restarts FOLDER`.
  static let restartsWord = "restarts"
  /// The argument that makes this program show a screen again and again: `screens WORKBENCH HOME RESULT`.
  static let screensWord = "screens"

  private static let reloads = 1000
  private static let firstReloads = 50
  private static let largest = 25.0
  private static let manifest = """
    {"protocol": 1, "run": ["sh", "main.sh"],
     "plugin": {"id": "again", "name": "Again", "version": "1.0.0", "summary": "Returns its process"},
     "commands": [{"name": "process", "summary": "Return the process", "effects": [], "arguments": [], "options": [],
       "output": {"schema": {"is": "integer"}, "type": null, "stream": false}}]}
    """
  private static let script = #"""
    read -r hello
    echo '{"jsonrpc":"2.0","id":1,"result":{"protocol":1}}'
    id=2
    while read -r call; do
      echo "{\"jsonrpc\":\"2.0\",\"method\":\"emit\",\"params\":{\"id\":$id,\"value\":$$}}"
      echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":null}"
      id=$((id + 1))
    done

    """#

  /// The folder of the real program.
  var program: String

  private var this: String { FilePath.linkTarget("/proc/self/exe") ?? CommandLine.arguments[0] }

  /// Measures and prints.
  func measure() throws {
    try measureProgram()
    try measureLibrary()
  }

  private func measureProgram() throws {
    let scratch = ScratchFolder()
    defer { try? HostFile.remove(scratch.path) }
    try HostFile.write(Array(Self.manifest.utf8), to: scratch.path + "/plugin.json")
    try HostFile.write(Array(Self.script.utf8), to: scratch.path + "/main.sh")
    let name = "plugin: memory of the host by restart of a program, over \(Self.reloads) restarts"
    guard let kilobytes = Program.number([this, Self.restartsWord, scratch.path]) else {
      return Measurement.skip(name, because: "the restarts failed")
    }
    Measurement(name, kilobytes, unit: "kB", bar: Self.largest).print()
  }

  private func measureLibrary() throws {
    let scratch = ScratchFolder()
    defer { try? HostFile.remove(scratch.path) }
    let result = scratch.path + "/result"
    let name = "plugin: memory by reload of a library with its screen's state, over \(Self.reloads) reloads"
    var environment = ProcessEnvironment.all()
    environment["TERM"] = "xterm-256color"
    let words = [this, Self.screensWord, program + "/workbench", scratch.path + "/home", result]
    guard let terminal = PseudoTerminal(words, environment: environment, columns: 80, rows: 24) else {
      return Measurement.skip(name, because: "there is no terminal")
    }
    var status: Int32 = 0
    while waitpid(terminal.process, &status, WNOHANG) == 0 {
      // The screen is complete when nothing more comes; it is left then.
      terminal.readUntilQuiet(milliseconds: 20, atMost: 1000)
      terminal.type("q")
    }
    let figures = FileBytes.text(result).split(separator: " ").compactMap { Double($0) }
    guard figures.count == 2 else { return Measurement.skip(name, because: "a screen failed") }
    Measurement(name + ", in the program that starts it", figures[0], unit: "kB", bar: Self.largest).print()
    Measurement(name + ", in the process with the screen", figures[1], unit: "kB", bar: Self.largest).print()
  }

  /// Shows a screen again and again, each time in a child process, and writes the kilobytes by which this process and
  /// its largest child grew with each.
  static func runScreens(_ workbench: String, home: String, result: String) throws {
    let words = ["workbench", "run", "openbis", "--home", home]
    func show(_ count: Int) throws -> (own: Int, child: Int) {
      for _ in 0..<count {
        let status = try TerminalChild.run(workbench, words) { _ in }
        guard status == 0 else { throw FileBytesError.unreadable(workbench) }
      }
      var used = rusage()
      getrusage(RUSAGE_CHILDREN.rawValue, &used)
      return (ResidentMemory.kibibytes ?? 0, used.ru_maxrss)
    }
    let before = try show(firstReloads)
    let after = try show(reloads)
    let figures = [after.own - before.own, after.child - before.child].map { "\(Double($0) / Double(reloads))" }
    try HostFile.write(Array(figures.joined(separator: " ").utf8), to: result)
  }

  /// Restarts a program again and again, prints the kilobytes by which this process grew with each, and ends it.
  @MainActor static func runRestarts(_ folder: String) -> Never {
    end {
      let plugin = try RestartedPlugin(folder)
      let before = try await plugin.restart(firstReloads)
      let after = try await plugin.restart(reloads)
      return Double(after - before) / Double(reloads)
    }
  }
}

/// A plugin whose program is ended as soon as it is unused.
@MainActor private struct RestartedPlugin {
  /// The time until nothing waits for ended programs any more, in seconds.
  private static let settlingSeconds = 3
  private let session: HostSession
  private let plugin: ProgramPlugin
  private let context: HostContext

  init(_ folder: String) throws {
    var options = GlobalOptions()
    options.home = folder + "/home"
    session = try HostSession(options: options, environment: ProcessEnvironment.all())
    let path = folder + "/plugin.json"
    let (manifest, identity) = try ProgramManifest.read(path)
    var limits = ProgramLimits()
    limits.idleSeconds = 0
    plugin = ProgramPlugin(
      ProgramService.Source(
        manifest: manifest, path: path, identity: identity, state: folder + "/state", limits: limits))
    context = session.plugins.hostContext()
  }

  /// Calls the plugin until as many programs were started.
  ///
  /// - Returns: The resident memory afterwards, in KiB.
  func restart(_ count: Int) async throws -> Int {
    var (last, starts) = (Value.null, 0)
    while starts < count {
      let output = CollectedOutput()
      try await plugin.makeCommand("process", context).run(
        CommandCall(arguments: Record(), context: context, output: output))
      guard let process = output.values.first, process != last else {
        // It was used again before it was ended.
        await Task.yield()
        continue
      }
      (last, starts) = (process, starts + 1)
    }
    try await Task.sleep(for: .seconds(Self.settlingSeconds))
    return ResidentMemory.kibibytes ?? 0
  }
}
