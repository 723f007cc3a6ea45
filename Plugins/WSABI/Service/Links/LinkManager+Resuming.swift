import PluginAPI

extension LinkManager {
  /// Goes on with what an earlier process left: all of it, oldest first.
  func resume() async throws -> [CaptureReport] { await finish(try await leftOver()) }

  /// What an earlier process left, oldest first; what was asked without an answer is named as unknown.
  ///
  /// Nothing may be under way: it would be taken for left over.
  func leftOver() async throws -> [UnfinishedCapture] {
    let entries = try await journal.unfinished()
    for entry in entries where entry.waiting.isEmpty {
      // What cannot be written down now stays unfinished, and hides nothing of the others.
      do {
        try await journal.end(entry.number, .unknown(reason: Self.unanswered))
      } catch {
        let reason = (error as? any ReportableError)?.report.message ?? "the journal cannot be written"
        onNote(.trouble(item: entry.intent.item, entry.intent.address, reason: reason))
      }
      let outcome = SequenceOutcome(ending: .unknown(reason: Self.unanswered))
      onNote(.ended(item: entry.intent.item, entry.intent.address, outcome))
    }
    return entries
  }

  private static let unanswered = "the program ended before the sensor answered"

  /// Fetches data that is at the services still; nothing is captured again.
  ///
  /// - Parameter entries: What ``leftOver()`` found.
  /// - Returns: A report for each, in their order.
  func finish(_ entries: [UnfinishedCapture]) async -> [CaptureReport] {
    // A sensor that is gone keeps nobody waiting but itself.
    let groups = Dictionary(grouping: entries.indices) { entries[$0].intent.address }
    var reports: [Int: CaptureReport] = [:]
    await withTaskGroup(of: [Int: CaptureReport].self) { group in
      for places in groups.values {
        group.addTask {
          var found: [Int: CaptureReport] = [:]
          for place in places { found[place] = await self.finish(entries[place]) }
          return found
        }
      }
      for await found in group { reports.merge(found) { $1 } }
    }
    return entries.indices.compactMap { reports[$0] }
  }

  private func finish(_ entry: UnfinishedCapture) async -> CaptureReport {
    if entry.waiting.isEmpty {
      return CaptureReport(outcome: SequenceOutcome(ending: .unknown(reason: Self.unanswered)))
    }
    let order = CaptureOrder(
      item: entry.intent.item, address: entry.intent.address, configuration: entry.intent.configuration)
    var report = CaptureReport(outcome: SequenceOutcome(ending: .captured(entry.waiting)))
    let run = begin(order.address, item: order.item, SequenceRun.CaptureHooks())
    onNote(.captured(item: order.item, order.address, ids: entry.waiting))
    await fetch(entry.waiting, entry.number, order, run.run, run.number, into: &report)
    end(run.number)
    return report
  }
}
