import PluginAPI

/// The reason to refuse a plugin, found before any of its code runs in this process.
enum PluginRefusal: Error, Equatable {
  /// The file does not exist or cannot be read.
  case unreadable(path: String, String)
  /// A FIFO, device, folder or link where a library should be.
  case notRegular(path: String, kind: String)
  /// Other users could change the file or a folder above it; `command` makes it safe.
  case unsafe(path: String, reason: String, command: String)
  /// The file is larger than any plugin.
  case tooLarge(path: String, bytes: Int, limit: Int)
  /// The file is not a loadable library.
  case library(path: String, ELFError)
  /// The manifest of a plugin that is a program cannot be used.
  case badManifest(path: String, String)
  /// The library has no stamp.
  case noStamp(path: String)
  /// The stamp cannot be read.
  case badStamp(path: String, String)
  /// The plugin was built on a contract that this host no longer supports.
  case revisionTooOld(id: String, has: Int, oldest: Int, current: Int)
  /// The plugin was built on a contract that this host does not support yet.
  case revisionTooNew(id: String, has: Int, oldest: Int, current: Int)
  /// The plugin was built with another compiler.
  case otherCompiler(id: String, has: String, wanted: String)
  /// The plugin contains a copy of one of the host's libraries.
  case carriesCopy(id: String, of: String)
  /// The plugin has a Swift module of the same name as another plugin's.
  case sameModule(id: String, module: String, other: String)
  /// The probe ended by a signal.
  case probeCrashed(id: String, signal: String)
  /// The probe did not end.
  case probeHung(id: String, seconds: Int)
  /// The probe exceeded its memory limit.
  case probeOutOfMemory(id: String, megabytes: Int)
  /// The probe did not respond as expected.
  case probeFailed(id: String, String)
  /// A symbol is missing in contract, kit or system.
  case missingSymbol(id: String, String)
  /// A library is missing.
  case missingLibrary(id: String, String)
  /// A library that it needs could be changed or replaced by other users.
  case unsafeLibrary(id: String, library: String, reason: String, advice: String?)
  /// The dynamic linker refused the library.
  case notLoadable(id: String, String)
  /// The library exports no entry function.
  case noEntry(id: String)
  /// The result of the entry function is not a plugin of this contract.
  case foreignContract(id: String)
  /// The plugin's identity differs from its stamp.
  case otherIdentity(id: String, says: String)
  /// The plugin's contributions are inconsistent.
  case badContributions(id: String, String)
  /// The file is not the one that was examined.
  case changed(id: String, path: String)
  /// The file is not the one that was installed or enabled.
  case altered(id: String, path: String, isInstalled: Bool)
}

extension PluginRefusal: ReportableError {
  /// The error as users and scripts meet it.
  var report: ErrorReport {
    let (code, message, advice) = wording
    var details: Record = [:]
    switch self {
    case .unreadable(let path, _), .notRegular(let path, _), .unsafe(let path, _, _), .tooLarge(let path, _, _),
      .library(let path, _), .badManifest(let path, _), .noStamp(let path), .badStamp(let path, _):
      details["path"] = .text(path)
    default: break
    }
    if let id { details["plugin"] = .text(id) }
    return ErrorReport(code: code, kind: kind, message, advice: advice, details: details)
  }

  /// The plugin's id, where it is known.
  var id: String? {
    switch self {
    case .unreadable, .notRegular, .unsafe, .tooLarge, .library, .badManifest, .noStamp, .badStamp: nil
    case .revisionTooOld(let id, _, _, _), .revisionTooNew(let id, _, _, _), .otherCompiler(let id, _, _),
      .carriesCopy(let id, _), .sameModule(let id, _, _), .probeCrashed(let id, _), .probeHung(let id, _),
      .probeOutOfMemory(let id, _), .probeFailed(let id, _), .missingSymbol(let id, _), .missingLibrary(let id, _),
      .notLoadable(let id, _),
      .unsafeLibrary(let id, _, _, _), .altered(let id, _, _), .noEntry(let id), .foreignContract(let id),
      .otherIdentity(let id, _), .badContributions(let id, _),
      .changed(let id, _):
      id
    }
  }

  /// The codes of refusals that depend on other libraries: the same plugin may be accepted later.
  static let codesOfLibraries: Set<String> = ["host.plugin-missing-library", "host.plugin-unsafe-library"]

  /// The code of ``altered(id:path:isInstalled:)``.
  static let alteredCode = "host.plugin-altered"

  private var kind: ErrorReport.Kind {
    switch self {
    case .unreadable: .notFound
    case .unsafe, .unsafeLibrary, .altered: .refused
    default: .pluginFailed
    }
  }
}

extension PluginRefusal {
  /// The stable code, the sentence, and the advice.
  var wording: (code: String, message: String, advice: String?) {
    switch self {
    case .unreadable, .notRegular, .unsafe, .tooLarge, .library, .badManifest, .noStamp, .badStamp: fileWording
    case .revisionTooOld, .revisionTooNew, .otherCompiler, .carriesCopy, .sameModule: buildWording
    default: probeWording
    }
  }

  private var fileWording: (code: String, message: String, advice: String?) {
    switch self {
    case .unreadable(let path, let reason):
      ("host.plugin-unreadable", "cannot read '\(path)': \(reason)", nil)
    case .notRegular(let path, let kind):
      ("host.plugin-not-a-file", "'\(path)' is \(kind), not a plugin library", "name the library file")
    case .unsafe(let path, let reason, let command):
      ("host.plugin-unsafe", "'\(path)' \(reason), so it cannot be trusted", "run: \(command)")
    case .tooLarge(let path, let bytes, let limit):
      ("host.plugin-too-large", "'\(path)' has \(bytes) bytes; the limit for plugins is \(limit)", nil)
    case .library(let path, let error):
      (error.code, "'\(path)' \(error.message)", "build or copy the plugin again")
    case .badManifest(let path, let reason):
      ("host.plugin-bad-manifest", "cannot use '\(path)': \(reason)", "correct the file")
    case .noStamp(let path):
      (
        "host.plugin-no-stamp", "'\(path)' is a library without a plugin stamp",
        "add the line WORKBENCH_PLUGIN(\"id\", \"1.0.0\") to a C file of the plugin"
      )
    case .badStamp(let path, let reason):
      ("host.plugin-bad-stamp", "the stamp of '\(path)' cannot be used: \(reason)", "correct its WORKBENCH_PLUGIN line")
    default: ("host.plugin-refused", "the plugin was refused", nil)
    }
  }

  private var buildWording: (code: String, message: String, advice: String?) {
    switch self {
    case .revisionTooOld(let id, let has, let oldest, let current):
      (
        "host.plugin-too-old",
        "plugin '\(id)' was built for contract revision \(has); this workbench supports \(Self.range(oldest, current))",
        "rebuild the plugin, or get a newer one"
      )
    case .revisionTooNew(let id, let has, let oldest, let current):
      (
        "host.plugin-too-new",
        "plugin '\(id)' was built for contract revision \(has); this workbench supports \(Self.range(oldest, current))",
        "get a newer workbench"
      )
    case .otherCompiler(let id, let has, let wanted):
      (
        "host.plugin-other-compiler",
        "plugin '\(id)' was built with '\(has)', this workbench with '\(wanted)'",
        "rebuild the plugin with the same Swift version"
      )
    case .carriesCopy(let id, let library):
      (
        "host.plugin-carries-copy",
        "plugin '\(id)' contains a copy of '\(library)', whose types differ from the host's",
        "depend on the product of its package, so that it is linked dynamically"
      )
    case .sameModule(let id, let module, let other):
      (
        "host.plugin-same-module",
        "plugins '\(id)' and '\(other)' both have a Swift module '\(module)'",
        "rename one of the modules"
      )
    default: ("host.plugin-refused", "the plugin was refused", nil)
    }
  }

  private var probeWording: (code: String, message: String, advice: String?) {
    switch self {
    case .probeCrashed(let id, let signal):
      ("host.plugin-probe-crashed", "plugin '\(id)' crashes when it is opened: \(signal)", Self.again(id))
    case .probeHung(let id, let seconds):
      ("host.plugin-probe-hung", "plugin '\(id)' did not describe itself within \(seconds) s", Self.again(id))
    case .probeOutOfMemory(let id, let megabytes):
      (
        "host.plugin-probe-out-of-memory",
        "plugin '\(id)' takes more than \(megabytes) MB of memory to describe itself", Self.again(id)
      )
    case .probeFailed(let id, let reason):
      ("host.plugin-probe-failed", "cannot examine plugin '\(id)': \(reason)", Self.again(id))
    case .missingSymbol(let id, let symbol):
      (
        "host.plugin-missing-symbol", "plugin '\(id)' needs the symbol '\(symbol)', which is not defined",
        "rebuild the plugin against this workbench"
      )
    case .missingLibrary(let id, let library):
      (
        "host.plugin-missing-library", "plugin '\(id)' needs the library '\(library)', which is not installed",
        "install it, or put it where the system finds libraries"
      )
    case .unsafeLibrary(let id, let library, let reason, let advice):
      ("host.plugin-unsafe-library", "plugin '\(id)' needs the library '\(library)': \(reason)", advice)
    case .notLoadable(let id, let reason):
      ("host.plugin-not-loadable", "cannot load plugin '\(id)': \(reason)", "build or copy the plugin again")
    case .noEntry(let id):
      (
        "host.plugin-no-entry", "plugin '\(id)' has no entry function 'workbench_plugin_entry'",
        "export it with @c(workbench_plugin_entry)"
      )
    case .foreignContract(let id):
      (
        "host.plugin-foreign-contract",
        "plugin '\(id)' does not use this program's contract: its library contains a second copy",
        "depend on the product PluginAPI of its package, so that it is linked dynamically"
      )
    case .otherIdentity(let id, let says):
      (
        "host.plugin-other-identity", "the stamp says plugin '\(id)', the plugin itself '\(says)'",
        "write the same id and version in the stamp and in the plugin"
      )
    case .badContributions(let id, let reason):
      ("host.plugin-bad-contributions", "cannot use the contributions of plugin '\(id)': \(reason)", nil)
    case .changed(let id, let path):
      ("host.plugin-changed", "'\(path)' of plugin '\(id)' changed while it was being loaded", "try again")
    case .altered(let id, let path, let isInstalled):
      (
        Self.alteredCode,
        "'\(path)' of plugin '\(id)' changed since it was \(isInstalled ? "installed" : "enabled")",
        "check it with 'workbench plugin verify'; if the change is yours, run: workbench plugin "
          + (isInstalled ? "install PATH" : "enable \(id)")
      )
    default: ("host.plugin-refused", "the plugin was refused", nil)
    }
  }

  /// Returns the supported revisions: `5`, or `5 to 7`.
  private static func range(_ oldest: Int, _ current: Int) -> String {
    oldest == current ? "\(current)" : "\(oldest) to \(current)"
  }

  private static func again(_ id: String) -> String {
    "after repairing it, run: workbench plugin probe \(id)"
  }
}
