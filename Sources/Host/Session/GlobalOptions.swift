import PluginAPI

/// The options that every command accepts, before or after its name.
struct GlobalOptions: Sendable, Hashable {
  /// The form of results on stdout.
  enum Format: Sendable, Hashable {
    case text, json, jsonLines, csv, tsv, arrow

    /// A Boolean value indicating whether results, and thus also errors and warnings, are JSON.
    var isJSON: Bool { self == .json || self == .jsonLines }
  }

  /// The choice of colors: whether to use them, or how many.
  enum ColorChoice: String, Sendable, Hashable, CaseIterable, ParameterValue {
    case auto, always, never
    case sixteen = "16"
    case palette = "256"
    case trueColor = "truecolor"
  }

  /// The terminal's background: detected, or as set by the user.
  enum BackgroundChoice: String, Sendable, Hashable, CaseIterable, ParameterValue {
    case auto, dark, light
  }

  /// The use of links in results.
  enum LinkChoice: String, Sendable, Hashable, CaseIterable, ParameterValue {
    case auto, always, never
  }

  /// The choice of a picture's form.
  struct PictureChoice: Sendable, Hashable {
    /// The graphics mode in a terminal; nil for the best one it supports.
    var graphics: GraphicsMode?
    /// Its size in pixels; nil for the size that fits.
    var size: Size?
  }

  var format = Format.text
  var isPlain = false
  var color = ColorChoice.auto
  var background = BackgroundChoice.auto
  var links = LinkChoice.auto
  /// The colors of roles.
  var theme = Theme.standard
  var isQuiet = false
  var assumeYes = false
  var noInput = false
  var timeoutInSeconds: Double?
  var home: String?
  var pluginFolders: [String] = []
  var isSafeMode = false
  /// A Boolean value indicating whether plugin libraries are opened in child processes.
  var isIsolating = false
  var isOffline = false
  /// A Boolean value indicating whether commands are described but not run.
  var isDryRun = false
  /// The file that gets one JSON line for each step of a command; nil for none.
  var traceFile: String?
  /// The script file that gets every command line that ran well; nil for none.
  var recordFile: String?
  var picture = PictureChoice()
  /// The file that gets the result, a picture as PNG; "-" for standard output, nil for text on standard output.
  var outputFile: String?
  /// The names of the options that were given, without dashes.
  var given: Set<String> = []
}

extension GlobalOptions {
  /// A Boolean value indicating whether the steps on screens are recorded; linear text has none.
  var recordsScreens: Bool { recordFile != nil && !isPlain }

  /// The options that the process's environment implies: a dumb terminal shows plain text only.
  init(environment: [String: String]) {
    isPlain = environment["TERM"] == "dumb"
  }

  /// Returns the arguments that give a child process the folders and plugins of this run.
  func childArguments(environment: [String: String], allowsNetwork: Bool) -> [String] {
    var words: [String] = []
    let home = home ?? environment["WORKBENCH_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    if let home { words += ["--home", HostFile.absolute(home)] }
    for folder in pluginFolders { words += ["--plugin-dir", HostFile.absolute(folder)] }
    if isSafeMode { words.append("--safe-mode") }
    if isIsolating { words.append("--isolate") }
    if isOffline || !allowsNetwork { words.append("--offline") }
    return words
  }
}
