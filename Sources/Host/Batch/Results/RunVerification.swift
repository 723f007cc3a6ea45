import PluginAPI

/// Runs a sample of a run's items again and compares their records.
struct RunVerification: Sendable {
  /// An item that gave another record than before, or none.
  struct Finding: Sendable, Equatable {
    var item: Int
    var id: String
  }

  let folder: RunFolder
  let plan: RunPlan
  let launch: ChildProcess.Launch

  /// Runs items again, spread evenly over the run.
  func check(sample count: Int, _ records: RunRecords, _ progress: any WorkProgress) throws -> [Finding] {
    let count = min(count, plan.itemCount)
    let chosen = Set((0..<count).map { $0 * plan.itemCount / count + 1 })
    let template = try CommandTemplate(plan.command, fields: plan.fields)
    let limits = ChildProcess.Limits(
      seconds: plan.limits.itemTimeoutInSeconds, mebibytes: plan.limits.itemMemoryInMebibytes)
    var findings: [Finding] = []
    var child: ChildProcess?
    defer { child?.end() }
    for shard in stride(from: 1, through: plan.shardCount, by: 1) where findings.count < count {
      for item in try folder.items(of: shard) where chosen.contains(item.number) {
        guard let document = try records.document(of: item.number) else { continue }
        let running = try child ?? ChildProcess(launch)
        child = running
        let request = ItemRequest(
          item: item, words: template.words(for: item), tries: 1, folder: folder.path,
          picture: RunFolder.picture(shard: shard, item: item.number))
        let answer = try running.ask(request, limits) { progress.isCancelled }
        try progress.checkCancellation()
        if case .failure = answer { child = nil }
        let again = try? answer.get().dropFirst(1 + LogFrame.headSize).dropLast()
        if again.flatMap({ ItemRecord.comparable($0) }) != document {
          findings.append(Finding(item: item.number, id: item.id))
        }
      }
    }
    return findings.sorted { $0.item < $1.item }
  }
}
