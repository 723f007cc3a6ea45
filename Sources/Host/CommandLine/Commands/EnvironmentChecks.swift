import Glibc
import PluginAPI

/// The checks of `doctor` that need no plugin.
enum EnvironmentChecks {
  /// Terminal and locale.
  static func terminal(_ streams: StandardStreams, _ options: GlobalOptions) -> [Finding] {
    let term = streams.environment["TERM"] ?? ""
    var findings: [Finding] = []
    if !streams.output.isTerminal {
      findings.append(Finding("terminal", "output", .note, "standard output is not a terminal"))
    } else if term.isEmpty || term == "dumb" {
      findings.append(
        Finding(
          "terminal", "TERM", .warning, term.isEmpty ? "TERM is not set" : "TERM is 'dumb'",
          advice: "set TERM to your terminal's name, such as xterm-256color, to get more than plain text"))
    } else {
      let colors = "\(streams.colorDepth(options.color, on: streams.output))"
      findings.append(Finding("terminal", "TERM", .ok, "\(term), \(streams.width) columns, colors: \(colors)"))
    }
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = variables.compactMap { streams.environment[$0] }.first { !$0.isEmpty } ?? ""
    let isUnicode = ["utf-8", "utf8"].contains { locale.lowercased().hasSuffix($0) }
    findings.append(
      isUnicode
        ? Finding("terminal", "locale", .ok, locale)
        : Finding(
          "terminal", "locale", .warning, locale.isEmpty ? "no locale is set" : "locale '\(locale)' is not UTF-8",
          advice: "set LANG=C.UTF-8, or use '--plain' if characters look wrong"))
    return findings
  }

  /// Checks the folders and their modes.
  static func folders(_ folders: HostFolders) -> [Finding] {
    [("config", folders.config), ("data", folders.data), ("state", folders.state), ("cache", folders.cache)]
      .map { folder($0.0, $0.1) }
  }

  /// One folder: others must not write to it, and the user must.
  static func folder(_ name: String, _ path: String) -> Finding {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return missingFolder(name, path) }
      return Finding("folders", name, .error, "'\(path)': \(String(cString: strerror(errno)).lowercased())")
    }
    if status.st_mode & S_IFMT != S_IFDIR {
      return Finding("folders", name, .error, "'\(path)' is not a folder", advice: "move the file away")
    }
    if status.st_uid != geteuid() {
      return Finding(
        "folders", name, .error, "'\(path)' belongs to another user",
        advice: "use '--home', or change its owner with 'chown'")
    }
    if FileTrust.othersCanWrite(status) {
      return Finding("folders", name, .error, "other users can write to '\(path)'", advice: "run 'chmod 700 \(path)'")
    }
    if access(path, W_OK) != 0 {
      let isReadOnly = errno == EROFS
      return Finding(
        "folders", name, .error, "cannot write to '\(path)': \(FilePath.lastError.lowercased())",
        advice: isReadOnly
          ? "set WORKBENCH_HOME or '--home' to a writable folder" : "run 'chmod u+rwx \(path)'")
    }
    if status.st_mode & 0o077 != 0 {
      return Finding(
        "folders", name, .note, "other users can read '\(path)'", advice: "run 'chmod 700 \(path)' to make it private")
    }
    return Finding("folders", name, .ok, path)
  }

  /// Checks a missing folder: it can be created if the nearest folder above it is writable.
  private static func missingFolder(_ name: String, _ path: String) -> Finding {
    var parent = FilePath.folder(of: path)
    while access(parent, F_OK) != 0, parent != "/" { parent = FilePath.folder(of: parent) }
    if access(parent, W_OK | X_OK) == 0 { return Finding("folders", name, .ok, "\(path), created on first use") }
    return Finding(
      "folders", name, .error, "cannot create '\(path)': '\(parent)': \(String(cString: strerror(errno)).lowercased())",
      advice: "make '\(parent)' writable, or set WORKBENCH_HOME or '--home' to a writable folder")
  }

  /// Checks the settings file, and the files that it names.
  static func settings(_ settings: Settings) -> [Finding] {
    if let problem = settings.problem?.report {
      return [Finding("settings", "file", .error, problem.message, advice: problem.advice)]
    }
    let isThere = access(settings.path, F_OK) == 0
    let file = Finding("settings", "file", .ok, settings.path + (isThere ? "" : ": file not found; defaults apply"))
    let problems = HostSettings.problems(settings).map { error in
      Finding("settings", error.kind.rawValue, .error, error.report.message, advice: error.report.advice)
    }
    let unfitting = HostSettings.unfittingValues(settings).map { setting, report in
      Finding("settings", setting, .warning, report.message + ", so it is not used", advice: report.advice)
    }
    return [file] + problems + unfitting
  }

  /// The C libraries that are opened on demand: name, file, and the feature that is missing without it.
  private static let optionalLibraries = [
    ("chafa", "libchafa.so.0", "sixel and kitty pictures", "libchafa0"),
    ("libpng", "libpng16.so.16", "PNG files", "libpng16-16"),
    ("libjpeg-turbo", "libturbojpeg.so.0", "JPEG files", "libturbojpeg0"),
    ("OpenJPEG", "libopenjp2.so.7", "JPEG 2000 files", "libopenjp2-7"),
    ("librsvg", "librsvg-2.so.2", "SVG files", "librsvg2-2"),
    ("libedit", "libedit.so.2", "history and completion in the shell", "libedit2"),
    ("SQLite", "libsqlite3.so.0", "stores", "libsqlite3-0"),
    ("libdeflate", "libdeflate.so.0", "compressed files", "libdeflate0"),
    ("zlib", "libz.so.1", "compressed files and packages of plugins", "zlib1g"),
    ("libsodium", "libsodium.so.23", "hashes and signatures of plugins", "libsodium23"),
    ("libcurl", "libcurl.so.4", "sources of plugins on the network", "libcurl4"),
    ("Lua", "liblua5.4.so.0", "Lua scripts", "liblua5.4-0"),
    ("libpq", "libpq.so.5", "shared stores and results in PostgreSQL", "libpq5"),
  ]

  /// The names and libraries of the checks.
  static var names: [String] {
    ["TERM", "HTTP", "JSON", "PNG", "SQLite", "PostgreSQL", "UTF-8"] + optionalLibraries.flatMap { [$0.0, $0.1] }
  }

  /// Checks which C libraries can be opened.
  static func libraries() -> [Finding] {
    optionalLibraries.map { name, file, purpose, package in
      if dlopen(file, RTLD_LAZY | RTLD_LOCAL) != nil { return Finding("libraries", name, .ok, file) }
      return Finding(
        "libraries", name, .warning, "cannot open '\(file)', so \(purpose) are not supported",
        advice: "install the package '\(package)'")
    }
  }
}
