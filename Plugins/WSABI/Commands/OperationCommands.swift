import PluginAPI

/// Commands about captures in progress, here or in other processes, and about leftover ones.
enum OperationCommands {
  static let all = [list, resume, cancel, discard]

  static let list = WSABICommand(
    CommandDescription(
      "operations", "List captures that are under way or left by earlier runs",
      output: .list(of: ListedOperation.self, typeName: WSABIValueType.operations)
    ).taking(StationKey.option).explained(
      """
      Entries of the journal are visible from every process. A capture with unknown outcome is listed until its item \
      has data or is captured again.
      """, examples: [.init("operations", "All captures that are not finished")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let open = try await records.unfinished()
    var own = station.operations
    var rows: [ListedOperation] = []
    for entry in open {
      let index = own.firstIndex { $0.item == entry.intent.item && $0.address == entry.intent.address }
      let here = index.map { own.remove(at: $0) }
      rows.append(
        ListedOperation(
          number: entry.number, item: entry.intent.item, address: entry.intent.address,
          stage: here.map { text($0.stage) } ?? text(entry), waiting: entry.waiting.count, began: here?.began))
    }
    for operation in own {
      rows.append(
        ListedOperation(
          item: operation.item, address: operation.address, stage: text(operation.stage), began: operation.began))
    }
    let listed = Set(open.map(\.number))
    for entry in try await records.unknownCaptures() where !listed.contains(entry.number) {
      rows.append(
        ListedOperation(
          number: entry.number, item: entry.intent.item, address: entry.intent.address,
          stage: "ended with unknown outcome"))
    }
    try await call.emit(list: rows, typeName: WSABIValueType.operations)
  }

  private static func text(_ stage: PendingOperation.Stage) -> String {
    switch stage {
    case .queued: "waiting for its turn"
    case .asking(let step): step.operation.words
    case .waiting(let status): "waits: \(status.word)"
    case .downloading: "downloading data"
    case .canceling: "being canceled"
    }
  }

  private static func text(_ entry: UnfinishedCapture) -> String {
    if !entry.waiting.isEmpty { return "data to be downloaded" }
    return entry.outcome == nil ? "requested, without a response" : "ended"
  }

  static let resume = WSABICommand(
    CommandDescription(
      "operations resume", "Finish captures of earlier runs: download data, release locks",
      output: .list(of: CapturedItem.self, typeName: WSABIValueType.capturedItems),
      effects: [.reads, .writes, .network]
    ).taking(StationKey.option).explained(
      """
      Downloads data that is still at sensors, including data that was too large or too slow for 'capture'. It \
      captures nothing. Captures stored but not scored by a killed run are scored. Locks of killed runs, and unused \
      locks of 'sensor steal', are released; a lock that its sensor does not release for a day is forgotten. The \
      status is 6 while data is still at a sensor, and 0 if nothing is left. It is also 0 while captures are under \
      way; then nothing is resumed.
      """,
      examples: [.init("operations resume", "After a crash, or when a sensor is back")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let stopwatch = Stopwatch()
    let leftLocks = LeftLocks(call, station, stolen: true)
    let resumed: [(entry: UnfinishedCapture, report: CaptureReport)]?
    do {
      resumed = try await station.resumed(call.context)
    } catch {
      await leftLocks.end(waits: false)
      throw error
    }
    await leftLocks.end(waits: true)
    guard let finished = resumed else {
      call.warn(notResumed)
      // Another process may be downloading the data at the sensors.
      return try await call.emit(list: [CapturedItem](), typeName: WSABIValueType.capturedItems)
    }
    let scored = try await station.review(call.context, records).reviewLeft(limit: .max)
    if scored > 0 {
      call.warn(
        Diagnostic(
          .note, code: "wsabi.scored-later",
          "scored captures that an earlier run stored: \(scored)"))
    }
    let elapsed = stopwatch.milliseconds
    var rows: [CapturedItem] = []
    for (entry, report) in finished {
      let item = try await records.item(entry.intent.item)
      let warnings = CaptureCheck.warnings(report, item)
      for warning in warnings { call.warn(warning.diagnostic) }
      rows.append(
        CapturedItem(
          report: report, item: item, warnings: warnings, address: entry.intent.address.text, attempts: 1,
          milliseconds: elapsed))
    }
    try await call.emit(list: rows, typeName: WSABIValueType.capturedItems)
    try checkLeft(finished.map(\.report.waiting.count))
  }

  /// Throws an error if data is still at sensors.
  ///
  /// - Parameter counts: The number of awaited ids of each capture.
  private static func checkLeft(_ counts: [Int]) throws(ErrorReport) {
    let ids = counts.reduce(0, +)
    if ids > 0 { throw CaptureProblem.left(captures: counts.count { $0 > 0 }, ids: ids) }
  }

  static let notResumed = Diagnostic(
    .note, code: "wsabi.not-resumed",
    "captures are under way, here or in another process; nothing was resumed",
    advice: "run 'operations resume' when they have finished")

  private static let number = Argument(
    "number", Int.self, kind: .recordNumber, "Number in the list of 'operations'")

  static let cancel = WSABICommand(
    CommandDescription(
      "operations cancel", "Cancel a capture under way, in any process",
      output: .model(CanceledOperation.self), effects: [.reads, .network]
    ).taking(number, StationKey.option).explained(
      "Cancels at the sensor on a separate connection. The process that waits for the capture receives the cancellation.",
      examples: [.init("operations cancel 12", "Number 12 of 'operations'")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    try await records.checkPermission(.capture)
    let entry = try await entry(call, records)
    if station.operations.contains(where: { $0.item == entry.intent.item }) {
      station.links(call.context).cancel(item: entry.intent.item)
      return try await call.emit(CanceledOperation(isCanceled: true))
    }
    guard entry.outcome == nil else { return try await call.emit(CanceledOperation(isCanceled: false)) }
    let connection = station.connection(entry.intent.address, call.context)
    // Another process requested it.
    let intent = entry.intent
    let response = try await SensorIntervention.cancel.perform(
      at: intent.address, item: intent.item, logging: { try await records.append($0) }
    ) {
      try await connection.ask(SensorRequest(.cancel, session: intent.session, deadlineInSeconds: 10))
    }
    try await call.emit(CanceledOperation(isCanceled: response.status == .success))
  }

  static let discard = WSABICommand(
    CommandDescription(
      "operations discard", "Give up data that cannot be downloaded",
      output: .model(DiscardedData.self), effects: [.reads, .writes, .deletes]
    ).taking(number, PersonCommands.yes, StationKey.option, StationKey.standardInput).explained(
      """
      The audit log records the ids. The data stays at the sensor. The command asks for the key of the store, as the \
      data may be impossible to capture again. No capture may be under way.
      """,
      examples: [
        .init("operations discard 12 --yes", "A sensor that is permanently gone; in a script, with a key file")
      ])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station, for: .clearCaptures)
    try await records.checkPermission(.clearCaptures)
    let seen = try await entry(call, records)
    try await PersonCommands.confirm(call, "give up the data at the sensor (captures: \(seen.waiting.count))")
    try await key.confirm(records, .clearCaptures)
    let discarded = try await station.withoutCaptures(call.context) {
      // Data fetched since the confirmation is no longer given up, and later data was not part of the confirmation.
      let entry = try await entry(call, records)
      let given = entry.waiting.filter(seen.waiting.contains)
      for id in given { try await records.lost(entry.number, id, because: "given up by a user") }
      if entry.outcome == nil { try await records.end(entry.number, .unknown(reason: "given up by a user")) }
      return given.count
    }
    try await call.emit(DiscardedData(count: discarded))
  }

  private static func entry(_ call: CommandCall, _ records: RecordStore) async throws -> UnfinishedCapture {
    let number = call[number]
    guard let entry = try await records.unfinished().first(where: { $0.number.value == number }) else {
      throw VaultError.noJournalEntry(number)
    }
    return entry
  }
}

/// The result of a cancel.
private struct CanceledOperation: Model {
  let isCanceled: Bool

  static let typeName = "wsabi.canceled-operation"
  static let fields = Fields<CanceledOperation> {
    Field("canceled", \.isCanceled, "True if the cancellation was sent to the sensor")
  }
}

/// The number of ids whose data was given up.
private struct DiscardedData: Model {
  let count: Int

  static let typeName = "wsabi.discarded-data"
  static let fields = Fields<DiscardedData> { Field("discarded", \.count, "Number of ids given up") }
}
