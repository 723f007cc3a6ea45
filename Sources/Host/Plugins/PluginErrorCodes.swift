import PluginAPI

/// The stable codes of problems with plugins.
enum PluginErrorCodes {
  static let all: [ErrorCodeDescription] = file + build + opening + use + managing + packages + AuthorError.codes

  private static let file: [ErrorCodeDescription] = [
    .init("host.plugin-unreadable", "the library does not exist or cannot be read"),
    .init("host.plugin-not-a-file", "the library is not a regular file"),
    .init(
      "host.plugin-unsafe", "other users can change the library or a folder above it; run the command in the message"),
    .init("host.plugin-too-large", "the file is too large for a plugin"),
    .init("host.plugin-not-a-library", "the file is not a shared library"),
    .init("host.plugin-truncated", "the library is truncated; copy it again"),
    .init("host.plugin-wrong-class", "the library is for another kind of machine"),
    .init("host.plugin-wrong-machine", "the library is for another processor"),
    .init("host.plugin-damaged", "the library is damaged; build or copy it again"),
    .init("host.plugin-bad-manifest", "the plugin.json of a plugin cannot be used; correct it"),
    .init("host.plugin-no-stamp", "the library has no plugin stamp"),
    .init("host.plugin-bad-stamp", "the stamp of the library cannot be used"),
  ]

  private static let build: [ErrorCodeDescription] = [
    .init("host.plugin-too-old", "the plugin was built for an older contract; rebuild it"),
    .init("host.plugin-too-new", "the plugin was built for a newer contract; get a newer workbench"),
    .init("host.plugin-other-compiler", "the plugin was built with another compiler; rebuild it"),
    .init("host.plugin-carries-copy", "the library contains a copy of the contract or kit"),
    .init("host.plugin-same-module", "two plugins have a Swift module of the same name"),
  ]

  private static let opening: [ErrorCodeDescription] = [
    .init("host.plugin-probe-crashed", "the plugin crashes when it is opened"),
    .init("host.plugin-probe-hung", "the plugin does not describe itself in time"),
    .init("host.plugin-probe-out-of-memory", "the plugin needs too much memory to describe itself"),
    .init("host.plugin-probe-failed", "the plugin cannot be examined"),
    .init("host.plugin-missing-symbol", "the plugin needs a symbol that is not defined; rebuild it"),
    .init("host.plugin-missing-library", "the plugin needs a library that is not installed"),
    .init("host.plugin-unsafe-library", "other users can change a library that the plugin needs"),
    .init("host.plugin-not-loadable", "the dynamic linker cannot load the library"),
    .init("host.plugin-no-entry", "the library exports no entry function"),
    .init("host.plugin-foreign-contract", "the library contains a second copy of the contract"),
    .init("host.plugin-other-identity", "the stamp and the plugin differ in id or version"),
    .init("host.plugin-bad-contributions", "the contributions of the plugin contain an error"),
    .init("host.plugin-changed", "the library changed while it was being loaded"),
  ]

  private static let use: [ErrorCodeDescription] = [
    .init("host.plugin-activation-failed", "the plugin could not be activated"),
    .init("host.plugin-crashed", "the plugin crashed and ended the program; it is quarantined"),
    .init("host.out-of-memory", "a plugin needed more memory than the setting 'host.memory-limit' allows"),
    .init("host.plugin-exited", "the plugin ended the program by calling exit(); it is quarantined"),
    .init(
      "host.plugin-quarantined",
      "the plugin crashed or ended the program earlier; re-enable it with 'workbench plugin unquarantine'"),
    .init("host.plugin-set-aside", "warning: the plugin ended an earlier run; it is quarantined"),
    .init(
      "host.no-crash-journal", "warning: plugins that crash cannot be quarantined because the journal cannot be written"
    ),
    .init("host.plugin-disabled", "the user disabled the plugin"),
    .init("host.plugin-not-enabled", "a library in the plugin folder is not enabled yet"),
    .init("host.plugin-no-program", "the program that a plugin's plugin.json names is not installed"),
    .init("host.plugin-not-started", "the program of a plugin cannot be started"),
    .init("host.plugin-other-protocol", "the program of a plugin speaks another version of the protocol"),
    .init("host.plugin-ended", "the program of a plugin ended before it answered; its messages are in workbench.log"),
    .init("host.plugin-bad-message", "the program of a plugin wrote something that the protocol does not allow"),
    .init("host.plugin-not-responding", "the program of a plugin does not answer in time"),
    .init("host.value-too-deep", "a command emitted a value nested deeper than 256 levels"),
    .init("host.calls-too-deep", "commands call each other in an endless loop"),
    .init("host.state-too-large", "the saved states of a plugin's screens are larger than 1 MB"),
    .init("host.loop-blocked", "a plugin blocks the program"),
  ]

  private static let managing: [ErrorCodeDescription] = [
    .init("host.install-nothing-there", "the path to install does not exist"),
    .init("host.install-no-plugin", "the file or folder to install does not contain a plugin"),
    .init("host.install-several-plugins", "the folder to install contains several plugins; name one"),
    .init("host.install-bad-file-name", "the library is not named lib<Name>.so"),
    .init("host.install-bad-resource", "a resource is neither a file nor a folder, or there are too many"),
    .init("host.install-replaces-bundled", "the plugin would replace a bundled plugin"),
    .init("host.bundled-replaced", "note: the plugin replaces a bundled plugin"),
    .init("host.install-not-replaced", "--replace names a different plugin than the one to install"),
    .init("host.plugin-altered", "the library changed since it was installed or enabled"),
    .init("host.plugin-not-removable", "the plugin was not installed by the user; disable it"),
    .init("host.plugin-not-quarantined", "the plugin is not quarantined"),
    .init("host.plugin-verify-failed", "an installed library changed or is missing"),
    .init("host.bisect-no-failure", "the command line to bisect does not fail"),
    .init("host.bisect-no-plugin", "note: the command line fails without any plugin too"),
    .init("host.plugin-not-installed", "the user has not installed this plugin"),
    .init("host.plugin-pinned", "the plugin is pinned to its version"),
    .init("host.no-earlier-version", "there is no earlier version to return to"),
    .init("host.upgrade-no-source", "the plugin was installed from a file; install a newer file"),
    .init("host.nothing-newer", "note: the sources have no newer version"),
    .init("host.not-a-workbench", "the file named by --host is not the program of a workbench"),
    .init("host.no-libsodium", "libsodium is not installed"),
    .init("host.file-not-removed", "a file of the program cannot be removed"),
  ]

  private static let packages: [ErrorCodeDescription] = [
    .init("host.package-damaged", "the file is not a package, or is damaged; download or pack it again"),
    .init("host.package-unsafe", "the package has links, names or modes that packages must not have"),
    .init("host.package-too-large", "the package, or a file in it, is too large"),
    .init("host.package-altered", "the package is not the one that the index lists"),
    .init("host.package-unsigned", "the plugin is not signed with a known key; agree with --allow-unsigned"),
    .init("host.bad-key", "the key is not one of minisign, or has a passphrase"),
    .init("host.bad-signature", "the signature does not fit the file; do not use it"),
    .init("host.install-rights", "note: the rights of a plugin and the effects of its commands"),
    .init("host.install-new-rights", "note: the rights and effects that an upgrade adds"),
    .init("host.source-bad-index", "the index of a source contains an error"),
    .init("host.source-unreachable", "an index or a package cannot be fetched"),
    .init("host.source-older", "the index of a source is older than the one known"),
    .init("host.source-stale", "warning: the last good copy of an index is used"),
    .init("host.source-expired", "warning: the index of a source has expired"),
    .init("host.source-exists", "there is a source with this name"),
    .init("host.unknown-source", "there is no source with this name"),
    .init("host.unknown-package", "no source has this plugin or version"),
    .init("host.several-sources", "several sources have a plugin with this id; name one with --source"),
    .init("host.no-fitting-package", "the plugin has no package for this workbench"),
  ]
}
