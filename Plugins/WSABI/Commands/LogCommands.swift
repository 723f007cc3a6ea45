import PluginAPI
import PluginText

/// Commands that show the logs.
enum LogCommands {
  static let all = [log, interactions]

  static let log = WSABICommand(
    CommandDescription(
      "log", "shows the audit log, or proves that it is whole",
      output: .model(AuditPage.self)
    ).taking(
      options: [
        Parameter("verify", .flag, "look over all of it; an entry that was changed, removed or moved is named"),
        Parameter("head", .flag, "print the number and code of the last entry, to note elsewhere"),
        Parameter("noted", .text, "a head that was noted before, which the log must still have; implies '--verify'"),
        Parameter("from", .integer(minimum: 1, maximum: .max), "the first entry; the last 100 if it is left out"),
        Parameter("limit", .integer(minimum: 0, maximum: 100_000), "how many at most", defaultValue: 100),
        Parameter("person", .integer(minimum: 1, maximum: .max), "only what was done to a person").completedByPeople(),
        Parameter("item", .integer(minimum: 1, maximum: .max), "only what was done to an item").completedByItems(),
        StationKey.option,
      ]
    ).explained(
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
    let noted = call.text("noted")
    let notedHead = AuditHead(noted)
    if !noted.isEmpty, notedHead == nil { throw StationError.badHead(noted) }
    let verdict = call.flag("verify") || notedHead != nil ? try await records.verifyAudit() : nil
    let head = call.flag("head") ? try await records.auditHead() : nil
    let count: Int
    if let verdict { count = verdict.count } else { count = try await records.auditCount() }
    let limit = call["limit"].integer ?? 100
    let (person, item) = (call["person"].integer, call["item"].integer)
    var entries: [AuditEntry] = []
    if limit > 0, verdict?.isWhole ?? true {
      let isFiltered = person != nil || item != nil
      let first = call["from"].integer ?? (isFiltered ? 1 : max(1, count - limit + 1))
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

  static let interactions = WSABICommand(
    CommandDescription(
      "interactions", "shows what users did at this station, without what they said",
      output: .init(.list(.record(Interaction.columns.map { .init($0, .text, "the column '\($0)'") })))
    ).taking(
      options: [Parameter("limit", .integer(minimum: 1, maximum: 100_000), "how many at most", defaultValue: 100)]
    ).explained(
      "Settings switch each kind off: 'config list' shows them. Eight files of 1 MB are kept in the state folder.",
      examples: [.init("interactions --limit 10", "the last ten")])
  ) { call, station in
    let entries = station.interactions(call.context).entries(call["limit"].integer ?? 100)
    try await call.emit(
      .list(
        entries.map { columns in
          .record(Record(zip(Interaction.columns, columns).map { Record.Field($0, .text($1)) }))
        }))
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
