/// Reports the progress of a drawing and the request to stop it.
struct RenderReport {
  private let progress: ((Double) -> Bool)?
  private var start = 0.0
  private var end: Double

  /// The number of pieces of work for each thread between two reports.
  private static let piecesPerReport = 4

  /// Starts with a part of the work.
  ///
  /// - Parameters:
  ///   - share: Its fraction of the whole.
  ///   - progress: Called with the fraction done, 0 to 1; returns whether to continue.
  init(share: Double, _ progress: ((Double) -> Bool)?) {
    self.progress = progress
    end = share
  }

  /// Starts the next part, which goes from one fraction of the whole to another.
  mutating func begin(from start: Double, to end: Double) { (self.start, self.end) = (start, end) }

  /// Reports the fraction of the part that is done; returns whether to continue.
  func goesOn(_ share: Double) -> Bool { progress?(start + (end - start) * share) ?? true }

  /// Executes pieces of the part, with reports between them; returns false if it was asked to stop.
  func perform(_ count: Int, _ work: ParallelWork, _ body: (Int) -> Void) -> Bool {
    guard progress != nil else {
      work(count, body)
      return true
    }
    let step = Self.piecesPerReport * work.threads
    for first in stride(from: 0, to: count, by: step) {
      guard goesOn(Double(first) / Double(count)) else { return false }
      work(min(step, count - first)) { body(first + $0) }
    }
    return true
  }
}
