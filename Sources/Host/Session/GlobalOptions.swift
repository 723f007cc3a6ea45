/// The options that every command takes, before or after its name.
struct GlobalOptions: Sendable, Hashable {
  /// The form of results on stdout.
  enum Format: Sendable, Hashable {
    case text, json, jsonLines, csv, tsv
  }

  /// When colours are used.
  enum ColorChoice: String, Sendable, Hashable, CaseIterable {
    case auto, always, never
  }

  var format = Format.text
  var isPlain = false
  var color = ColorChoice.auto
  var isQuiet = false
  var assumeYes = false
  var noInput = false
  var timeoutInSeconds: Double?
  var home: String?
  var pluginFolders: [String] = []
  var isSafeMode = false
  var isOffline = false
}
