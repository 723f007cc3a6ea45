/// Rows of one answer, handed over while the answer still arrives.
///
/// Whoever makes them runs ahead by a few batches at most and is held back then, so that memory does not grow with the
/// answer.
protocol RowSource: Sendable {
  /// The next rows, waited for on the calling thread, which must be none of Swift's; nil after the last.
  ///
  /// - Throws: What broke the answer: then nothing of it counts. `CancellationError` soon after it was cancelled.
  func next() throws -> [EntityRow]?
}
