import PluginAPI

/// The captures that an earlier process did not finish, while their data is downloaded.
struct Resumption: Sendable {
  typealias Finished = (entry: UnfinishedCapture, report: CaptureReport)

  /// The unfinished captures, oldest first.
  let entries: [UnfinishedCapture]
  /// The entries for which a caller waits.
  private let awaited: Task<[Finished], Never>
  private let others: Task<[Finished], Never>
  private let all: Task<[Finished], Never>

  /// Starts finishing entries.
  ///
  /// - Parameters:
  ///   - items: The items whose entries ``awaited(withinMilliseconds:)`` waits for.
  ///   - finish: Fetches the data of some entries.
  ///   - onEnd: Called once everything has ended.
  init(
    _ entries: [UnfinishedCapture], awaiting items: Set<Int>,
    _ finish: @escaping @Sendable ([UnfinishedCapture]) async -> [Finished], onEnd: @escaping @Sendable () -> Void
  ) {
    self.entries = entries
    let awaited = Task { await finish(entries.filter { items.contains($0.intent.item) }) }
    let others = Task { await finish(entries.filter { !items.contains($0.intent.item) }) }
    (self.awaited, self.others) = (awaited, others)
    all = Task {
      let finished = await awaited.value + others.value
      onEnd()
      return finished.sorted { $0.entry.number.value < $1.entry.number.value }
    }
  }

  /// A report for each entry, oldest first, once everything has ended.
  var finished: [Finished] {
    get async {
      await withTaskCancellationHandler {
        await all.value
      } onCancel: {
        awaited.cancel()
        others.cancel()
      }
    }
  }

  /// Returns the reports of the awaited entries; empty if they have not ended in time.
  func awaited(withinMilliseconds limit: Int) async -> [Finished] {
    let awaited = awaited
    let (ended, end) = AsyncStream.makeStream(of: [Finished].self)
    let waiting = Task {
      end.yield(await awaited.value)
      end.finish()
    }
    let timer = Task {
      try? await Task.sleep(for: .milliseconds(limit))
      end.finish()
    }
    defer {
      waiting.cancel()
      timer.cancel()
    }
    for await finished in ended { return finished }
    return []
  }
}
