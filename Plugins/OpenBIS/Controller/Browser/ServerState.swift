import PluginAPI
import PluginText

/// What a screen knows of its server: whether it can be reached, and what it is asked for.
struct ServerState {
  /// Whether nothing is asked until the server answers again or the user wants to go online.
  var isOffline = false
  /// How often it was asked again since it could be reached last.
  var retries = 0
  /// Whether a time is set at which it is asked again.
  var isRetryAwaited = false
  /// Whether a refresh runs.
  var isSyncing = false
  /// How far the refresh is.
  var progress: Progress?

  /// What is said where nothing is asked.
  static let offlineRun = StyledText.Run("offline · o goes online", .warning)

  /// What is said to who wants to go online where that cannot be.
  static let startedOffline = Diagnostic(
    .note, code: "openbis.offline", "the program was started with '--offline'", advice: "start it without")

  /// The texts of the status line.
  var runs: [StyledText.Run] {
    var runs: [StyledText.Run] = []
    if isOffline { runs.append(Self.offlineRun) }
    if isSyncing { runs.append(.init(progressText, .accent)) }
    return runs
  }

  private var progressText: String {
    guard let progress else { return "refreshing …" }
    let share = progress.fraction.map { " \(Int($0 * 100)) %" } ?? ""
    return SanitizedText.line(progress.label, limit: 60) + share
  }
}
