import PluginAPI

/// The stable codes of problems with plugins.
enum PluginErrorCodes {
  static let all: [ErrorCodeDescription] = file + build + opening + use + managing

  private static let file: [ErrorCodeDescription] = [
    .init("host.plugin-unreadable", "the library is not there or cannot be read"),
    .init("host.plugin-not-a-file", "a pipe, device, folder or link stands where a library should be"),
    .init("host.plugin-unsafe", "others could change the library or a folder above it; the message has the command"),
    .init("host.plugin-too-large", "the file has more bytes than a plugin may have"),
    .init("host.plugin-not-a-library", "the file is no shared library"),
    .init("host.plugin-truncated", "the library ends early; copy it again"),
    .init("host.plugin-wrong-class", "the library is for another kind of machine"),
    .init("host.plugin-wrong-machine", "the library is for another processor"),
    .init("host.plugin-damaged", "the headers of the library contradict themselves"),
    .init("host.plugin-no-stamp", "the library is no plugin"),
    .init("host.plugin-bad-stamp", "the stamp of the library cannot be used"),
  ]

  private static let build: [ErrorCodeDescription] = [
    .init("host.plugin-too-old", "built on a contract that is served no longer; rebuild the plugin"),
    .init("host.plugin-too-new", "built on a later contract; get a newer workbench"),
    .init("host.plugin-other-compiler", "built with another compiler; rebuild the plugin"),
    .init("host.plugin-carries-copy", "the library has a copy of contract or kit inside it"),
    .init("host.plugin-same-module", "two plugins have a Swift module of the same name"),
  ]

  private static let opening: [ErrorCodeDescription] = [
    .init("host.plugin-probe-crashed", "the plugin crashes when it is opened"),
    .init("host.plugin-probe-hung", "the plugin does not describe itself in time"),
    .init("host.plugin-probe-out-of-memory", "the plugin takes too much memory to describe itself"),
    .init("host.plugin-probe-failed", "the plugin cannot be looked at"),
    .init("host.plugin-missing-symbol", "the plugin needs a function that nothing has; rebuild it"),
    .init("host.plugin-missing-library", "the plugin needs a library that is not installed"),
    .init("host.plugin-unsafe-library", "others could change a library that the plugin needs"),
    .init("host.plugin-not-loadable", "the dynamic linker refuses the library"),
    .init("host.plugin-no-entry", "the library exports no entry function"),
    .init("host.plugin-foreign-contract", "the library brings a second copy of the contract"),
    .init("host.plugin-other-identity", "stamp and plugin differ in id or version"),
    .init("host.plugin-bad-contributions", "what the plugin offers contradicts itself"),
    .init("host.plugin-changed", "the library changed while it was being loaded"),
  ]

  private static let use: [ErrorCodeDescription] = [
    .init("host.plugin-activation-failed", "the plugin could not be activated"),
    .init("host.plugin-crashed", "the plugin crashed and ended the program; it is set aside"),
    .init("host.out-of-memory", "a plugin needed more memory than the setting 'host.memory-limit' allows"),
    .init("host.plugin-exited", "the plugin called exit() and so ended the program; it is set aside"),
    .init(
      "host.plugin-quarantined",
      "the plugin crashed or ended the program earlier; 'workbench plugin unquarantine' tries it again"),
    .init("host.plugin-set-aside", "warning: the plugin ended an earlier run; it is set aside from now on"),
    .init(
      "host.no-crash-journal", "warning: a plugin that crashes cannot be set aside, as the journal cannot be written"),
    .init("host.plugin-disabled", "the user disabled the plugin"),
    .init("host.plugin-not-enabled", "a library in the plugin folder was not enabled yet"),
    .init("host.value-too-deep", "a command emitted a value nested deeper than 256 levels"),
    .init("host.calls-too-deep", "commands call each other without end"),
    .init("host.state-too-large", "the saved states of a plugin's screens are larger than 1 MB"),
    .init("host.loop-blocked", "a plugin keeps the program from answering"),
  ]

  private static let managing: [ErrorCodeDescription] = [
    .init("host.install-nothing-there", "the path to install names nothing"),
    .init("host.install-no-plugin", "the folder to install holds no plugin library"),
    .init("host.install-several-plugins", "the folder to install holds several plugins; name one"),
    .init("host.install-bad-file-name", "the library is not called lib<Name>.so"),
    .init("host.install-bad-resource", "a resource is neither a file nor a folder, or there are too many"),
    .init("host.install-replaces-bundled", "the plugin would replace one that ships with the program"),
    .init("host.bundled-replaced", "the plugin takes the place of one that ships with the program"),
    .init("host.install-not-replaced", "the option --replace names another plugin than the one to install"),
    .init("host.plugin-altered", "the library is not the one that was installed or enabled"),
    .init("host.plugin-not-removable", "the plugin was not installed by the user; disable it"),
    .init("host.plugin-not-quarantined", "the plugin is not set aside"),
    .init("host.plugin-verify-failed", "an installed library is not what was installed"),
    .init("host.no-libsodium", "libsodium is not installed"),
    .init("host.file-not-removed", "a file of the program cannot be removed"),
  ]
}
