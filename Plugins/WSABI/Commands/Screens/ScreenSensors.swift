import PluginAPI
import PluginText

/// The sensors as screens access them; results arrive as notifications.
struct ScreenSensors: Sendable {
  /// Returns true if the user of the store may use sensors.
  var isAllowed: @Sendable () -> Bool = { true }
  /// Makes links ready.
  var connect: @Sendable ([SensorAddress]) -> Void
  /// Sets a sensor ahead of a capture.
  var configure: @Sendable (CaptureOrder) -> Void
  /// Captures items at once, and stores the captures, as the command does.
  var capture: @Sendable ([BiometricItem]) -> Void
  /// Cancels all operations of an item.
  var cancelItem: @Sendable (Int) -> Void
  /// Cancels an operation by its number.
  var cancelOperation: @Sendable (Int) -> Void
  /// The operations in progress.
  var operations: @Sendable () -> [PendingOperation]
  /// Requests the information of a service.
  var information: @Sendable (SensorAddress) async throws -> ServiceInformation
  /// Steals the lock of a sensor and, if requested, cancels the operation of its previous holder.
  var steal: @Sendable (SensorAddress, _ cancels: Bool) async throws -> OperationStatus
  /// Cancels a sensor's operation, even one of another client.
  var interrupt: @Sendable (SensorAddress) async throws -> OperationStatus
  /// Starts a live preview; nil if there is none.
  var preview: @Sendable (SensorAddress) -> ScreenPreview?
  /// Resumes captures of an earlier run; also those with data that was put off, if the user requests it.
  var resume: @Sendable (_ isAsked: Bool) -> Void
  /// Notes that a list of people is shown: sessions are kept for it.
  var beginList: @Sendable () -> Void = {}
  /// Notes that it is no longer shown; returns true if it was the last.
  var endList: @Sendable () -> Bool = { true }
  /// Releases all locks and sessions, unless a list is shown again by now.
  var leave: @Sendable () async -> Void = {}
  /// Starts background work that outlives its screen, and returns at once; the end of the program waits for it.
  var runInBackground: @Sendable (@escaping @Sendable () async -> Void) -> Void = { work in
    Task { await work() }
  }
  /// Searches for sensors that may capture a modality; only at the user's request.
  var discover: @Sendable (Modality) async throws -> [DiscoveredSensor] = { _ in [] }
}

extension ScreenSensors {
  /// Returns these sensors restricted by a permission: without it no link is prepared, no sensor set, nothing captured,
  /// and no live preview shown.
  ///
  /// Operations that steal or interrupt a sensor, and leftover data, are checked by the store itself.
  func allowed(if isAllowed: @escaping @Sendable () -> Bool) -> ScreenSensors {
    var allowed = self
    allowed.isAllowed = isAllowed
    allowed.connect = { if isAllowed() { connect($0) } }
    allowed.configure = { if isAllowed() { configure($0) } }
    allowed.capture = { if isAllowed() { capture($0) } }
    allowed.preview = { isAllowed() ? preview($0) : nil }
    return allowed
  }

  /// Creates the sensors from the links of a station.
  init(_ context: any PluginContext, _ station: Station) {
    self.init(
      connect: { addresses in Task { await station.links(context).connect(addresses) } },
      configure: { order in Task { await station.links(context).configureAhead(order) } },
      capture: { items in station.capture(items, context) },
      cancelItem: { item in station.links(context).cancel(item: item) },
      cancelOperation: { number in station.links(context).cancel(number) },
      operations: { station.links(context).operations },
      information: { address in
        let information = try await station.connection(address, context).serviceInformation()
        await station.links(context).hear(information, from: address)
        return information
      },
      steal: { address, cancels in try await station.steal(address, cancels: cancels, context) },
      interrupt: { address in try await station.interrupt(address, context) },
      preview: { address in
        let connection = station.connection(address, context)
        let preview = LivePreview(link: station.links(context).link(address), connection: connection)
        return ScreenPreview { onFrame in try await preview.follow { onFrame($0.bytes) } }
      },
      resume: { isAsked in Task { await station.resumeForScreens(context, isAsked: isAsked) } },
      beginList: { station.beginList() }, endList: { station.endList() },
      leave: { if !station.hasLists { await station.leaveSensors() } },
      runInBackground: { station.runInBackground($0) },
      discover: { modality in try await SensorFinding().sensors(for: modality, context, station.cameras) })
  }
}

/// The operations at sensors that screens begin; notifications report their outcome.
extension Station {
  /// Captures items as the `capture` command does: each capture is reviewed, repeated according to the settings, and
  /// checked for mixed-up fingers.
  ///
  /// The order is placed at once, and ends with its task.
  @discardableResult
  func capture(_ items: [BiometricItem], _ context: any PluginContext) -> Task<Void, Never> {
    let links = links(context)
    let tickets = items.map { links.ticket(item: $0.id) }
    return Task {
      await capture(items, by: tickets, context)
      for ticket in tickets { links.end(ticket) }
    }
  }

  private func capture(
    _ items: [BiometricItem], by tickets: [CaptureTicket], _ context: any PluginContext
  ) async {
    let records = records(context)
    do {
      try await records.checkPermission(.capture)
      var run = captureRun(context, records)
      let minimum = run.minimumQuality
      run.onEnd = { result in self.publish(result, minimumQuality: minimum, context) }
      let results = try await run.capture(items, by: tickets)
      let check = CaptureCheck(review: review(context, records), records: records)
      for warning in await check.warnings(results) { publish(.trouble, warning.item, warning.message, context) }
      // The list was left meanwhile, or locked.
      if !hasLists, links(context).isIdle { await leaveSensors() }
    } catch {
      let message = (error as? any ReportableError)?.report.message ?? "cannot start the capture"
      for item in items { publish(.finished, item.id, message, outcome: .notCaptured, context) }
    }
  }

  /// Returns a run of captures with the settings of this station.
  func captureRun(_ context: any PluginContext, _ records: RecordStore) -> CaptureRun {
    let review = review(context, records)
    let minimum = context[WSABISettings.minimumQuality]
    return CaptureRun(
      links: links(context), records: records, retries: context[WSABISettings.retries],
      minimumQuality: minimum > 0 ? minimum : nil, review: { try await review.review($0, of: $1) },
      turn: CaptureRun.Turn(
        take: { [weak self] isWanted in try await self?.beginCapturing(context, isWanted) ?? false },
        giveBack: { [weak self] in self?.endCapturing() }))
  }

  private func publish(_ result: CaptureRun.Result, minimumQuality: Int?, _ context: any PluginContext) {
    let problem = result.problem
    let reason = problem.map { _ in result.report.reason } ?? ""
    publish(.finished, result.item.id, reason, outcome: problem?.outcome ?? .stored, context)
    for warning in CaptureCheck.warnings(result, minimumQuality: minimumQuality) {
      publish(.trouble, warning.item, warning.message, context)
    }
  }

  private func publish(
    _ kind: SensorEvent.Kind, _ item: Int, _ reason: String, outcome: CapturedItem.Outcome? = nil,
    _ context: any PluginContext
  ) {
    if kind == .finished, let outcome {
      let word = outcome == .stored ? "ok" : outcome.rawValue
      note(.command, "screen", "capture", target: "item \(item)", outcome: word, context)
    }
    let event = SensorEvent(
      kind: kind, item: item, outcome: outcome?.rawValue, reason: SanitizedText.line(reason, limit: 300))
    context.notify(Self.sensorNoted, event.fieldValue)
  }

  /// Steals the lock of a sensor at the user's request, which is recorded in the audit log.
  func steal(
    _ address: SensorAddress, cancels: Bool, _ context: any PluginContext
  ) async throws -> OperationStatus {
    let records = records(context)
    try await records.checkPermission(.useSensors)
    let response = try await SensorIntervention.steal.perform(at: address, logging: { try await records.append($0) }) {
      try await links(context).steal(address, cancels: cancels)
    }
    return response.status
  }

  /// Cancels a sensor's operation, with a lock that is free.
  ///
  /// The audit log records it, as another client began the operation.
  func interrupt(_ address: SensorAddress, _ context: any PluginContext) async throws -> OperationStatus {
    let records = records(context)
    try await records.checkPermission(.useSensors)
    let link = links(context).link(address)
    do {
      let locked = try await link.ask(.tryLock)
      guard locked.status == .success else { return locked.status }
      let response = try await SensorIntervention.cancel.perform(at: address, logging: { try await records.append($0) })
      {
        try await link.ask(.cancel)
      }
      await Self.giveBack(link)
      return response.status
    } catch {
      await Self.giveBack(link)
      throw error
    }
  }

  /// Releases a lock, whatever the result of the operation that needed it, even in a canceled task.
  private static func giveBack(_ link: SensorLink) async {
    await Task { _ = try? await link.ask(.unlock) }.value
  }

  /// Resumes leftover captures, and reports the new state of each.
  ///
  /// - Parameter isAsked: True if the user requested it: data that was put off is downloaded too.
  func resumeForScreens(_ context: any PluginContext, isAsked: Bool) async {
    async let givenBack: Void = links(context).giveBackLeft()
    await resumeAndPublish(context, isAsked: isAsked)
    await givenBack
    _ = try? await review(context, records(context)).reviewLeft(limit: .max)
  }

  private func resumeAndPublish(_ context: any PluginContext, isAsked: Bool) async {
    let resumption = try? await resuming(context, beside: isAsked ? nil : SequenceRun())
    guard let finished = await resumption?.finished else {
      // A user who requested it must not wait forever.
      let busy = Set(operations.compactMap(\.item))
      for entry in (try? await records(context).unfinished()) ?? []
      where !entry.waiting.isEmpty && !busy.contains(entry.intent.item) {
        let message = "captures are under way; download the data when they have finished"
        publish(.finished, entry.intent.item, message, outcome: .waiting, context)
      }
      return
    }
    for (entry, report) in finished {
      let problem = CaptureProblem(report, item: entry.intent.item, at: entry.intent.address.text)
      let reason = problem.map { _ in report.reason } ?? ""
      publish(.finished, entry.intent.item, reason, outcome: problem?.outcome ?? .stored, context)
      guard !report.records.isEmpty, let item = try? await records(context).item(entry.intent.item) else { continue }
      for warning in CaptureCheck.warnings(report, item) { publish(.trouble, item.id, warning.message, context) }
    }
  }
}

extension CaptureReport {
  /// The reason that not all of a capture is stored, without the item's number; empty if all is.
  var reason: String {
    let message = waiting.firstReason ?? lost.firstReason ?? refused.firstReason ?? outcome.ending.reason
    return message.isEmpty ? troubles.first ?? "" : message
  }
}

extension LinkNote {
  /// The note for use outside the plugin.
  var value: Value { event.fieldValue }

  private var event: SensorEvent {
    switch self {
    case .connected(let address, let isReady):
      SensorEvent(kind: .connected, address: address.text, isReady: isReady)
    case .stepped(let address, let step, let status):
      SensorEvent(kind: .step, address: address.text, operation: step.operation.rawValue, status: status?.word)
    case .capturing(let item, let address): SensorEvent(kind: .capturing, item: item, address: address.text)
    case .waiting(let item, let address, let status, let milliseconds):
      SensorEvent(
        kind: .waiting, item: item, address: address.text, status: status.word, milliseconds: milliseconds)
    case .held(let address, let message): SensorEvent(kind: .held, address: address.text, message: message)
    case .captured(let item, let address, let ids):
      SensorEvent(kind: .captured, item: item, address: address.text, count: ids.count)
    case .stored(let item, let record): SensorEvent(kind: .stored, item: item, capture: record.id)
    case .lost(let item, let address, _, let reason):
      SensorEvent(kind: .lost, item: item, address: address.text, reason: reason)
    case .prepared(let item, let address, let outcome): Self.event(.prepared, item, address, outcome)
    case .ended(let item, let address, let outcome): Self.event(.ended, item, address, outcome)
    case .trouble(let item, let address, let reason):
      SensorEvent(kind: .trouble, item: item, address: address.text, reason: reason)
    case .stolen(let address): SensorEvent(kind: .stolen, address: address.text)
    case .leftLock(let address, let isGivenBack):
      SensorEvent(kind: .leftLock, address: address.text, isGivenBack: isGivenBack)
    case .lockKept(let address): SensorEvent(kind: .lockKept, address: address.text)
    }
  }

  private static func event(
    _ kind: SensorEvent.Kind, _ item: Int, _ address: SensorAddress, _ outcome: SequenceOutcome
  ) -> SensorEvent {
    SensorEvent(
      kind: kind, item: item, address: address.text, status: outcome.ending.status?.word,
      outcome: outcome.ending.word, reason: SanitizedText.line(outcome.ending.reason, limit: 300))
  }
}

extension SequenceOutcome.Ending {
  /// The status with which a service refused a step; nil for other endings.
  fileprivate var status: OperationStatus? {
    if case .refused(_, let status, _, _) = self { return status }
    return nil
  }

  /// The reason there is no captured data; empty if there is data, or nothing to report.
  var reason: String {
    switch self {
    case .done, .captured, .givenUp: ""
    case .refused(_, let status, let message, _):
      message.isEmpty ? status.saying : "\(status.saying): \(message)"
    case .failed(_, let reason, _), .unknown(let reason): reason
    }
  }

  /// A word for scripts: `done`, `captured`, `refused`, `failed`, `unknown`, `given-up`.
  var word: String {
    switch self {
    case .done: "done"
    case .captured: "captured"
    case .refused: "refused"
    case .failed: "failed"
    case .unknown: "unknown"
    case .givenUp: "given-up"
    }
  }
}

extension OperationStatus {
  /// A description of the refusal for people.
  fileprivate var saying: String {
    switch self {
    case .sensorTimeout: "no one used the sensor in time"
    case .sensorFailure: "the sensor failed"
    case .canceledWithSensorFailure: "the capture was canceled, and the sensor failed"
    case .sensorBusy: "the sensor is busy"
    case .lockHeldByAnother: "another client holds the lock"
    case .success, .failure, .invalidID, .canceled, .lockNotHeld, .initializationNeeded, .configurationNeeded,
      .unsupported,
      .badValue, .noSuchParameter, .preparingDownload, .unknown:
      "the service responded with '\(word)'"
    }
  }
}
