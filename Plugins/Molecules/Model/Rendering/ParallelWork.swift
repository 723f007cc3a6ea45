/// A way to execute pieces of work, on any number of threads.
struct ParallelWork: Sendable {
  /// The largest number of pieces executed at a time.
  let threads: Int
  private let perform: @Sendable (_ count: Int, _ body: (Int) -> Void) -> Void

  /// Creates a way to execute work.
  ///
  /// - Parameters:
  ///   - threads: The largest number of pieces executed at a time, at least 1.
  ///   - perform: Calls its second argument once with every number below the first, in any order and on any thread, and
  ///     returns when all of these calls have returned.
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
