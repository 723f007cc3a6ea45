import PluginAPI

/// Commands that show the logs.
enum LogCommands {
  static let all = [log, interactions]

  private static let verify = Option(
    flag: "verify", "Check all entries and report a changed, removed or moved one")
  private static let head = Option(
    flag: "head", "Print the number and code of the last entry, to note elsewhere")
  private static let noted = Option(
    "noted", String.self, "Head noted earlier, which the log must still contain; implies '--verify'")
  private static let from = Option(
    "from", Int.self, kind: .recordNumber, "First entry; the last 100 entries if omitted")
  private static let limit = Option("limit", in: 0...100_000, "Maximum number of entries", default: 100)
  private static let person = Option(
    "person", Int.self, kind: .recordNumber, "Only entries about a person"
  ).completedByPeople()
  private static let item = Option("item", Int.self, kind: .recordNumber, "Only entries about an item")
    .completedByItems()

  static let log = WSABICommand(
    CommandDescription(
      "log", "Show the audit log, or verify it",
      output: .model(AuditPage.self)
    ).taking(verify, head, noted, from, limit, person, item, StationKey.option).explained(
      """
      Entries form a hash chain. '--verify' reports an entry that was changed, removed or moved, and the command ends \
      with status 5. Entries name the records, never their content. A folder restored as a whole looks intact: note \
      the head elsewhere, and check it with '--noted'. 'store change-master-key' changes the codes of all entries; \
      note the head again after it.
      """,
      examples: [
        .init("log --verify --limit 0", "Only the verification"),
        .init("log --head --limit 0", "The head to note elsewhere"),
        .init("log --item 3", "The history of an item"),
      ])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let notedHead = try call[noted].map { text in
      guard let head = AuditHead(text) else { throw StationError.badHead(text) }
      return head
    }
    let verdict = call[verify] || notedHead != nil ? try await records.verifyAudit() : nil
    let head = call[head] ? try await records.auditHead() : nil
    let count: Int
    if let verdict { count = verdict.count } else { count = try await records.auditCount() }
    let limit = call[limit]
    let (person, item) = (call[person], call[item])
    var entries: [AuditEntry] = []
    if limit > 0, verdict?.isWhole ?? true {
      let isFiltered = person != nil || item != nil
      let first = call[from] ?? (isFiltered ? 1 : max(1, count - limit + 1))
      let end = isFiltered ? count + 1 : min(count, min(first, count) + limit - 1) + 1
      entries = try await records.auditEntries(first..<max(first, end)).filter { entry in
        (person == nil || entry.event.person == person) && (item == nil || entry.event.item == item)
      }
      if isFiltered { entries = Array(entries.suffix(limit)) }
    }
    try await call.emit(AuditPage(count: count, verdict: verdict, entries: entries, head: head))
    if verdict?.isWhole == true, let notedHead, try await !records.contains(notedHead) {
      throw StationError.logReplaced(entry: notedHead.number)
    }
    if let bad = verdict?.firstBad { throw StationError.logDamaged(entry: bad.number, fault: bad.fault.rawValue) }
  }

  private static let interactionLimit = Option("limit", in: 1...100_000, "Maximum number of entries", default: 100)

  static let interactions = WSABICommand(
    CommandDescription(
      "interactions", "Show actions of users at this station",
      output: .list(of: LoggedInteraction.self)
    ).taking(interactionLimit).explained(
      "Typed text is not logged. Settings switch off each kind of action; see 'config list'. The log is in the state "
        + "folder, in at most eight files of 1 MB.",
      examples: [.init("interactions --limit 10", "The last ten")])
  ) { call, station in
    let entries = station.interactions(call.context).entries(call[interactionLimit])
    try await call.emit(list: entries.map(LoggedInteraction.init))
  }
}

/// An entry of the interaction log, by columns.
private struct LoggedInteraction: Model {
  let columns: [String]

  static let typeName = "wsabi.interaction"
  static let fields = Fields<LoggedInteraction> {
    return Interaction.columns.enumerated().map { index, name in
      Field(name, { $0.columns[index] }, "Column '\(name)'")
    }
  }
}
