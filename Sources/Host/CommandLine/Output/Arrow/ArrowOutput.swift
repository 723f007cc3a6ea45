import PluginAPI
import Synchronization

/// Writes the result of a command as an Arrow stream.
///
/// The values of a stream are gathered in batches. A full batch is written at once; any other one
/// ``longestDelayInSeconds`` after its first row, so that readers have all rows of a stream that pauses.
final class ArrowOutput: Sendable {
  private struct State {
    /// The writer; nil before the first value and after an error of the sink.
    var writer: ArrowWriter?
    var isBatchDue = false
    /// The error of the sink.
    var error: (any Error)?
  }

  private let output: CommandDescription.Output
  private let sink: ByteSink
  private let queue = WorkQueue("workbench.arrow")
  private let state = Mutex(State())
  private static let longestDelayInSeconds = 0.1

  init(_ output: CommandDescription.Output, to sink: ByteSink) {
    (self.output, self.sink) = (output, sink)
  }

  /// Adds the rows of a value.
  ///
  /// - Throws: ``ArrowError``; ``OutputError``, also for a batch that was written before.
  func add(_ value: Value) throws {
    let needsBatch = try state.withLock { state in
      if let error = state.error { throw error }
      if state.writer == nil { state.writer = ArrowWriter(schema: output.schema, typeName: output.typeName) }
      try write(&state) { writer in
        try writer.add(value) { try sink.write($0) }
        if output.isStream { try sink.flush() }
      }
      guard output.isStream, !state.isBatchDue, let rows = state.writer?.pendingRows, rows > 0 else { return false }
      state.isBatchDue = true
      return true
    }
    if needsBatch { queue.async(afterSeconds: Self.longestDelayInSeconds) { [weak self] in self?.writeBatch() } }
  }

  /// Writes the remaining rows and the end of the stream.
  ///
  /// - Parameter failed: True if the command threw; then there is no stream unless it has values.
  func finish(failed: Bool) throws {
    try state.withLock { state in
      if let error = state.error, !failed { throw error }
      if state.writer == nil, failed { return }
      if state.writer == nil { state.writer = ArrowWriter(schema: output.schema, typeName: output.typeName) }
      try write(&state) { writer in try writer.finish { try sink.write($0) } }
      state.writer = nil
    }
  }

  private func writeBatch() {
    state.withLock { state in
      state.isBatchDue = false
      guard let rows = state.writer?.pendingRows, rows > 0 else { return }
      // The error is kept, and thrown at the next value.
      try? write(&state) { writer in
        try writer.flush { try sink.write($0) }
        try sink.flush()
      }
    }
  }

  /// Lets the writer write; after an error of the sink there is no writer.
  private func write(_ state: inout State, _ body: (inout ArrowWriter) throws -> Void) throws {
    guard var writer = state.writer else { return }
    // The only copy, so that its buffers are changed in place.
    state.writer = nil
    do {
      try body(&writer)
    } catch let error as OutputError {
      state.error = error
      throw error
    } catch {
      state.writer = writer
      throw error
    }
    state.writer = writer
  }
}
