import Glibc

/// The environment and the current folder of a server for agents.
enum AgentSurroundings {
  /// Removes variables that hold secrets or name files with them: commands would use them for any server that the agent
  /// names.
  static func removeSecrets() {
    for name in secrets(in: ProcessEnvironment.all()) { unsetenv(name) }
  }

  /// Returns the names of variables that hold secrets of plugins, or name files with them.
  static func secrets(in environment: [String: String]) -> [String] {
    environment.keys.filter { name in
      name.hasPrefix("WORKBENCH_") && ["TOKEN", "KEY_FILE"].contains(where: name.hasSuffix)
    }
  }

  /// Makes the first root the current folder, in which commands write files that the agent does not name.
  ///
  /// - Returns: The empty private folder that is used if there is no root; the caller removes it.
  /// - Throws: ``HostFileError``.
  static func enterFolder(for rules: ToolRules, _ streams: StandardStreams) throws(HostFileError) -> String? {
    if let root = rules.roots.first {
      guard chdir(root) == 0 else { throw .cannot(.read, root, code: errno) }
      return nil
    }
    let folder = try HostFile.makeTemporaryFolder(under: streams.temporaryFolder, prefix: "workbench-agent-")
    streams.temporary.add(folder)
    guard chdir(folder) == 0 else {
      let number = errno
      streams.temporary.remove(folder)
      throw .cannot(.read, folder, code: number)
    }
    return folder
  }
}
