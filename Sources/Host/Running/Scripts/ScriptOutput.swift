import PluginAPI
import Synchronization

/// The values of a command, recorded up to a limit.
final class RecordedResult: Sendable {
  private let state = Mutex<(values: [Value], size: Int)>(([], 0))
  private let limit: Int
  /// The largest result that is joined at once, in bytes: a switch of threads takes longer.
  private static let quickSize = 1 << 20

  /// Creates a record.
  ///
  /// - Parameter limit: The most memory of the values, in bytes: by default that of a variable.
  init(limit: Int = ScriptLimits.value) { self.limit = limit }

  /// The values.
  var values: [Value] { state.withLock { $0.values } }

  /// A Boolean value indicating whether values were left out.
  var isTooLarge: Bool { state.withLock { $0.size > limit } }

  /// Returns the values as the result of a command.
  ///
  /// A large one is joined off the actor of the caller.
  nonisolated(nonsending) func result(of output: CommandDescription.Output) async -> Value {
    let size = state.withLock { $0.size }
    return size > Self.quickSize ? await resultOffActor(of: output) : ScriptShape.result(values, of: output)
  }

  @concurrent private func resultOffActor(of output: CommandDescription.Output) async -> Value {
    ScriptShape.result(values, of: output)
  }

  /// Adds a value.
  ///
  /// - Returns: False if all of them are too large together; then none is kept.
  func add(_ value: Value) -> Bool {
    let size = ScriptValue.size(of: value, limit: limit)
    return state.withLock { state in
      state.size += size
      if state.size > limit {
        state.values = []
        return false
      }
      state.values.append(value)
      return true
    }
  }
}

/// A receiver that records values instead of printing them; messages and questions go to the printer.
struct CollectingOutput: CommandOutput {
  let printer: any CommandOutput
  let record: RecordedResult

  func emit(_ value: Value) async throws {
    try Task.checkCancellation()
    guard record.add(value) else {
      throw ScriptError.tooLarge("the result", limit: "\(ScriptLimits.value >> 20) MiB")
    }
  }

  func report(_ progress: Progress) { printer.report(progress) }
  func warn(_ diagnostic: Diagnostic) { printer.warn(diagnostic) }
  func request(_ request: CommandRequest) async throws -> Value { try await printer.request(request) }
}

/// A receiver that records the values that the printer prints.
struct TeeOutput: CommandOutput {
  let printer: any CommandOutput
  let record: RecordedResult

  func emit(_ value: Value) async throws {
    try await printer.emit(value)
    _ = record.add(value)
  }

  func report(_ progress: Progress) { printer.report(progress) }
  func warn(_ diagnostic: Diagnostic) { printer.warn(diagnostic) }
  func request(_ request: CommandRequest) async throws -> Value { try await printer.request(request) }
}
