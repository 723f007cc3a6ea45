internal import CHost

/// The sources of plugins, in the order of precedence.
enum PluginSource: String, Sendable, Hashable, CaseIterable {
  /// A folder named by `--plugin-dir`.
  case option
  /// A folder of `WORKBENCH_PLUGIN_PATH`.
  case environment
  /// The user's own plugins.
  case user
  /// Plugins installed for all users.
  case system
  /// Plugins that ship with the program.
  case bundled
}

/// One folder that plugins are looked for in.
struct PluginSearchFolder: Sendable, Hashable {
  var path: String
  var source: PluginSource
}

/// The folders that plugins are looked for in, first id wins.
///
/// The current directory is never one of them.
struct PluginSearchPath: Sendable, Hashable {
  var folders: [PluginSearchFolder]

  /// Creates a path of given folders.
  init(folders: [PluginSearchFolder]) {
    self.folders = folders
  }

  /// The path of a run.
  ///
  /// - Parameters:
  ///   - isPrivileged: True if the process has more rights than its user: then the environment names no folders.
  init(
    options: GlobalOptions, environment: [String: String], userData: String,
    installation: HostInstallation, isPrivileged: Bool = chost_is_privileged()
  ) {
    folders = []
    let bundled = PluginSearchFolder(path: installation.bundledPlugins, source: .bundled)
    if !options.isSafeMode {
      folders += options.pluginFolders.map { PluginSearchFolder(path: FilePath.absolute($0), source: .option) }
      let named = isPrivileged ? "" : environment["WORKBENCH_PLUGIN_PATH"] ?? ""
      // A relative entry would mean another folder in every directory.
      for path in named.split(separator: ":") where path.hasPrefix("/") {
        folders.append(PluginSearchFolder(path: String(path), source: .environment))
      }
      folders.append(PluginSearchFolder(path: userData + "/plugins", source: .user))
      if let system = installation.systemPlugins {
        folders.append(PluginSearchFolder(path: system, source: .system))
      }
    }
    folders.append(bundled)
  }
}
