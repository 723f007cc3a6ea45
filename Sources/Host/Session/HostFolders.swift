import Glibc
import PluginAPI

/// The folders of the host's files.
///
/// `WORKBENCH_HOME/{config,data,state,cache}` or `--home`, else the XDG base directories.
/// - Source: XDG Base Directory Specification 0.8; architecture.md §7.
struct HostFolders: Sendable, Hashable {
  /// Settings.
  var config: String
  /// Plugins and stores.
  var data: String
  /// The plugins' folders with stores, in the data folder.
  var stores: String
  /// Log, crash journal, quarantine.
  var state: String
  /// The plugins' folders with state, such as sessions, in the state folder.
  var pluginState: String
  /// The plugin registry and other data that can be recreated.
  var cache: String

  /// Finds the folders.
  ///
  /// - Parameters:
  ///   - home: The folder given by `--home` or `WORKBENCH_HOME`; nil for the XDG folders.
  ///   - environment: The process's environment; relative XDG paths are ignored as the specification asks.
  ///   - accountHome: The home folder that the system's password database has for the user.
  /// - Throws: ``HostFoldersError/noHome`` if a folder would be in the user's home and that is unknown.
  init(
    home: String?, environment: [String: String], accountHome: () -> String? = HostFolders.accountHome
  ) throws(ErrorReport) {
    if let home {
      (config, data, stores) = (home + "/config", home + "/data", home + "/data/stores")
      (state, pluginState, cache) = (home + "/state", home + "/state/plugins", home + "/cache")
      return
    }
    func absolute(_ variable: String) -> String? { environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    func folder(_ variable: String, _ standard: String) throws(ErrorReport) -> String {
      if let base = absolute(variable) { return base + "/workbench" }
      guard let user = absolute("HOME") ?? accountHome() else { throw HostFoldersError.noHome }
      return user + "/" + standard + "/workbench"
    }
    config = try folder("XDG_CONFIG_HOME", ".config")
    data = try folder("XDG_DATA_HOME", ".local/share")
    stores = data + "/stores"
    state = try folder("XDG_STATE_HOME", ".local/state")
    pluginState = state + "/plugins"
    cache = try folder("XDG_CACHE_HOME", ".cache")
  }

  /// Replacement folders for a process that must not change the user's; nil for the user's.
  struct Replacements: Sendable {
    var data: String?
    var state: String?
    var stores: String?
    /// A Boolean value indicating whether plugins use the user's state, such as sessions, and only the host has
    /// another.
    var keepsPluginState = false
  }

  /// Replaces folders; stores move with the data folder unless they have a replacement of their own.
  mutating func replace(by others: Replacements) {
    if let other = others.data { (data, stores) = (other, other + "/stores") }
    if let other = others.state {
      state = other
      if !others.keepsPluginState { pluginState = other + "/plugins" }
    }
    if let other = others.stores { stores = other }
  }

  /// Looks up the user's home folder in the system's password database.
  static func accountHome() -> String? {
    guard let home = Account(getuid())?.home, home.hasPrefix("/") else { return nil }
    return home
  }

  /// The folders of a run: `--home`, else `WORKBENCH_HOME`, else the XDG folders.
  init(options: GlobalOptions, environment: [String: String]) throws(ErrorReport) {
    let home = options.home ?? environment["WORKBENCH_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    try self.init(home: home.map(HostFile.absolute), environment: environment)
  }
}

/// An error in finding the host's folders.
enum HostFoldersError {
  static let unknownHome = DeclaredError(
    "host.no-home", .failure, "the user's home folder is unknown; set HOME or WORKBENCH_HOME")
  /// Neither the environment nor the password database has a home folder.
  static let noHome = unknownHome(
    "the user's home folder is unknown: HOME is not set", advice: "set HOME or WORKBENCH_HOME, or use '--home DIR'")
}
