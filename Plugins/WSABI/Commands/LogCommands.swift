import PluginAPI
import PluginText

/// Commands that show the logs.
enum LogCommands {
  static let all = [log, interactions]

  private static let entryFields: [ValueSchema.Field] = [
    .init("number", .integer, "from 1, without gaps"), .init("at", .date, "when"),
    .init("user", .text, "who; empty before anybody opened the store"),
    .init("role", .optional(.text), "what they were there for"), .init("action", .text, "what was done"),
    .init("person", .optional(.integer), "to which person"), .init("item", .optional(.integer), "to which item"),
    .init("capture", .optional(.integer), "to which capture"),
    .init("address", .optional(.text), "at which sensor"),
    .init(
      "session", .optional(.text), "the session it was asked with, which may be open still; a secret as long as it is"),
    .init("captureId", .optional(.text), "the service's id of the data"),
    .init("sha256", .optional(.text), "of the data, in hexadecimal digits"),
    .init("outcome", .text, "how it ended; empty where all went as the action says"),
  ]

  static let log = WSABICommand(
    CommandDescription(
      "log", "shows the audit log, or proves that it is whole",
      output: .init(
        .record([
          .init("count", .integer, "how many entries there are"),
          .init("isWhole", .optional(.bool), "whether it is as it was written; null if that was not asked"),
          .init("firstBad", .optional(.integer), "the first entry that is not as it was written"),
          .init("fault", .optional(.text), "what is wrong with it"),
          .init("entries", .list(.record(entryFields)), "the entries, the oldest first"),
          .init("head", .optional(.text), "the last entry by number and code, with '--head'"),
        ]), typeName: WSABIValueType.log)
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
    let value: Value = [
      "count": .integer(count), "isWhole": verdict.map { .bool($0.isWhole) } ?? .null,
      "firstBad": .optional(verdict?.firstBad?.number), "fault": .optional(verdict?.firstBad?.fault.rawValue),
      "entries": .list(entries.map(entry)), "head": .optional(head?.text),
    ]
    try await call.emit(value.typed(WSABIValueType.log))
    if verdict?.isWhole == true, let notedHead, try await !records.contains(notedHead) {
      throw StationError.logReplaced(entry: notedHead.number)
    }
    if let bad = verdict?.firstBad { throw StationError.logDamaged(entry: bad.number, fault: bad.fault.rawValue) }
  }

  private static func entry(_ entry: AuditEntry) -> Value {
    let event = entry.event
    return [
      "number": .integer(entry.number), "at": .date(entry.at), "user": .text(entry.user),
      "role": .optional(entry.role?.rawValue), "action": .text(event.action.rawValue),
      "person": .optional(event.person), "item": .optional(event.item), "capture": .optional(event.capture),
      "address": .optional(event.address), "session": .optional(event.session?.text),
      "captureId": .optional(event.captureID?.text),
      "sha256": event.sha256.isEmpty ? .null : .text(Hexadecimal.text(event.sha256)),
      "outcome": .text(event.outcome),
    ]
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
