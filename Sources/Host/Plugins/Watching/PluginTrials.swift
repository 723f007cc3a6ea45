internal import CHost
import Glibc
import PluginAPI

/// Child processes that run plugins with data and state folders of their own, which are removed afterwards.
///
/// Their stores are empty. Settings, and the plugins that are installed, are the user's.
struct PluginTrials: Sendable {
  /// The end of a child.
  enum End: Hashable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case signaled(Int32)
    /// It was killed at the time limit.
    case timedOut
    /// It was killed because it wrote more than allowed.
    case talkedTooMuch

    var description: String {
      switch self {
      case .exited(let status): "it exits with status \(status)"
      case .signaled(let signal): "it dies from \(PluginProbe.name(ofSignal: signal))"
      case .timedOut: "it does not end in time"
      case .talkedTooMuch: "it writes too much"
      }
    }
  }

  /// The arguments that give a child the folders and plugins of this run.
  let options: [String]
  /// The user's choices of plugins.
  let lock: PluginLock
  /// The folder for temporary folders.
  let temporaryFolder: String
  let temporary: TemporaryFiles
  /// The time limit of a child, in seconds.
  let limitInSeconds: Int

  /// The maximum size of a child's response, in bytes.
  private static let longestResponse = 1 << 16

  /// The folders of a child, in place of the user's.
  ///
  /// - Parameter folder: The child's folder.
  static func folders(in folder: String) -> HostFolders.Replacements {
    HostFolders.Replacements(data: data(in: folder), state: folder + "/state")
  }

  private static func data(in folder: String) -> String { folder + "/data" }

  @MainActor init(_ interpreter: CommandInterpreter, limitInSeconds: Int, allowsNetwork: Bool) {
    let (session, streams) = (interpreter.session, interpreter.streams)
    options = session.options.childArguments(environment: streams.environment, allowsNetwork: allowsNetwork)
    lock = PluginLock(data: session.folders.data)
    (temporaryFolder, temporary) = (streams.temporaryFolder, streams.temporary)
    self.limitInSeconds = limitInSeconds
  }

  /// Runs a child, `workbench WORD FOLDER ARGUMENT…`.
  ///
  /// - Parameter disabled: The ids of the plugins that the child must not use.
  /// - Returns: The end of the child, and the bytes of its standard output.
  func run(_ word: String, _ arguments: [String], without disabled: Set<String>) throws -> (end: End, output: [UInt8]) {
    let folder = try HostFile.makeTemporaryFolder(under: temporaryFolder, prefix: "workbench-trial-")
    temporary.add(folder)
    defer { temporary.remove(folder) }
    try PluginLock.change(data: Self.data(in: folder)) { trial in
      for entry in lock.entries.values { trial[entry.id] = entry }
      for id in disabled { trial[id] = PluginLock.Entry(id: id, isEnabled: false) }
    }
    let program = HostInstallation.current.program
    let result = PluginProbe.run(
      program, ["workbench", word, folder] + arguments, limit: Self.longestResponse,
      deadlineInMilliseconds: Int32(limitInSeconds * 1000))
    defer { free(result.output) }
    let output = Array(UnsafeBufferPointer(start: result.output, count: result.count))
    switch result.end {
    case chost_child_exited: return (.exited(result.status), output)
    case chost_child_signalled: return (.signaled(result.status), output)
    case chost_child_timed_out: return (.timedOut, output)
    case chost_child_too_talkative: return (.talkedTooMuch, output)
    default: throw HostFileError.cannot(.read, program, code: result.status)
    }
  }
}

/// A child that runs a command line: `workbench __trial FOLDER WORD…`.
enum PluginTrialChild {
  /// The argument that makes the program a child.
  static let word = "__trial"

  /// Runs the command line and ends the process with its status; its output is discarded.
  @MainActor static func start(_ arguments: [String]) -> Never {
    _ = begin()
    guard let folder = arguments.first else { chost_end(2) }
    Program.start(Array(arguments.dropFirst()), replaced: PluginTrials.folders(in: folder))
  }

  /// Makes this process a child that may crash, and discards its standard output.
  ///
  /// - Returns: A descriptor of the output before.
  static func begin() -> Int32 {
    chost_become_child()
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
    dup2(nothing, STDOUT_FILENO)
    close(nothing)
    return output
  }
}
