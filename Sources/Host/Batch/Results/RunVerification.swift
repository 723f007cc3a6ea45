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

  /// Runs items again, spread evenly over the run, except those with a transient error.
  ///
  /// - Returns: The number of items that were run, and those that differ.
  func check(
    sample count: Int, _ records: RunRecords, _ progress: any WorkProgress
  ) throws -> (sampled: Int, findings: [Finding]) {
    let count = min(count, plan.itemCount)
    let chosen = Set((0..<count).map { $0 * plan.itemCount / count + 1 })
    let template = try plan.template
    let limits = ChildProcess.Limits(
      seconds: plan.limits.itemTimeoutInSeconds, mebibytes: plan.limits.itemMemoryInMebibytes)
    // For pictures: those of the run stay.
    let scratch = try HostFile.makeTemporaryFolder(under: launch.temporaryFolder, prefix: "workbench-batch-")
    launch.temporary.add(scratch)
    defer { launch.temporary.remove(scratch) }
    var (sampled, findings): (Int, [Finding]) = (0, [])
    var child: ChildProcess?
    defer { child?.end() }
    for shard in stride(from: 1, through: plan.shardCount, by: 1) where findings.count < count {
      for item in try folder.items(of: shard) where chosen.contains(item.number) {
        guard let document = try records.document(of: item.number),
          !BatchError.isTransient(try ItemRecord.read(document)["error"])
        else { continue }
        sampled += 1
        let running = try child ?? ChildProcess(launch)
        child = running
        let request = ItemRequest(
          item: item, words: try template.words(for: item), tries: 1, folder: scratch,
          picture: RunFolder.picture(of: item.number))
        let answer = try running.ask(request, limits) { progress.isCancelled }
        try progress.checkCancellation()
        let line = (try? answer.get()).flatMap { ItemAnswer.line(of: $0, item: item.number) }
        if line == nil {
          // A child that wrote something else may give the answer to the next item.
          running.end()
          child = nil
        }
        let again = line?.dropFirst(LogFrame.headSize).dropLast()
        if again.flatMap({ ItemRecord.comparable($0) }) != document {
          findings.append(Finding(item: item.number, id: item.id))
        }
      }
    }
    return (sampled, findings.sorted { $0.item < $1.item })
  }
}
