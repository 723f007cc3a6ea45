import PluginAPI
import PluginText

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
      run.onEnd = { result in self.tell(result, minimumQuality: minimum, context) }
      let results = try await run.capture(items, by: tickets)
      let check = CaptureCheck(review: review(context, records), records: records)
      for warning in await check.warnings(results) { tell("trouble", warning.item, warning.words, context) }
      // The list was left meanwhile, or locked.
      if !hasLists, links(context).isIdle { await leaveSensors() }
    } catch {
      let words = (error as? any ReportableError)?.report.message ?? "it could not be begun"
      for item in items { tell("finished", item.id, words, outcome: "not-captured", context) }
    }
  }

  /// Returns a run of captures with the settings of this station.
  func captureRun(_ context: any PluginContext, _ records: RecordStore) -> CaptureRun {
    let review = review(context, records)
    let minimum = context.setting(WSABISettings.minimumQuality).integer ?? 0
    return CaptureRun(
      links: links(context), records: records, retries: context.setting(WSABISettings.retries).integer ?? 0,
      minimumQuality: minimum > 0 ? minimum : nil, review: { try await review.review($0, of: $1) },
      turn: CaptureRun.Turn(
        take: { [weak self] isWanted in try await self?.beginCapturing(context, isWanted) ?? false },
        giveBack: { [weak self] in self?.endCapturing() }))
  }

  private func tell(_ result: CaptureRun.Result, minimumQuality: Int?, _ context: any PluginContext) {
    let problem = result.problem
    let reason = problem.map { _ in result.report.reason } ?? ""
    tell("finished", result.item.id, reason, outcome: problem?.word ?? "stored", context)
    for warning in CaptureCheck.warnings(result, minimumQuality: minimumQuality) {
      tell("trouble", warning.item, warning.words, context)
    }
  }

  private func tell(
    _ event: String, _ item: Int, _ reason: String, outcome: String? = nil, _ context: any PluginContext
  ) {
    if event == "finished", let outcome {
      let word = outcome == "stored" ? "ok" : outcome
      note(.command, "screen", "capture", target: "item \(item)", outcome: word, context)
    }
    context.notify(
      Self.sensorNoted,
      LinkNote.told(
        event,
        [
          "item": .integer(item), "outcome": .optional(outcome),
          "reason": .text(SanitizedText.line(reason, limit: 300)),
        ]))
  }

  /// Steals the lock of a sensor at the user's request, which is recorded in the audit log.
  func steal(
    _ address: SensorAddress, cancels: Bool, _ context: any PluginContext
  ) async throws -> OperationStatus {
    let records = records(context)
    try await records.checkPermission(.useSensors)
    let answer = try await SensorIntervention.steal.told(at: address, by: { try await records.append($0) }) {
      try await links(context).steal(address, cancels: cancels)
    }
    return answer.status
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
      let answer = try await SensorIntervention.cancel.told(at: address, by: { try await records.append($0) }) {
        try await link.ask(.cancel)
      }
      await Self.giveBack(link)
      return answer.status
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
    await resumeAndTell(context, isAsked: isAsked)
    await givenBack
    _ = try? await review(context, records(context)).reviewLeft(limit: .max)
  }

  private func resumeAndTell(_ context: any PluginContext, isAsked: Bool) async {
    let resumption = try? await resuming(context, beside: isAsked ? nil : SequenceRun())
    guard let finished = await resumption?.finished else {
      // A user who requested it must not wait forever.
      let busy = Set(operations.compactMap(\.item))
      for entry in (try? await records(context).unfinished()) ?? []
      where !entry.waiting.isEmpty && !busy.contains(entry.intent.item) {
        let words = "captures are under way; fetch it when they are done"
        tell("finished", entry.intent.item, words, outcome: "waiting", context)
      }
      return
    }
    for (entry, report) in finished {
      let problem = CaptureProblem(report, item: entry.intent.item)
      let reason = problem.map { _ in report.reason } ?? ""
      tell("finished", entry.intent.item, reason, outcome: problem?.word ?? "stored", context)
      guard !report.records.isEmpty, let item = try? await records(context).item(entry.intent.item) else { continue }
      for warning in CaptureCheck.warnings(report, item) { tell("trouble", item.id, warning.words, context) }
    }
  }
}

extension CaptureReport {
  /// The reason that not all of a capture is stored, without the item's number; empty if all is.
  var reason: String {
    let first = { (reasons: [SensorUUID: String]) in reasons.min { $0.key.key < $1.key.key }?.value }
    let words = first(waiting) ?? first(lost) ?? first(refused) ?? outcome.ending.reason
    return words.isEmpty ? troubles.first ?? "" : words
  }
}
