import PluginAPI

/// The audit log, one part at a time, newest first, with the interaction log beside it.
///
/// Reading the log adds an entry to it, so the screen does not follow the store on its own.
@MainActor final class LogController: Controller {
  static let reading: EffectID = "read"
  static let verifying: EffectID = "verify"

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("verify", "Prove that the audit log is whole", keys: ["V"]),
    ScreenAction("older", "Entries before these", keys: ["o"]),
    ScreenAction("newer", "Entries after these", keys: ["n"]),
    ScreenAction("other", "The other log: audit, or what was done on screens", keys: ["tab"]),
    ScreenAction("reload", "Read it again", keys: ["r"]),
  ]

  /// The number of entries shown at a time.
  private nonisolated static let page = 500

  /// A part of the audit log.
  private struct Part: Sendable {
    var entries: [AuditEntry]
    var count: Int
  }

  private let station: ScreenStation
  private var table = TableState(Table(columns: []))
  private var showsInteractions = false
  private var size = Size(width: 0, height: 0)
  private var hasStarted = false
  private var message = "reading …"
  private var verdict: AuditVerdict?
  /// The number of the first entry that is shown, from 1; nil for the newest.
  private var first: Int?
  private var count = 0

  init(_ station: ScreenStation) { self.station = station }

  var title: String { showsInteractions ? "Interaction log" : "Audit log" }
  var view: any View { LogView(title: title, table: table, message: message) }

  var status: [StyledText.Run] {
    if showsInteractions { return [.init("what was done on screens, never which values", .secondary)] }
    switch verdict {
    case nil: return count == 0 ? [] : [.init("\(range) of \(count) entries", .secondary)]
    case let verdict? where verdict.isWhole: return [.init("whole: all \(verdict.count) entries as written", .success)]
    case let verdict?:
      let bad = verdict.firstBad
      return [.init("NOT whole: entry \(bad?.number ?? 0) of \(verdict.count) is \(bad?.fault.rawValue ?? "")", .error)]
    }
  }

  private var range: String {
    let first = first ?? max(1, count - Self.page + 1)
    return "\(first) to \(min(count, first + Self.page - 1))"
  }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      if hasStarted { return [] }
      hasStarted = true
      return station.leaving ?? read()
    }
    switch table.handle(event, in: Rect(size)) {
    case nil: return nil
    default: return []
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "verify":
      let records = station.records()
      showsInteractions = false
      return [
        .compute(Self.verifying, label: "looking over the audit log") { _ in
          try Waiting.value { try await records.verifyAudit() }
        }
      ]
    case "older": first = max(1, (first ?? max(1, count - Self.page + 1)) - Self.page)
    case "newer":
      let next = (first ?? count) + Self.page
      first = next + Self.page > count ? nil : next
    case "other":
      showsInteractions.toggle()
      (table, message) = (TableState(Table(columns: [])), "reading …")
    case "reload": verdict = nil
    default: return []
    }
    return read()
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .finished(Self.reading, let part as Part) where !showsInteractions:
      (count, self.message) = (part.count, "nothing is written yet")
      show(LogTables.audit(part.entries))
    case .finished(Self.reading, let lines as [[String]]) where showsInteractions:
      self.message = "nothing is written yet"
      show(LogTables.interactions(lines))
    case .finished(Self.verifying, let verdict as AuditVerdict):
      self.verdict = verdict
      return read()
    case .failed(Self.reading, let report):
      self.message = report.description
      return station.leaving ?? []
    case .failed(_, let report): return station.leaving ?? [.status(Diagnostic(report, .error))]
    case .notification: return station.leaving ?? []
    default: break
    }
    return []
  }

  /// Shows a table from its end.
  private func show(_ table: Table) {
    self.table = TableState(table)
    _ = self.table.handle(.key(Key(.end)), in: Rect(size))
  }

  private func read() -> [Effect] {
    let (station, first) = (station, first)
    if showsInteractions {
      return [.compute(Self.reading, label: "reading") { _ in station.interactions(Self.page) }]
    }
    let records = station.records()
    return [
      .compute(Self.reading, label: "reading") { _ in
        try Waiting.value {
          let count = try await records.auditCount()
          let first = first ?? max(1, count - Self.page + 1)
          return Part(entries: try await records.auditEntries(first..<first + Self.page), count: count)
        }
      }
    ]
  }
}
