import PluginAPI
import PluginText

/// The browser's requests to the server and the handling of its responses.
extension BrowserController {
  /// Starts with an account: refreshes it if that is due, and checks again at intervals.
  func begin() -> [Effect] {
    [.timer(Self.refreshing, seconds: Self.refreshInSeconds, repeats: true)] + sync(["if-due": true])
  }

  /// Refreshes the cache, unless a refresh is running.
  func sync(_ arguments: Record) -> [Effect] { server.isOffline ? [] : startSync(arguments) }

  private func startSync(_ arguments: Record) -> [Effect] {
    guard let open, !server.isSyncing else { return [] }
    server.isSyncing = true
    server.progress = nil
    var arguments = arguments
    arguments["account"] = .text(open.accountID)
    return [.run(Self.syncing, command: "sync", arguments: arguments)]
  }

  /// Requests the current list and all changes.
  func refresh() -> [Effect] {
    if server.isOffline { return goOnline() }
    let drill = level.entity.map { askDrill($0.permID) } ?? []
    return drill + sync(Record())
  }

  /// Asks the server again after it was unreachable.
  func goOnline() -> [Effect] {
    if context.isOffline { return [.status(ServerState.startedOffline)] }
    server.isOffline = false
    server.retries = 0
    return [.cancel(Self.retrying)] + refresh()
  }

  /// Retries a server that was unreachable; the screen stays offline until it responds.
  private func retry() -> [Effect] {
    server.isRetryAwaited = false
    if !server.isOffline { return [] }
    return server.isSyncing ? awaitRetry() : startSync(Record())
  }

  private func awaitRetry() -> [Effect] {
    // The program was started offline: nothing may be requested.
    if context.isOffline || server.isRetryAwaited { return [] }
    server.isRetryAwaited = true
    let seconds = Self.retryInSeconds[min(server.retries, Self.retryInSeconds.count - 1)]
    server.retries += 1
    return [.timer(Self.retrying, seconds: seconds, repeats: false)]
  }

  /// Requests the children of an entity; its list follows when the cache changes.
  func askDrill(_ id: String) -> [Effect] { ask(Self.drilling, "drill", id, ["limit": 1]) }

  /// Requests the details of an entity, unless it is a navigation entity: servers have none of those.
  func askDetail(_ entity: EntitySummary) -> [Effect] {
    entity.flags.contains(.navigation) ? [] : ask(Self.detailing, "detail", entity.permID)
  }

  private func ask(_ effect: EffectID, _ command: String, _ id: String, _ more: Record = Record()) -> [Effect] {
    guard let open, !server.isOffline else { return [] }
    var arguments: Record = ["perm-id": .text(id), "account": .text(open.accountID)]
    for field in more.fields { arguments[field.name] = field.value }
    return [.cancel(effect), .run(effect, command: command, arguments: arguments)]
  }

  /// Requests the children of the current list's entity, because one of them was never loaded.
  func askForMissing(_ entity: EntitySummary) -> [Effect] {
    guard let parent = level.entity, !server.isOffline else {
      let text = "'\(SanitizedText.line(entity.permID))' was never loaded"
      let advice = server.isOffline ? "o goes online" : nil
      return [.status(Diagnostic(.note, code: "openbis.not-cached", text, advice: advice))]
    }
    let text = "asking what is below '\(EntityTitle.line(parent))', to which it belongs"
    return [.status(Diagnostic(.note, code: "openbis.not-cached", text))] + askDrill(parent.permID)
      + askDetail(entity)
  }

  func receiveFromServer(_ message: Message) -> [Effect] {
    switch message {
    case .timer(Self.refreshing): return sync(["if-due": true])
    case .timer(Self.retrying): return retry()
    case .progress(Self.syncing, let progress): server.progress = progress
    case .finished(Self.syncing, _), .cancelled(Self.syncing):
      server.isSyncing = false
      return lookWhetherReachable()
    case .failed(Self.syncing, let report):
      server.isSyncing = false
      return failed(report)
    case .finished(Self.drilling, _), .finished(Self.detailing, _): return lookWhetherReachable()
    case .failed(Self.drilling, let report), .failed(Self.detailing, let report): return failed(report)
    default: return export.receive(message)
    }
    return []
  }

  /// Updates the offline state after a request; commands return cached data if the server is unreachable.
  ///
  /// An unreachable server is retried at intervals; once it responds again, the current list is requested.
  func lookWhetherReachable() -> [Effect] {
    guard let open, !context.isOffline else { return [] }
    let wasOffline = server.isOffline
    server.isOffline = !open.isReachable()
    if server.isOffline { return awaitRetry() }
    server.retries = 0
    if !wasOffline { return [] }
    let note = Diagnostic(.note, code: "openbis.online", "'\(open.title)' answers again")
    return [.cancel(Self.retrying), .status(note)] + (level.entity.map { askDrill($0.permID) } ?? [])
  }

  private func failed(_ report: ErrorReport) -> [Effect] {
    // Another client is already refreshing: its results appear here too.
    if report.code == "openbis.already-syncing" { return [] }
    let wasOffline = server.isOffline
    let effects = lookWhetherReachable()
    if server.isOffline, wasOffline { return effects }
    return effects + [.status(Diagnostic(report, .warning))]
  }
}
