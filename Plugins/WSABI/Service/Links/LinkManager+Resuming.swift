import PluginAPI

extension LinkManager {
  /// Goes on with what an earlier process left.
  ///
  /// Data that is at the services still is fetched; what was asked without an answer is named as unknown. Nothing is
  /// captured again.
  ///
  /// - Returns: A report for each, oldest first.
  func resume() async throws -> [CaptureReport] {
    let entries = try await journal.unfinished()
    // A sensor that is gone keeps nobody waiting but itself.
    let groups = Dictionary(grouping: entries.indices) { entries[$0].intent.address }
    var reports: [Int: CaptureReport] = [:]
    await withTaskGroup(of: [Int: CaptureReport].self) { group in
      for places in groups.values {
        group.addTask {
          var found: [Int: CaptureReport] = [:]
          for place in places { found[place] = await self.resume(entries[place]) }
          return found
        }
      }
      for await found in group { reports.merge(found) { $1 } }
    }
    return entries.indices.compactMap { reports[$0] }
  }

  private func resume(_ entry: UnfinishedCapture) async -> CaptureReport {
    let order = CaptureOrder(
      item: entry.intent.item, address: entry.intent.address, configuration: entry.intent.configuration)
    var report = CaptureReport(outcome: SequenceOutcome(ending: .captured(entry.waiting)))
    if entry.waiting.isEmpty {
      let reason = "the program ended before the sensor answered"
      report.outcome.ending = .unknown(reason: reason)
      do {
        try await journal.end(entry.number, .unknown(reason: reason))
      } catch {
        report.troubles.append((error as? any ReportableError)?.report.message ?? "the journal cannot be written")
      }
      onNote(.ended(item: order.item, order.address, report.outcome))
    }
    let run = begin(order.address, item: order.item, SequenceRun.CaptureHooks())
    await fetch(entry.waiting, entry.number, order, run.run, run.number, into: &report)
    end(run.number)
    return report
  }
}
