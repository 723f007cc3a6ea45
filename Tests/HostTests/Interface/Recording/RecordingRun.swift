import Foundation
import PluginAPI
import TestSupport

@testable import Host

/// Records screens of the Tides plugin and replays the recordings.
@MainActor final class RecordingRun {
  let plugin = TidesPlugin()
  let folder: TemporaryFolder
  let streams = StandardStreams.memory(environment: [:])
  let interpreter: CommandInterpreter
  private var count = 0

  init() throws {
    folder = try TemporaryFolder()
    var options = GlobalOptions()
    options.home = folder.url("home").path
    let session = try HostSession(options: options, environment: [:], searchPath: PluginSearchPath(folders: []))
    interpreter = CommandInterpreter(session: session, streams: streams, pictures: .standard, screens: .standard) {
      HostCommands.all($0)
    }
    try session.plugins.adopt(plugin)
  }

  /// The text on standard error so far.
  var messages: String { streams.error.contents }

  /// Runs a line and returns what it prints.
  @discardableResult
  func run(_ words: [String]) async throws -> String {
    let before = streams.output.contents.utf8.count
    try await interpreter.run(words, options: interpreter.session.options)
    return String(streams.output.contents.utf8.dropFirst(before)) ?? ""
  }

  /// Returns a path that is not used yet.
  func newFile() -> String {
    count += 1
    return folder.url("\(count).wbs").path
  }

  /// Feeds keys to screens of a size; returns the recording and the last frame.
  func record(
    _ keys: String, of plugin: [String] = ["tides"], size: String = "60x14"
  ) async throws -> (text: String, frame: String) {
    let file = newFile()
    let frame = try await run(["run"] + plugin + ["--headless", size, "--keys", keys, "--record", file])
    return (try String(contentsOfFile: file, encoding: .utf8), frame)
  }

  /// Replays a recording while it is recorded; returns the second recording and what it prints.
  func replay(_ text: String) async throws -> (text: String, output: String) {
    let (first, second) = (newFile(), newFile())
    try Data(text.utf8).write(to: URL(fileURLWithPath: first))
    let output = try await run(["script", first, "--record", second])
    return (try String(contentsOfFile: second, encoding: .utf8), output)
  }

  /// Returns the exit status of a script that fails; nil if it succeeds.
  func failure(of text: String) async throws -> Int32? {
    do {
      try await run(["exec", text])
      return nil
    } catch let failure as ReportedFailure {
      return failure.status
    }
  }
}
