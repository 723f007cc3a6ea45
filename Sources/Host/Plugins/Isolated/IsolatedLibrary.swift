import Glibc
import PluginAPI

/// A plugin library that a child process opens in place of this one.
struct IsolatedLibrary: Sendable {
  /// The stored descriptions of the plugin's parts.
  var contributions: StoredContributions
  /// The libraries it needs.
  var needs: LibraryNeeds
  /// True for a plugin that was built with the program.
  var isBundled: Bool
  /// The program whose child opens it.
  var installation = HostInstallation.current

  /// Returns the command line of the child.
  ///
  /// The child is this program, so that the dynamic linker finds the contract and the kit as it did for this process.
  func launch(_ path: String, memoryInBytes: UInt64) -> ProgramProcess.Launch {
    ProgramProcess.Launch(
      program: installation.program, arguments: ["workbench", ServedChild.word, path], memoryInBytes: memoryInBytes,
      // A crash is expected here. Its backtrace would take seconds, and end in the log.
      variables: ["SWIFT_BACKTRACE": "enable=no"])
  }

  /// Returns the part of `hello` that names the library, which must still be the file that was examined.
  func greeting(path: String, _ identity: FileIdentity) -> Value {
    [
      "path": .text(path), "identity": .list(identity.numbers.map(Value.integer)), "bundled": .bool(isBundled),
      "needs": .list(needs.names.map(Value.text)), "searched": .list(needs.searchFolders.map(Value.text)),
      "stores": .list(contributions.stores.map { .text($0.name) }),
    ]
  }
}

extension ProgramLimits {
  /// The limits of a library in a child process; only a child with damaged memory exceeds them.
  static let library: ProgramLimits = {
    var limits = ProgramLimits()
    (limits.lineBytes, limits.unreadBytes) = (1 << 30, 1 << 30)
    (limits.openRequests, limits.loggedLines) = (1 << 16, 10_000)
    // Plugins keep sessions and caches in memory.
    limits.idleSeconds = .infinity
    return limits
  }()
}
