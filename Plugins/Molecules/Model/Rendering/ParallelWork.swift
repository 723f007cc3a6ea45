/// A way to have the pieces of a work done, on however many threads.
struct ParallelWork: Sendable {
  /// How many pieces are done at a time at most.
  let threads: Int
  private let perform: @Sendable (_ count: Int, _ body: (Int) -> Void) -> Void

  /// Makes a way to work.
  ///
  /// - Parameters:
  ///   - threads: How many pieces are done at a time at most, at least 1.
  ///   - perform: Calls its second argument once with every number below the first, in any order and on any thread, and
  ///     returns when all of these calls have returned.
  init(threads: Int, _ perform: @escaping @Sendable (_ count: Int, _ body: (Int) -> Void) -> Void) {
    self.threads = max(1, threads)
    self.perform = perform
  }

  /// One piece after the other on the thread that asks.
  static let serial = ParallelWork(threads: 1) { count, body in
    for index in 0..<count { body(index) }
  }

  /// Does the pieces with numbers below a count; they must not depend on each other.
  func callAsFunction(_ count: Int, _ body: (Int) -> Void) {
    if count == 1 { body(0) } else if count > 1 { perform(count, body) }
  }
}
