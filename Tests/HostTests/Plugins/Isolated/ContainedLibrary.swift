import Foundation
import PluginAPI
import PluginTesting
import TestSupport

@testable import Host

/// The plugin of `Tests/Fixtures/Plugins/Contained` in a child process.
struct ContainedLibrary {
  let folder: TemporaryFolder
  let isolated: IsolatedPlugin
  let plugin: TestPlugin

  private static let library = Result { try PluginFixture.swift("Contained", contract: .built) }

  /// Creates a plugin whose child starts at its first use.
  init(limits: ProgramLimits = .library) async throws {
    // The child may end before it reads; the host ignores the signal too.
    signal(SIGPIPE, SIG_IGN)
    folder = try TemporaryFolder()
    let path = try folder.write(try Self.library.get(), "libContained.so").path
    let (bytes, identity) = try FileTrust.read(path)
    guard case .usable(let block) = PluginProbe(installation: .current).verdict(on: path, id: "contained").verdict,
      let contributions = block.bytes().flatMap(StoredContributions.init)
    else { throw ProgramError.badMessage(.isolatedLibrary("contained"), "it cannot be probed") }
    let library = IsolatedLibrary(
      contributions: contributions, needs: LibraryNeeds(try ELFFile(bytes)), isBundled: false)
    isolated = IsolatedPlugin(
      library,
      ProgramService.Source(
        library: library, path: path, identity: identity, state: folder.url("state").path, limits: limits))
    try FileManager.default.createDirectory(at: folder.url("home"), withIntermediateDirectories: true)
    plugin = try await TestPlugin(isolated, home: folder.url("home").path)
  }

  /// The process id of the child.
  func process() async throws -> Int32 {
    Int32(try await plugin.run("process").values.first?.integer ?? 0)
  }

  /// Runs a command and returns the values that it emitted.
  func values(_ command: String, _ arguments: Record = Record()) async throws -> [Value] {
    try await plugin.run(command, arguments).values
  }
}
