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
        code: "host.install-nothing-there", kind: .notFound, "cannot install '\(path)': \(reason)")
    case .noPlugin(let path):
      ErrorReport(
        code: "host.install-no-plugin", kind: .notFound, "'\(path)' does not contain a plugin library",
        advice: "build the plugin first, or name its library file")
    case .severalPlugins(let path, let names):
      ErrorReport(
        code: "host.install-several-plugins", kind: .usage, "'\(path)' contains several plugins",
        advice: "name one of " + names.joined(separator: ", "))
    case .badFileName(let name):
      ErrorReport(
        code: "host.install-bad-file-name", kind: .refused, "'\(name)' is not a valid name for a plugin library",
        advice: "name it lib<Name>.so, with only letters, digits, '-' and '_' in <Name>")
    case .replacesBundled(let id):
      ErrorReport(
        code: "host.install-replaces-bundled", kind: .refused,
        "this plugin would replace the bundled plugin '\(id)' and get access to its stores",
        advice: "give your plugin another id, or replace the bundled one with '--replace \(id)'",
        details: ["plugin": .text(id)])
    case .notReplaced(let id, let named):
      ErrorReport(
        code: "host.install-not-replaced", kind: .usage,
        "the plugin to install is '\(id)' and cannot replace '\(named)'", advice: "omit '--replace \(named)'")
    case .badResource(let path, let reason):
      ErrorReport(
        code: "host.install-bad-resource", kind: .refused, "cannot install the resource '\(path)': \(reason)")
    case .notTheUsers(let id, let source):
      ErrorReport(
        code: "host.plugin-not-removable", kind: .refused,
        "cannot remove plugin '\(id)': it is a \(source), not installed by you",
        advice: "disable it with 'workbench plugin disable \(id)'")
    case .notQuarantined(let id):
      ErrorReport(code: "host.plugin-not-quarantined", kind: .notFound, "plugin '\(id)' is not quarantined")
    case .noHash:
      ErrorReport(
        code: "host.no-libsodium", kind: .failure, "SHA-256 needs libsodium, which is not installed",
        advice: "install it with 'sudo apt install libsodium23'")
    }
  }
}
