/// The rows of one response, streamed while the response arrives.
///
/// The producer runs ahead by a few batches at most and then waits, so that memory does not grow with the response.
protocol RowSource: Sendable {
  /// Waits for the next rows on the calling thread, which must not be one of Swift's; returns nil after the last rows.
  ///
  /// - Throws: The error that broke the response, all of which is discarded then; `CancellationError` soon after a
  ///   cancellation.
  func next() throws -> [EntityRow]?
}
