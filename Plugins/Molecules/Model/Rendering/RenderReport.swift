/// Tells how far a drawing is, and hears whether it is to go on.
struct RenderReport {
  private let progress: ((Double) -> Bool)?
  private var start = 0.0
  private var end: Double

  /// Pieces of work for each thread between two reports.
  private static let piecesPerReport = 4

  /// Begins with a part of the work.
  ///
  /// - Parameters:
  ///   - share: The share of the whole that it is.
  ///   - progress: Called with the share done, 0 to 1; answers whether to go on.
  init(share: Double, _ progress: ((Double) -> Bool)?) {
    self.progress = progress
    end = share
  }

  /// Begins the next part, which goes from one share of the whole to another.
  mutating func begin(from start: Double, to end: Double) { (self.start, self.end) = (start, end) }

  /// Tells the share of the part that is done; answers whether to go on.
  func goesOn(_ share: Double) -> Bool { progress?(start + (end - start) * share) ?? true }

  /// Does pieces of the part, with reports between them; false when it was asked to stop.
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
