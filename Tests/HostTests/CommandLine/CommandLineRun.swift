import Foundation
import PluginAPI
import Synchronization

@testable import Host

/// Runs command lines in the test's process, with the sample plugin, and records their output.
@MainActor final class CommandLineRun {
  let home: String
  let streams: StandardStreams
  let interpreter: CommandInterpreter
  private(set) var launches: [ScreenLaunch] = []

  /// Creates a run.
  ///
  /// - Parameter findsPlugins: True if plugins that are installed in its home are found.
  init(environment: [String: String] = [:], findsPlugins: Bool = false) throws {
    home = FileManager.default.temporaryDirectory.appendingPathComponent("workbench-" + UUID().uuidString).path
    streams = .memory(environment: environment)
    var options = GlobalOptions()
    options.home = home
    let folders = findsPlugins ? [PluginSearchFolder(path: home + "/data/plugins", source: .user)] : []
    let session = try HostSession(
      options: options, environment: environment, searchPath: PluginSearchPath(folders: folders))
    let record = LaunchRecord()
    interpreter = CommandInterpreter(
      session: session, streams: streams, pictures: .standard,
      screens: ScreenLauncher { launch, _ in
        record.add(launch)
        return Array("frame\n".utf8)
      }
    ) { HostCommands.all($0) }
    self.record = record
    try session.plugins.adopt(SamplePlugin())
  }

  private let record: LaunchRecord

  deinit { try? FileManager.default.removeItem(atPath: home) }

  /// The screens that were asked for.
  var shown: [ScreenLaunch] { record.launches }

  /// Runs a line.
  func callAsFunction(_ words: String...) async throws { try await run(words) }

  /// Runs a line.
  func run(_ words: [String]) async throws {
    try await interpreter.run(words, options: interpreter.session.options)
  }

  /// Returns the error of a line.
  func error(_ words: String...) async -> ErrorReport? { await error(words) }

  /// Returns the error of a line.
  func error(_ words: [String]) async -> ErrorReport? {
    do {
      try await run(words)
      return nil
    } catch {
      return ErrorReport(error)
    }
  }

  /// Returns the standard output of a line.
  func output(_ words: String...) async throws -> String {
    let before = streams.output.contents.utf8.count
    try await run(words)
    return String(streams.output.contents.utf8.dropFirst(before)) ?? ""
  }

  /// The text on standard error so far.
  var messages: String { streams.error.contents }

  /// Writes a file for a line to read.
  func file(_ name: String, _ text: String) throws -> String {
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let path = home + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }
}

/// A record of the requested screens.
private final class LaunchRecord: Sendable {
  private let state = Mutex<[ScreenLaunch]>([])

  func add(_ launch: ScreenLaunch) { state.withLock { $0.append(launch) } }

  var launches: [ScreenLaunch] { state.withLock { $0 } }
}
