import PluginAPI
import PluginText

/// The browser's requests to the server of an account, and whether that server is reachable.
///
/// While the server is unreachable nothing is requested, except for retries at growing intervals, until it responds or
/// the user goes online. The functions return the effects to perform.
struct ServerRequests {
  private static let syncing: EffectID = "sync"
  private static let drilling: EffectID = "drill"
  private static let detailing: EffectID = "detail"
  private static let refreshing: EffectID = "refresh"
  private static let retrying: EffectID = "retry"

  /// The interval between checks whether a refresh is due, in seconds.
  private static let refreshInSeconds = 60.0
  /// The delays before each retry of an unreachable server, in seconds; the last one repeats.
  private static let retryInSeconds = [15.0, 30, 60, 120, 300]

  /// The text shown while requests are suspended.
  static let offlineRun = StyledText.Run("offline · o to go online", .warning)

  /// The message for a user who wants to go online in a program started offline.
  static let startedOffline = Diagnostic(
    .note, code: "openbis.offline", "the program was started with '--offline'", advice: "start it without that option")

  /// The effect that stops the request of a list's entities.
  static let drillCancellation = Effect.cancel(drilling)

  /// The effects that stop all requests of an account.
  static let cancellation = [syncing, retrying, drilling, detailing].map(Effect.cancel)

  /// The reachability of the server, as far as the screen knows it.
  private enum Reach {
    case online
    /// Requests are suspended, after a number of retries.
    case offline(retries: Int, isRetryScheduled: Bool)
  }

  /// The refresh of the cache.
  private enum Refresh {
    case idle
    case running(Progress?)
  }

  let lab: OpenLab
  private let isStartedOffline: Bool
  private var reach: Reach
  private var refreshState = Refresh.idle

  /// Creates the requests for an account.
  ///
  /// - Parameter isStartedOffline: True if the user disabled the network, so that nothing may be requested.
  init(_ lab: OpenLab, isStartedOffline: Bool) {
    (self.lab, self.isStartedOffline) = (lab, isStartedOffline)
    reach = isStartedOffline ? .offline(retries: 0, isRetryScheduled: false) : .online
  }

  /// A Boolean value indicating whether requests are suspended.
  var isOffline: Bool {
    switch reach {
    case .online: false
    case .offline: true
    }
  }

  /// A Boolean value indicating whether a refresh is running.
  var isSyncing: Bool {
    switch refreshState {
    case .idle: false
    case .running: true
    }
  }

  /// A Boolean value indicating whether requests are suspended although another screen reached the server.
  var isReachableAgain: Bool { isOffline && lab.isReachable }

  /// The texts of the status line.
  var status: [StyledText.Run] {
    // Other screens send requests too, and may have found the server unreachable.
    let offline = isOffline || !lab.isReachable ? [Self.offlineRun] : []
    return switch refreshState {
    case .idle: offline
    case .running(nil): offline + [.init("refreshing …", .accent)]
    case .running(let progress?): offline + [.init(Self.text(progress), .accent)]
    }
  }

  private static func text(_ progress: Progress) -> String {
    let share = progress.fraction.map { " \(Int($0 * 100)) %" } ?? ""
    return SanitizedText.line(progress.label, limit: 60) + share
  }

  // MARK: Requests

  /// Refreshes the cache if that is due, and checks again at intervals.
  mutating func begin() -> [Effect] {
    [.timer(Self.refreshing, seconds: Self.refreshInSeconds, repeats: true)] + sync(["if-due": true])
  }

  /// Refreshes the cache, unless a refresh is running.
  mutating func sync(_ arguments: Record) -> [Effect] { isOffline ? [] : startSync(arguments) }

  private mutating func startSync(_ arguments: Record = Record()) -> [Effect] {
    if isSyncing { return [] }
    refreshState = .running(nil)
    var arguments = arguments
    arguments["account"] = .text(lab.accountID)
    return [.run(Self.syncing, command: "sync", arguments: arguments)]
  }

  /// Requests the children of the current list's entity, and all changes.
  mutating func refresh(_ list: String?) -> [Effect] {
    if isOffline { return goOnline(list) }
    return drill(list) + sync(Record())
  }

  /// Requests everything again from a server that was unreachable.
  mutating func goOnline(_ list: String?) -> [Effect] {
    if isStartedOffline { return [.status(Self.startedOffline)] }
    reach = .online
    return [.cancel(Self.retrying)] + refresh(list)
  }

  /// Requests the children of an entity; its list follows when the cache changes.
  func drill(_ id: String?) -> [Effect] { id.map { request(Self.drilling, "drill", $0, ["limit": 1]) } ?? [] }

  /// Requests the details of an entity, unless it is a navigation entity: servers have none of those.
  func detail(_ entity: EntitySummary) -> [Effect] {
    entity.flags.contains(.navigation) ? [] : request(Self.detailing, "detail", entity.permID)
  }

  private func request(_ id: EffectID, _ command: String, _ permID: String, _ more: Record = Record()) -> [Effect] {
    if isOffline { return [] }
    var arguments: Record = ["perm-id": .text(permID), "account": .text(lab.accountID)]
    for field in more.fields { arguments[field.name] = field.value }
    return [.cancel(id), .run(id, command: command, arguments: arguments)]
  }

  // MARK: Responses

  /// Handles timers and the ends of requests.
  ///
  /// - Parameters:
  ///   - message: The message; others than those of requests are ignored.
  ///   - list: The entity of the current list, which is requested once the server responds again.
  mutating func receive(_ message: Message, list: String?) -> [Effect] {
    switch message {
    case .timer(Self.refreshing): return sync(["if-due": true])
    case .timer(Self.retrying): return retry()
    case .progress(Self.syncing, let progress):
      if isSyncing { refreshState = .running(progress) }
    case .finished(Self.syncing), .cancelled(Self.syncing):
      refreshState = .idle
      return updateReach(list)
    case .failed(Self.syncing, let report):
      refreshState = .idle
      return failed(report, list)
    case .finished(Self.drilling), .finished(Self.detailing): return updateReach(list)
    case .failed(Self.drilling, let report), .failed(Self.detailing, let report): return failed(report, list)
    default: break
    }
    return []
  }

  /// Updates the reachability after a request; commands return cached data if the server is unreachable.
  ///
  /// An unreachable server is retried at intervals; once it responds again, the current list is requested.
  mutating func updateReach(_ list: String?) -> [Effect] {
    if isStartedOffline { return [] }
    guard lab.isReachable else { return scheduleRetry() }
    guard isOffline else { return [] }
    reach = .online
    let note = Diagnostic(.note, code: "openbis.online", "'\(lab.title)' is online again")
    return [.cancel(Self.retrying), .status(note)] + drill(list)
  }

  private mutating func failed(_ report: ErrorReport, _ list: String?) -> [Effect] {
    // Another client is already refreshing: its results appear here too.
    if report.code == "openbis.already-syncing" { return [] }
    let wasOffline = isOffline
    let effects = updateReach(list)
    return isOffline && wasOffline ? effects : effects + [.status(Diagnostic(report, .warning))]
  }

  /// Retries a server that was unreachable; the screen stays offline until it responds.
  private mutating func retry() -> [Effect] {
    guard case .offline(let retries, _) = reach else { return [] }
    reach = .offline(retries: retries, isRetryScheduled: false)
    return isSyncing ? scheduleRetry() : startSync()
  }

  private mutating func scheduleRetry() -> [Effect] {
    var retries = 0
    if case .offline(let before, let isRetryScheduled) = reach {
      if isRetryScheduled || isStartedOffline { return [] }
      retries = before
    }
    reach = .offline(retries: retries + 1, isRetryScheduled: true)
    let seconds = Self.retryInSeconds[min(retries, Self.retryInSeconds.count - 1)]
    return [.timer(Self.retrying, seconds: seconds, repeats: false)]
  }
}
