/// Where the host keeps its files.
///
/// `WORKBENCH_HOME/{config,data,state,cache}` or `--home`, else the XDG base directories.
/// - Source: XDG Base Directory Specification 0.8; architecture.md §7.
struct HostFolders: Sendable, Hashable {
  /// Settings.
  var config: String
  /// Plugins and stores.
  var data: String
  /// Log, crash journal, quarantine.
  var state: String
  /// The plugin registry and what else can be made again.
  var cache: String

  /// Finds the folders.
  ///
  /// - Parameters:
  ///   - home: The folder given by `--home` or `WORKBENCH_HOME`; nil for the XDG folders.
  ///   - environment: The process's environment; relative XDG paths are ignored as the specification asks.
  init(home: String?, environment: [String: String]) {
    if let home {
      (config, data) = (home + "/config", home + "/data")
      (state, cache) = (home + "/state", home + "/cache")
      return
    }
    let user = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/"
    func folder(_ variable: String, _ standard: String) -> String {
      let base = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? user + "/" + standard
      return base + "/workbench"
    }
    config = folder("XDG_CONFIG_HOME", ".config")
    data = folder("XDG_DATA_HOME", ".local/share")
    state = folder("XDG_STATE_HOME", ".local/state")
    cache = folder("XDG_CACHE_HOME", ".cache")
  }

  /// The folders of a run: `--home`, else `WORKBENCH_HOME`, else the XDG folders.
  init(options: GlobalOptions, environment: [String: String]) {
    let home = options.home ?? environment["WORKBENCH_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    self.init(home: home.map(HostFile.absolute), environment: environment)
  }
}
