import PluginAPI

/// Runs a few items of a run before it is divided into shards, in a child as workers have, to predict the others.
struct ItemProbe {
  /// An item that was run.
  struct Outcome {
    var item: BatchItem
    /// Its record, a line of a log.
    var line: [UInt8]
    var seconds: Double
    var mebibytes: Double
    /// A Boolean value indicating whether the time includes the start of a child.
    var isFirst: Bool
  }

  /// The maximum number of items in a probe whose size the user did not choose.
  static let mostItems = 200
  /// The time after which no more items are begun.
  private static let patienceInSeconds = 60.0

  let launch: ChildProcess.Launch
  let limits: RunPlan.Limits
  let template: CommandTemplate
  /// The folder of the run, for pictures.
  let folder: RunFolder

  /// Returns the number of items to run.
  ///
  /// A probe is for long runs: items run one after the other, so it has at most a twentieth of all items.
  /// - Parameters:
  ///   - given: The number that the user wants; nil for none.
  ///   - isWanted: True if the user asks for a prediction, which even a short list gets.
  static func size(given: Int?, isWanted: Bool, of itemCount: Int) -> Int {
    if let given { return min(given, itemCount) }
    let share = min(mostItems, itemCount / 20)
    return share >= 8 ? share : isWanted ? min(8, itemCount) : 0
  }

  /// Returns the indices of items whose costs are spread over all ranks, the smallest and the largest included.
  ///
  /// Any prefix of them is spread, too, as a probe may end early.
  static func choice(of count: Int, from costs: [Double]) -> [Int] {
    let count = min(count, costs.count)
    guard count > 1 else { return Array(costs.indices.prefix(count)) }
    let ranks = costs.indices.sorted { costs[$0] != costs[$1] ? costs[$0] < costs[$1] : $0 < $1 }
    return (0..<UInt32(count)).sorted { $0.bitReversed < $1.bitReversed }
      .map { ranks[Int($0) * (costs.count - 1) / (count - 1)] }
  }

  /// Runs items in their order, until the patience ends.
  ///
  /// An item without a final record is left to the workers: one that ends its child, takes too long or may be retried.
  /// - Throws: `CancellationError` if the work was interrupted.
  func run(_ items: [BatchItem], _ progress: any WorkProgress) throws -> [Outcome] {
    var outcomes: [Outcome] = []
    let end = MonotonicClock.seconds + Self.patienceInSeconds
    var running: ChildProcess?
    defer { running?.end() }
    for (index, item) in items.enumerated() {
      // Short items are answered before a child is asked to stop.
      try progress.checkCancellation()
      let left = end - MonotonicClock.seconds
      if left <= 0 { break }
      progress.report(Progress("probing", fraction: Double(index) / Double(items.count)))
      let request = ItemRequest(
        item: item, words: try template.words(for: item), tries: 1, folder: folder.path,
        picture: RunFolder.picture(of: item.number))
      let isFirst = running == nil
      let child = try running ?? ChildProcess(launch)
      running = child
      child.forgetPeak()
      let start = MonotonicClock.seconds
      let answer = try child.ask(
        request,
        ChildProcess.Limits(
          seconds: min(limits.itemTimeoutInSeconds, left), mebibytes: limits.itemMemoryInMebibytes)
      ) { progress.isCancelled }
      switch answer {
      case .success(let answer):
        // A plugin may have written something else to the channel: the child's next answer may be that of this item.
        guard let line = ItemAnswer.line(of: answer, item: item.number) else {
          child.end()
          running = nil
          continue
        }
        guard answer.first == ItemAnswer.final else { continue }
        outcomes.append(
          Outcome(
            item: item, line: Array(line), seconds: MonotonicClock.seconds - start, mebibytes: child.peakMebibytes,
            isFirst: isFirst))
      case .failure(let ending):
        running = nil
        switch ending.death {
        case .abandoned: throw CancellationError()
        case .exited, .signaled, .timedOut, .outOfMemory: continue
        }
      }
    }
    return outcomes
  }
}

extension UInt32 {
  /// The number with its bits in the reverse order.
  fileprivate var bitReversed: UInt32 {
    (0..<32).reduce(0) { $0 | (self >> UInt32($1) & 1) << UInt32(31 - $1) }
  }
}
