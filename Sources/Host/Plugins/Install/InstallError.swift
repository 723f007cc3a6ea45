import PluginAPI

/// An error in installing, removing or enabling a plugin.
enum InstallError: Error, Equatable, ReportableError {
  /// The path names nothing.
  case nothingThere(path: String, reason: String)
  /// The folder holds no plugin library.
  case noPlugin(path: String)
  /// The folder holds more than one plugin library.
  case severalPlugins(path: String, names: [String])
  /// The library's file name cannot be installed.
  case badFileName(String)
  /// The plugin has the id of one that ships with the program.
  case replacesBundled(String)
  /// The plugin has another id than the one it was to replace.
  case notReplaced(id: String, named: String)
  /// A resource is not a plain file or folder, or there are too many.
  case badResource(path: String, reason: String)
  /// The plugin does not belong to the user.
  case notTheUsers(id: String, source: String)
  /// The plugin is not set aside.
  case notQuarantined(String)
  /// libsodium is missing.
  case noHash

  var report: ErrorReport {
    switch self {
    case .nothingThere(let path, let reason):
      ErrorReport(
        code: "host.install-nothing-there", kind: .notFound, "there is nothing to install at '\(path)': \(reason)")
    case .noPlugin(let path):
      ErrorReport(
        code: "host.install-no-plugin", kind: .notFound, "'\(path)' holds no plugin library",
        advice: "build the plugin first, or name its lib….so")
    case .severalPlugins(let path, let names):
      ErrorReport(
        code: "host.install-several-plugins", kind: .usage, "'\(path)' holds several plugins",
        advice: "name one of " + names.joined(separator: ", "))
    case .badFileName(let name):
      ErrorReport(
        code: "host.install-bad-file-name", kind: .refused, "a plugin library cannot be called '\(name)'",
        advice: "call it lib<Name>.so with a name of letters, digits, - and _")
    case .replacesBundled(let id):
      ErrorReport(
        code: "host.install-replaces-bundled", kind: .refused,
        "plugin '\(id)' ships with the program; this one would replace it and get its stores",
        advice: "give yours another id, or, to replace the bundled one, add: --replace \(id)",
        details: ["plugin": .text(id)])
    case .notReplaced(let id, let named):
      ErrorReport(
        code: "host.install-not-replaced", kind: .usage,
        "the plugin to install is '\(id)', so it cannot replace '\(named)'", advice: "leave out '--replace \(named)'")
    case .badResource(let path, let reason):
      ErrorReport(
        code: "host.install-bad-resource", kind: .refused, "the resource '\(path)' cannot be installed: \(reason)")
    case .notTheUsers(let id, let source):
      ErrorReport(
        code: "host.plugin-not-removable", kind: .refused,
        "plugin '\(id)' was not installed by you but found as \(source)", advice: "run: workbench plugin disable \(id)")
    case .notQuarantined(let id):
      ErrorReport(code: "host.plugin-not-quarantined", kind: .notFound, "plugin '\(id)' is not set aside")
    case .noHash:
      ErrorReport(
        code: "host.no-libsodium", kind: .failure, "SHA-256 needs libsodium, which is not installed",
        advice: "run: sudo apt install libsodium23")
    }
  }
}
