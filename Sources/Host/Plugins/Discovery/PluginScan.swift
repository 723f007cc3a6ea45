internal import CHost
import Glibc
import PluginAPI

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

/// A folder in which plugins are searched for.
struct PluginSearchFolder: Sendable, Hashable {
  var path: String
  var source: PluginSource
}

/// The folders in which plugins are searched for; the first plugin with an id wins.
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

/// A file that may be a plugin.
struct PluginCandidate: Sendable, Hashable {
  /// The file's path.
  var path: String
  /// The kind of folder it was found in.
  var source: PluginSource
  /// The name of the plugin's own folder; nil for a library dropped into the search folder itself.
  var folderName: String?
}

/// A folder excluded from the search for plugins.
struct PluginFolderProblem: Sendable, Equatable {
  /// The folder.
  var path: String
  /// The problem with the folder, or with a folder above it.
  var refusal: ErrorReport
  /// The kind of search folder that it is or belongs to.
  var source: PluginSource
}

/// Lists possible plugins in the folders of a search path.
enum PluginScan {
  /// Returns the candidates in the order of precedence, within a folder by name, and the folders that cannot be
  /// trusted.
  ///
  /// - Parameter lock: The installed plugins with their active versions; nil for none.
  static func candidates(
    in path: PluginSearchPath, lock: PluginLock? = nil
  ) -> (found: [PluginCandidate], problems: [PluginFolderProblem]) {
    var (found, problems): ([PluginCandidate], [PluginFolderProblem]) = ([], [])
    for folder in path.folders {
      do throws(ErrorReport) {
        found += try candidates(in: folder, lock, problems: &problems)
      } catch {
        problems.append(PluginFolderProblem(path: folder.path, refusal: error, source: folder.source))
      }
    }
    return (found, problems)
  }

  private static func candidates(
    in folder: PluginSearchFolder, _ lock: PluginLock?, problems: inout [PluginFolderProblem]
  ) throws(ErrorReport) -> [PluginCandidate] {
    if access(folder.path, F_OK) != 0, folder.source != .option { return [] }
    // Anyone who can write to the program's folder can replace the program: a check there would be pointless.
    if folder.source == .bundled { return libraries(in: folder.path, isBundled: true).map { candidate($0, folder) } }
    try FileTrust.checkFolder(folder.path)
    var found: [PluginCandidate] = []
    for name in names(in: folder.path) {
      let path = folder.path + "/" + name
      if name.hasSuffix(".so") || name == ProgramManifest.fileName {
        found.append(candidate(path, folder))
      } else if PluginID.objection(to: name) == nil, isFolder(path) {
        do throws(ErrorReport) {
          try FileTrust.checkFolder(path, insideChecked: true)
          let version = folder.source == .user ? lock?[name]?.versionFolder(in: path) : nil
          if let version { try FileTrust.checkFolder(version, insideChecked: true) }
          found += plugins(in: version ?? path).map {
            PluginCandidate(path: $0, source: folder.source, folderName: name)
          }
        } catch {
          problems.append(PluginFolderProblem(path: path, refusal: error, source: folder.source))
        }
      }
    }
    return found
  }

  private static func candidate(_ path: String, _ folder: PluginSearchFolder) -> PluginCandidate {
    PluginCandidate(path: path, source: folder.source, folderName: nil)
  }

  /// Returns the manifest in a plugin's own folder, or else its libraries.
  private static func plugins(in folder: String) -> [String] {
    let manifest = folder + "/" + ProgramManifest.fileName
    return access(manifest, F_OK) == 0 ? [manifest] : libraries(in: folder, isBundled: false)
  }

  /// Returns the libraries in a folder; among the bundled ones without contract and kit, and without names that are
  /// links to a library beside them, as parts of Swift's runtime are.
  private static func libraries(in folder: String, isBundled: Bool) -> [String] {
    names(in: folder)
      .filter { $0.hasSuffix(".so") && (!isBundled || $0.hasPrefix("lib") && !$0.hasPrefix("libPlugin")) }
      .map { folder + "/" + $0 }
      .filter { !isBundled || FilePath.linkTarget($0)?.contains("/") != false }
  }

  /// Returns true for a folder; false for a link to one.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the names in a folder, sorted by bytes; hidden ones are left out.
  static func names(in folder: String) -> [String] {
    HostFile.names(in: folder).filter { !$0.hasPrefix(".") }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
