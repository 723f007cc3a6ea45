import BenchmarkSupport
import Glibc
import PluginAPI

@testable import Host

/// The time of a call of a plugin that is a program in Python: from the host's call to its value, with the process
/// already running, and with one that is started.
struct ProgramCallFigures {
  /// The argument that makes this program call a plugin: `calls FOLDER`.
  static let word = "calls"
  /// The argument that makes this program start a plugin for one call: `first FOLDER`.
  static let firstWord = "first"
  /// The number of calls of a running process.
  static let rounds = 2000
  private static let starts = 21
  private static let source = """
    from workbench_plugin import Plugin

    plugin = Plugin("echo", "Echo", "1.0.0", "Returns a number")


    @plugin.command("next", "Return the next number", effects=())
    def following(call, number: int):
        return number + 1


    plugin.run()

    """

  /// The folder of the real program.
  var program: String

  /// Measures and prints.
  func measure() throws {
    let name = "plugin: call of a program in Python, p50"
    let sdk = PluginSDK(HostInstallation(folder: program)).runtimeFile(of: .python) ?? ""
    guard access("/usr/bin/python3", X_OK) == 0, let runtime = try? HostFile.read(sdk) else {
      return Measurement.skip(name, because: "python3 or the file of the SDK is missing")
    }
    let scratch = ScratchFolder()
    // With the caches of Python.
    defer { try? HostFile.remove(scratch.path) }
    try HostFile.write(runtime, to: scratch.path + "/workbench_plugin.py")
    try HostFile.write(Array(Self.source.utf8), to: scratch.path + "/main.py")
    let manifest = try ToolRun.run(["python3", "-B", scratch.path + "/main.py", "--manifest"]).output
    try HostFile.write(manifest, to: scratch.path + "/plugin.json")
    let this = FilePath.linkTarget("/proc/self/exe") ?? CommandLine.arguments[0]
    guard let milliseconds = Program.number([this, Self.word, scratch.path]) else {
      return Measurement.skip(name, because: "the calls failed")
    }
    Measurement(name, milliseconds * 1000, unit: "µs", bar: 100).print()
    // Python's files are in the memory of the system by now.
    let first = (0..<Self.starts).compactMap { _ in Program.number([this, Self.firstWord, scratch.path]) }
    let startName = "plugin: first reply of a program in Python, with its start"
    guard first.count == Self.starts else { return Measurement.skip(startName, because: "the calls failed") }
    Measurement(startName, Timing.median(first), unit: "ms", bar: 100).print()
  }

  /// Calls the plugin, prints the median of the milliseconds and ends the process.
  ///
  /// - Parameter calls: The number of calls, of which the first one starts the program.
  @MainActor static func run(_ folder: String, calls: Int) -> Never {
    end {
      var options = GlobalOptions()
      (options.pluginFolders, options.home) = ([folder], folder + "/home")
      let session = try HostSession(options: options, environment: ProcessEnvironment.all())
      let context = session.plugins.hostContext()
      var times: [Double] = []
      for number in 0..<calls {
        let start = Timing.milliseconds()
        let value = try await context.call("echo.next", ["number": .integer(number)])
        times.append(Timing.milliseconds() - start)
        precondition(value == .integer(number + 1), "the plugin returns another number")
      }
      return Timing.median(times)
    }
  }
}
