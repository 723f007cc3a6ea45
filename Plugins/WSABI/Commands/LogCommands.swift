import PluginAPI
import PluginText

/// Commands that show the logs.
enum LogCommands {
  static let all = [log, interactions]

  private static let verify = Option(
    flag: "verify", "look over all of it; an entry that was changed, removed or moved is named")
  private static let head = Option(
    flag: "head", "print the number and code of the last entry, to note elsewhere")
  private static let noted = Option(
    "noted", String.self, "a head that was noted before, which the log must still have; implies '--verify'")
  private static let from = Option(
    "from", Int.self, kind: .recordNumber, "the first entry; the last 100 if it is left out")
  private static let limit = Option("limit", in: 0...100_000, "how many at most", default: 100)
  private static let person = Option(
    "person", Int.self, kind: .recordNumber, "only what was done to a person"
  ).described { $0.completedByPeople() }
  private static let item = Option("item", Int.self, kind: .recordNumber, "only what was done to an item").described {
    $0.completedByItems()
  }

  static let log = WSABICommand(
    CommandDescription(
      "log", "shows the audit log, or proves that it is whole",
      output: .model(AuditPage.self)
    ).taking(verify, head, noted, from, limit, person, item, StationKey.option).explained(
      """
      Entries are chained: none can be changed, removed or moved without '--verify' naming it, and the command then \
      ends with status 5. They tell which records were touched, never what these say. A folder that was put back as a whole \
      looks untouched: note the head elsewhere, and '--noted' proves that the log still has it. 'store change-master-key' \
      gives all entries new codes; note the head anew after it.
      """,
      examples: [
        .init("log --verify --limit 0", "only the proof"), .init("log --head --limit 0", "what to note elsewhere"),
        .init("log --item 3", "the story of an item"),
      ])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let notedText = call[noted] ?? ""
    let notedHead = AuditHead(notedText)
    if !notedText.isEmpty, notedHead == nil { throw StationError.badHead(notedText) }
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

  private static let interactionLimit = Option("limit", in: 1...100_000, "how many at most", default: 100)

  static let interactions = WSABICommand(
    CommandDescription(
      "interactions", "shows what users did at this station, without what they said",
      output: .list(of: LoggedInteraction.self)
    ).taking(interactionLimit).explained(
      "Settings switch each kind off: 'config list' shows them. Eight files of 1 MB are kept in the state folder.",
      examples: [.init("interactions --limit 10", "the last ten")])
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
      Field(name, { $0.columns[index] }, "the column '\(name)'")
    }
  }
}

/// Entries of the audit log, with the result of its verification.
private struct AuditPage: Model {
  let count: Int
  let verdict: AuditVerdict?
  let entries: [AuditEntry]
  let head: AuditHead?

  static let typeName = WSABIValueType.log
  static let fields = Fields<AuditPage> {
    Field("count", \.count, "how many entries there are")
    Field("isWhole", \.verdict?.isWhole, "whether it is as it was written; null if that was not asked")
    Field("firstBad", \.verdict?.firstBad?.number, "the first entry that is not as it was written")
    Field("fault", \.verdict?.firstBad?.fault.rawValue, "what is wrong with it")
    Field("entries", \.entries, "the entries, the oldest first")
    Field("head", \.head?.text, "the last entry by number and code, with '--head'")
  }
}

extension AuditEntry: Model {
  static let typeName = "wsabi.audit-entry"
  static let fields = Fields<AuditEntry> {
    Field("number", \.number, "from 1, without gaps")
    Field("at", \.at, "when")
    Field("user", \.user, "who; empty before anybody opened the store")
    Field("role", \.role?.rawValue, "what they were there for")
    Field("action", \.event.action.rawValue, "what was done")
    Field("person", \.event.person, "to which person")
    Field("item", \.event.item, "to which item")
    Field("capture", \.event.capture, "to which capture")
    Field("address", \.event.address, "at which sensor")
    Field(
      "session", \.event.session?.text,
      "the session it was asked with, which may be open still; a secret as long as it is")
    Field("captureId", \.event.captureID?.text, "the service's id of the data")
    Field(
      "sha256", { $0.event.sha256.isEmpty ? nil : Hexadecimal.text($0.event.sha256) },
      "of the data, in hexadecimal digits")
    Field("outcome", \.event.outcome, "how it ended; empty where all went as the action says")
  }
}
