import PluginAPI

/// The reason to refuse a plugin, found before any of its code runs in this process.
enum PluginRefusal {
  private static let unreadable = DeclaredError(
    "host.plugin-unreadable", .notFound, "the library does not exist or cannot be read")
  static func unreadable(path: String, _ reason: String) -> ErrorReport {
    unreadable("cannot read '\(path)': \(reason)", details: ["path": .text(path)])
  }
  private static let notRegular = DeclaredError(
    "host.plugin-not-a-file", .pluginFailed, "the library is not a regular file")
  static func notRegular(path: String, kind: String) -> ErrorReport {
    notRegular(
      "'\(path)' is \(kind), not a plugin library", advice: "name the library file", details: ["path": .text(path)])
  }
  private static let unsafe = DeclaredError(
    "host.plugin-unsafe", .refused,
    "other users can change the library or a folder above it; run the command in the message")
  /// Other users could change the file or a folder above it; `command` makes it safe.
  static func unsafe(path: String, reason: String, command: String) -> ErrorReport {
    unsafe("'\(path)' \(reason)\(conclusion)", advice: "run: \(command)", details: ["path": .text(path)])
  }
  private static let conclusion = ", so it cannot be trusted"
  /// Returns the message of ``unsafe(path:reason:command:)`` without its conclusion; nil for another refusal.
  static func unsafeReason(_ refusal: ErrorReport) -> String? {
    unsafe ~= refusal ? String(refusal.message.dropLast(conclusion.count)) : nil
  }
  private static let tooLarge = DeclaredError(
    "host.plugin-too-large", .pluginFailed, "the file is too large for a plugin")
  static func tooLarge(path: String, bytes: Int, limit: Int) -> ErrorReport {
    tooLarge("'\(path)' has \(bytes) bytes; the limit for plugins is \(limit)", details: ["path": .text(path)])
  }
  /// The file is not a loadable library.
  static func library(path: String, _ error: ELFError) -> ErrorReport {
    error.declared(
      "'\(path)' \(error.message)", advice: "build or copy the plugin again", details: ["path": .text(path)])
  }
  private static let badManifest = DeclaredError(
    "host.plugin-bad-manifest", .pluginFailed, "the plugin.json of a plugin cannot be used; correct it")
  static func badManifest(path: String, _ reason: String) -> ErrorReport {
    badManifest("cannot use '\(path)': \(reason)", advice: "correct the file", details: ["path": .text(path)])
  }
  private static let noStamp = DeclaredError("host.plugin-no-stamp", .pluginFailed, "the library has no plugin stamp")
  static func noStamp(path: String) -> ErrorReport {
    noStamp(
      "'\(path)' is a library without a plugin stamp",
      advice: "add the line WORKBENCH_PLUGIN(\"id\", \"1.0.0\") to a C file of the plugin",
      details: ["path": .text(path)])
  }
  private static let badStamp = DeclaredError(
    "host.plugin-bad-stamp", .pluginFailed, "the stamp of the library cannot be used")
  static func badStamp(path: String, _ reason: String) -> ErrorReport {
    badStamp(
      "the stamp of '\(path)' cannot be used: \(reason)", advice: "correct its WORKBENCH_PLUGIN line",
      details: ["path": .text(path)])
  }
  private static let revisionTooOld = DeclaredError(
    "host.plugin-too-old", .pluginFailed, "the plugin was built for an older contract; rebuild it")
  static func revisionTooOld(id: String, has: Int, oldest: Int, current: Int) -> ErrorReport {
    revisionTooOld(
      "plugin '\(id)' was built for contract revision \(has); this workbench supports \(range(oldest, current))",
      advice: "rebuild the plugin, or get a newer one", details: ["plugin": .text(id)])
  }
  private static let revisionTooNew = DeclaredError(
    "host.plugin-too-new", .pluginFailed, "the plugin was built for a newer contract; get a newer workbench")
  static func revisionTooNew(id: String, has: Int, oldest: Int, current: Int) -> ErrorReport {
    revisionTooNew(
      "plugin '\(id)' was built for contract revision \(has); this workbench supports \(range(oldest, current))",
      advice: "get a newer workbench", details: ["plugin": .text(id)])
  }
  private static let otherCompiler = DeclaredError(
    "host.plugin-other-compiler", .pluginFailed, "the plugin was built with another compiler; rebuild it")
  static func otherCompiler(id: String, has: String, wanted: String) -> ErrorReport {
    otherCompiler(
      "plugin '\(id)' was built with '\(has)', this workbench with '\(wanted)'",
      advice: "rebuild the plugin with the same Swift version", details: ["plugin": .text(id)])
  }
  private static let carriesCopy = DeclaredError(
    "host.plugin-carries-copy", .pluginFailed, "the library contains a copy of the contract or kit")
  static func carriesCopy(id: String, of library: String) -> ErrorReport {
    carriesCopy(
      "plugin '\(id)' contains a copy of '\(library)', whose types differ from the host's",
      advice: "depend on the product of its package, so that it is linked dynamically", details: ["plugin": .text(id)])
  }
  private static let sameModule = DeclaredError(
    "host.plugin-same-module", .pluginFailed, "two plugins have a Swift module of the same name")
  static func sameModule(id: String, module: String, other: String) -> ErrorReport {
    sameModule(
      "plugins '\(id)' and '\(other)' both have a Swift module '\(module)'", advice: "rename one of the modules",
      details: ["plugin": .text(id)])
  }
  private static let probeCrashed = DeclaredError(
    "host.plugin-probe-crashed", .pluginFailed, "the plugin crashes when it is opened")
  static func probeCrashed(id: String, signal: String) -> ErrorReport {
    probeCrashed(
      "plugin '\(id)' crashes when it is opened: \(signal)", advice: again(id), details: ["plugin": .text(id)])
  }
  private static let probeHung = DeclaredError(
    "host.plugin-probe-hung", .pluginFailed, "the plugin does not describe itself in time")
  static func probeHung(id: String, seconds: Int) -> ErrorReport {
    probeHung(
      "plugin '\(id)' did not describe itself within \(seconds) s", advice: again(id), details: ["plugin": .text(id)])
  }
  private static let probeOutOfMemory = DeclaredError(
    "host.plugin-probe-out-of-memory", .pluginFailed, "the plugin needs too much memory to describe itself")
  static func probeOutOfMemory(id: String, megabytes: Int) -> ErrorReport {
    probeOutOfMemory(
      "plugin '\(id)' takes more than \(megabytes) MB of memory to describe itself", advice: again(id),
      details: ["plugin": .text(id)])
  }
  private static let probeFailed = DeclaredError(
    "host.plugin-probe-failed", .pluginFailed, "the plugin cannot be examined")
  static func probeFailed(id: String, _ reason: String) -> ErrorReport {
    probeFailed("cannot examine plugin '\(id)': \(reason)", advice: again(id), details: ["plugin": .text(id)])
  }
  private static let missingSymbol = DeclaredError(
    "host.plugin-missing-symbol", .pluginFailed, "the plugin needs a symbol that is not defined; rebuild it")
  static func missingSymbol(id: String, _ symbol: String) -> ErrorReport {
    missingSymbol(
      "plugin '\(id)' needs the symbol '\(symbol)', which is not defined",
      advice: "rebuild the plugin against this workbench", details: ["plugin": .text(id)])
  }
  private static let missingLibrary = DeclaredError(
    "host.plugin-missing-library", .pluginFailed, "the plugin needs a library that is not installed")
  static func missingLibrary(id: String, _ library: String) -> ErrorReport {
    missingLibrary(
      "plugin '\(id)' needs the library '\(library)', which is not installed",
      advice: "install it, or put it where the system finds libraries", details: ["plugin": .text(id)])
  }
  private static let unsafeLibrary = DeclaredError(
    "host.plugin-unsafe-library", .refused, "other users can change a library that the plugin needs")
  static func unsafeLibrary(id: String, library: String, reason: String, advice: String?) -> ErrorReport {
    unsafeLibrary(
      "plugin '\(id)' needs the library '\(library)': \(reason)", advice: advice, details: ["plugin": .text(id)])
  }
  private static let notLoadable = DeclaredError(
    "host.plugin-not-loadable", .pluginFailed, "the dynamic linker cannot load the library")
  static func notLoadable(id: String, _ reason: String) -> ErrorReport {
    notLoadable(
      "cannot load plugin '\(id)': \(reason)", advice: "build or copy the plugin again", details: ["plugin": .text(id)])
  }
  private static let noEntry = DeclaredError(
    "host.plugin-no-entry", .pluginFailed, "the library exports no entry function")
  static func noEntry(id: String) -> ErrorReport {
    noEntry(
      "plugin '\(id)' has no entry function 'workbench_plugin_entry'",
      advice: "export it with @c(workbench_plugin_entry)", details: ["plugin": .text(id)])
  }
  private static let foreignContract = DeclaredError(
    "host.plugin-foreign-contract", .pluginFailed, "the library contains a second copy of the contract")
  static func foreignContract(id: String) -> ErrorReport {
    foreignContract(
      "plugin '\(id)' does not use this program's contract: its library contains a second copy",
      advice: "depend on the product PluginAPI of its package, so that it is linked dynamically",
      details: ["plugin": .text(id)])
  }
  private static let otherIdentity = DeclaredError(
    "host.plugin-other-identity", .pluginFailed, "the stamp and the plugin differ in id or version")
  static func otherIdentity(id: String, says: String) -> ErrorReport {
    otherIdentity(
      "the stamp names plugin '\(id)', but the plugin names itself '\(says)'",
      advice: "write the same id and version in the stamp and in the plugin", details: ["plugin": .text(id)])
  }
  private static let badContributions = DeclaredError(
    "host.plugin-bad-contributions", .pluginFailed, "the contributions of the plugin contain an error")
  static func badContributions(id: String, _ reason: String) -> ErrorReport {
    badContributions("cannot use the contributions of plugin '\(id)': \(reason)", details: ["plugin": .text(id)])
  }
  private static let changed = DeclaredError(
    "host.plugin-changed", .pluginFailed, "the library changed while it was being loaded")
  static func changed(id: String, path: String) -> ErrorReport {
    changed(
      "'\(path)' of plugin '\(id)' changed while it was being loaded", advice: "try again",
      details: ["plugin": .text(id)])
  }
  static let altered = DeclaredError(
    "host.plugin-altered", .refused, "the library changed since it was installed or enabled")
  static func altered(id: String, path: String, isInstalled: Bool) -> ErrorReport {
    altered(
      "'\(path)' of plugin '\(id)' changed since it was \(isInstalled ? "installed" : "enabled")",
      advice: "check it with 'workbench plugin verify'; if the change is yours, run: workbench plugin "
        + (isInstalled ? "install PATH" : "enable \(id)"), details: ["plugin": .text(id)])
  }

  /// The stable codes of refusals before a plugin is installed or enabled.
  static let codes =
    ([unreadable, notRegular, unsafe, tooLarge] + ELFError.all + [badManifest, noStamp, badStamp] + build + opening)
    .map(\.catalogueEntry)

  private static let build = [revisionTooOld, revisionTooNew, otherCompiler, carriesCopy, sameModule]
  private static let opening = [
    probeCrashed, probeHung, probeOutOfMemory, probeFailed, missingSymbol, missingLibrary, unsafeLibrary, notLoadable,
    noEntry, foreignContract, otherIdentity, badContributions, changed,
  ]

  /// The codes of refusals that depend on other libraries: the same plugin may be accepted later.
  static let codesOfLibraries: Set<String> = [missingLibrary.code, unsafeLibrary.code]

  /// Returns the supported revisions: `5`, or `5 to 7`.
  private static func range(_ oldest: Int, _ current: Int) -> String {
    oldest == current ? "\(current)" : "\(oldest) to \(current)"
  }

  private static func again(_ id: String) -> String {
    "after repairing it, run: workbench plugin probe \(id)"
  }
}
