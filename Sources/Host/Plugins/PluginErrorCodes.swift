import PluginAPI

/// The stable codes of problems with plugins.
enum PluginErrorCodes {
  static let all: [ErrorCodeDescription] = PluginRefusal.codes + use + managing + packages + AuthorError.codes

  private static let use: [ErrorCodeDescription] = [
    PluginHostError.activationFailed.catalogueEntry, PluginHostError.noScreens.catalogueEntry,
    .init("host.plugin-crashed", "the plugin crashed and ended the program; it is quarantined"),
    .init("host.out-of-memory", "a plugin needed more memory than the setting 'host.memory-limit' allows"),
    .init("host.plugin-exited", "the plugin ended the program by calling exit(); it is quarantined"),
    PluginHostError.quarantined.catalogueEntry,
    .init("host.plugin-set-aside", "warning: the plugin ended an earlier run; it is quarantined"),
    .init(
      "host.no-crash-journal", "warning: plugins that crash cannot be quarantined because the journal cannot be written"
    ),
    PluginHostError.disabledCode.catalogueEntry, PluginHostError.notEnabled.catalogueEntry,
    ProgramError.noProgram.catalogueEntry, ProgramError.notStarted.catalogueEntry,
    ProgramError.otherProtocol.catalogueEntry, ProgramError.ended.catalogueEntry,
    ProgramError.badMessage.catalogueEntry, ProgramError.notResponding.catalogueEntry,
    .init("host.value-too-deep", "a command returned a value nested deeper than 256 levels"),
    .init("host.calls-too-deep", "commands call each other in an endless loop"),
    .init("host.state-too-large", "the saved states of a plugin's screens are larger than 1 MB"),
    .init("host.loop-blocked", "a plugin blocks the program"),
  ]

  private static let managing: [ErrorCodeDescription] = [
    InstallError.nothingThere.catalogueEntry, InstallError.noPlugin.catalogueEntry,
    InstallError.severalPlugins.catalogueEntry, InstallError.badFileNameCode.catalogueEntry,
    InstallError.badResource.catalogueEntry, InstallError.replacesBundledCode.catalogueEntry,
    .init("host.bundled-replaced", "note: the plugin replaces a bundled plugin"),
    InstallError.notReplaced.catalogueEntry, PluginRefusal.altered.catalogueEntry,
    InstallError.notTheUsers.catalogueEntry, InstallError.notQuarantinedCode.catalogueEntry,
    .init("host.plugin-verify-failed", "a file of an installed plugin changed, is missing or was added"),
    .init("host.bisect-no-failure", "the command line to bisect does not fail"),
    .init("host.bisect-no-plugin", "note: the command line also fails without any plugin"),
    InstallError.notInstalledCode.catalogueEntry, InstallError.pinned.catalogueEntry,
    InstallError.noEarlierVersionCode.catalogueEntry, InstallError.noSourceCode.catalogueEntry,
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
    .init("host.bad-key", "the key is not a minisign key, or has a passphrase"),
    .init("host.bad-signature", "the signature does not match the file; do not use the file"),
    .init("host.install-rights", "note: the rights of a plugin and the effects of its commands"),
    .init("host.install-new-rights", "note: the rights and effects that an upgrade adds"),
    .init("host.install-older", "note or warning: an older version of the plugin is or was installed over a newer one"),
    SourceError.badIndexCode.catalogueEntry, SourceError.unreachable.catalogueEntry, SourceError.older.catalogueEntry,
    .init("host.source-stale", "warning: the last good copy of an index is used"),
    .init("host.source-expired", "warning: the index of a source has expired"),
    SourceError.existsCode.catalogueEntry, SourceError.unknown.catalogueEntry, SourceError.noPackage.catalogueEntry,
    SourceError.severalSources.catalogueEntry, SourceError.noFittingPackage.catalogueEntry,
  ]
}
