/// A way to execute pieces of work, on any number of threads.
struct ParallelWork: Sendable {
  /// The largest number of pieces executed at a time.
  let threads: Int
  private let perform: @Sendable (_ count: Int, _ body: (Int) -> Void) -> Void

  /// Creates a way to execute work.
  ///
  /// - Parameters:
  ///   - threads: The largest number of pieces executed at a time, at least 1.
  ///   - perform: Calls its second argument once with every number below the first, in any order and on any thread. It
  ///     returns after the last of these calls.
  init(threads: Int, _ perform: @escaping @Sendable (_ count: Int, _ body: (Int) -> Void) -> Void) {
    self.threads = max(1, threads)
    self.perform = perform
  }

  /// Executes one piece after the other on the calling thread.
  static let serial = ParallelWork(threads: 1) { count, body in
    for index in 0..<count { body(index) }
  }

  /// Executes the pieces with numbers below a count; they must not depend on each other.
  func callAsFunction(_ count: Int, _ body: (Int) -> Void) {
    if count == 1 { body(0) } else if count > 1 { perform(count, body) }
  }
}

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
  func shouldContinue(at share: Double) -> Bool { progress?(start + (end - start) * share) ?? true }

  /// Executes pieces of the part, with reports between them; returns false if it was asked to stop.
  func perform(_ count: Int, _ work: ParallelWork, _ body: (Int) -> Void) -> Bool {
    guard progress != nil else {
      work(count, body)
      return true
    }
    let step = Self.piecesPerReport * work.threads
    for first in stride(from: 0, to: count, by: step) {
      guard shouldContinue(at: Double(first) / Double(count)) else { return false }
      work(min(step, count - first)) { body(first + $0) }
    }
    return true
  }
}
