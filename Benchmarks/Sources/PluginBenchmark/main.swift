import BenchmarkSupport
import Glibc
import PluginAPI

@testable import Host

// Loading, probing and listing plugins that need no large library.
//
// A library is opened once per process, so each measurement of a load runs in a process of its own: this program starts
// itself with `load`. The registry is warm then, as in daily use; the file's owner, mode and identity are checked, and
// the contract is already in the process. Probes and lists are those of the real program.
//
// Usage: PluginBenchmark FOLDER-OF-THE-PROGRAM FOLDER-OF-SMALL-PLUGINS

/// Returns the milliseconds until a plugin is loaded and activated.
///
/// - Parameter another: A plugin that is loaded before, so that what happens once in a process is not counted.
@MainActor func load(_ id: String, after another: String?, from folder: String) throws -> Double {
  var options = GlobalOptions()
  options.pluginFolders = [folder]
  let session = try HostSession(options: options, environment: ProcessEnvironment.all())
  _ = session.plugins.contributions(of: id)
  if let another { _ = try session.plugins.activated(another) }
  defer { CrashJournal.close() }
  let start = Timing.milliseconds()
  _ = try session.plugins.activated(id)
  return Timing.milliseconds() - start
}

func open(_ path: String, id: String) throws -> Double {
  let start = Timing.milliseconds()
  _ = try PluginLibrary.open(path, id: id, needs: LibraryNeeds(names: ["libPluginAPI.so"]), installation: .current)
  return Timing.milliseconds() - start
}

/// Prints a figure where the program that started this one reads; a session gives plugins another standard output.
func tell(_ figure: Double) { _ = HostFile.writeAll(Array("\(figure)\n".utf8), to: output) }

/// Prints the figure of some work with plugins, ends their programs and this one.
@MainActor func end(telling figure: @escaping @MainActor () async throws -> Double) -> Never {
  Task { @MainActor in
    do {
      tell(try await figure())
      ProgramProcess.killAll()
      exit(0)
    } catch {
      print("\(error)")
      exit(1)
    }
  }
  MainQueue.run()
}

let output = dup(STDOUT_FILENO)
let words = Array(CommandLine.arguments.dropFirst())
switch (words.first, words.count) {
// The host probes plugins by starting its own program, which is this one.
case (PluginProbeChild.word, _): PluginProbeChild.run(Array(words.dropFirst()))
case ("load", 3): tell(try load(words[1], after: nil, from: words[2]))
case ("load-next", 3): tell(try load(words[1], after: "small-02", from: words[2]))
case ("open", 3): tell(try open(words[2], id: words[1]))
case (ProgramCallFigures.word, 2): ProgramCallFigures.run(words[1], calls: ProgramCallFigures.rounds)
case (ProgramCallFigures.firstWord, 2): ProgramCallFigures.run(words[1], calls: 1)
case (ReloadFigures.restartsWord, 2): ReloadFigures.runRestarts(words[1])
case (ReloadFigures.screensWord, 4): try ReloadFigures.runScreens(words[1], home: words[2], result: words[3])
case (_, 2):
  try PluginFigures(program: words[0], plugins: words[1]).measure()
  try ProgramCallFigures(program: words[0]).measure()
  try ReloadFigures(program: words[0]).measure()
default: fatalError("usage: PluginBenchmark FOLDER-OF-THE-PROGRAM FOLDER-OF-SMALL-PLUGINS")
}
