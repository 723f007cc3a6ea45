import PluginAPI
import PluginText

/// A screen's view of its server: whether it is reachable, and which requests are running.
struct ServerState {
  /// A Boolean value indicating whether requests are suspended until the server responds or the user goes online.
  var isOffline = false
  /// The number of retries since the server was last reachable.
  var retries = 0
  /// A Boolean value indicating whether a retry is scheduled.
  var isRetryAwaited = false
  /// A Boolean value indicating whether a refresh is running.
  var isSyncing = false
  /// The progress of the refresh.
  var progress: Progress?

  /// The text shown while requests are suspended.
  static let offlineRun = StyledText.Run("offline · o goes online", .warning)

  /// The message for a user who wants to go online in a program started offline.
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
