import PluginAPI

/// The audit log, one part at a time, newest first, with the interaction log beside it.
///
/// Reading the log adds an entry to it, so the screen does not follow the store on its own.
@MainActor final class LogController: Controller {
  nonisolated static let description = ScreenDescription(
    "log", title: "Log", summary: "Audit log of the store, and interaction log",
    actions: [
      ScreenAction(LogAction.verify, "Verify the audit log", keys: ["V"]),
      ScreenAction(LogAction.older, "Older entries", keys: ["o"]),
      ScreenAction(LogAction.newer, "Newer entries", keys: ["n"]),
      ScreenAction(LogAction.other, "Switch between audit log and interaction log", keys: ["tab"]),
      ScreenAction(LogAction.reload, "Reload", keys: ["r"]),
    ],
    topics: [WSABIScreens.recordsTopic])

  /// The number of entries shown at a time.
  private nonisolated static let page = 500

  private let station: ScreenStation
  private var table = TableState(Table(columns: []))
  private var showsInteractions = false
  private var size = Size(width: 0, height: 0)
  private var message = "loading …"
  private var verdict: AuditVerdict?
  /// The number of the first entry that is shown, from 1; nil for the newest.
  private var first: Int?
  private var count = 0

  init(_ station: ScreenStation) { self.station = station }

  var title: String { showsInteractions ? "Interaction log" : "Audit log" }
  var view: any View { LogView(title: title, table: table, message: message) }

  var status: [StyledText.Run] {
    if showsInteractions { return [.init("actions on screens, without values", .secondary)] }
    switch verdict {
    case nil: return count == 0 ? [] : [.init("\(range) of \(count) entries", .secondary)]
    case let verdict? where verdict.isWhole: return [.init("intact: all \(verdict.count) entries verified", .success)]
    case let verdict?:
      let bad = verdict.firstBad
      return [.init("DAMAGED: entry \(bad?.number ?? 0) of \(verdict.count) is \(bad?.fault.rawValue ?? "")", .error)]
    }
  }

  private var range: String {
    let first = first ?? max(1, count - Self.page + 1)
    return "\(first) to \(min(count, first + Self.page - 1))"
  }

  func start() -> [Effect] { [read()] }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      return []
    }
    return table.handle(event, in: Rect(size)) == nil ? nil : []
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = LogAction(rawValue: invocation.action) else { return [] }
    switch action {
    case .verify:
      showsInteractions = false
      let verifying = load("verify", "verifying the audit log") { [station] _ in
        try await station.records().verifyAudit()
      } then: { controller, verdict -> [Effect] in
        controller.verdict = verdict
        return [controller.read()]
      }
      return [verifying]
    case .older: first = max(1, (first ?? max(1, count - Self.page + 1)) - Self.page)
    case .newer:
      let next = (first ?? count) + Self.page
      first = next + Self.page > count ? nil : next
    case .other:
      showsInteractions.toggle()
      (table, message) = (TableState(Table(columns: [])), "loading …")
    case .reload: verdict = nil
    }
    return [read()]
  }

  private func read() -> Effect {
    if showsInteractions {
      return compute("read", "reading") { [station] _ in
        station.interactions(Self.page)
      } then: {
        $0.show(LogTables.interactions($1))
      }
    }
    return load("read", "reading") { [station, first] _ in
      let records = station.records()
      let count = try await records.auditCount()
      let first = first ?? max(1, count - Self.page + 1)
      return (entries: try await records.auditEntries(first..<first + Self.page), count: count)
    } then: { controller, part -> Void in
      controller.count = part.count
      controller.show(LogTables.audit(part.entries))
    } failed: { controller, failure in
      if case .failed(let report) = failure { controller.message = report.description }
      return []
    }
  }

  /// Shows a table from its end.
  private func show(_ table: Table) {
    (self.table, message) = (TableState(table), "no entries yet")
    _ = self.table.handle(.key(Key(.end)), in: Rect(size))
  }
}
