import PluginAPI
import Synchronization

/// Delivers the output of a running command to the loop, in order.
final class EffectOutput: CommandOutput {
  private let loop: HostEventLoop
  private let deliver: @MainActor @Sendable (Delivery) -> Void

  /// An output of a running command.
  enum Delivery: Sendable {
    case value(Value)
    case progress(Progress)
    case warning(Diagnostic)
    case question(PromptRequest, PromptAnswer)
  }

  init(loop: HostEventLoop, deliver: @escaping @MainActor @Sendable (Delivery) -> Void) {
    self.loop = loop
    self.deliver = deliver
  }

  /// Waits until the screen has received the value, so that a fast command does not fill the queue.
  func emit(_ value: Value) async throws {
    try Task.checkCancellation()
    await withCheckedContinuation { continuation in
      loop.post {
        self.deliver(.value(value))
        continuation.resume()
      }
    }
    try Task.checkCancellation()
  }

  func report(_ progress: Progress) {
    loop.post { self.deliver(.progress(progress)) }
  }

  func warn(_ diagnostic: Diagnostic) {
    loop.post { self.deliver(.warning(diagnostic)) }
  }

  /// Shows a question over the screen that runs the command; screens do not provide standard input or single keys.
  func request(_ request: CommandRequest) async throws -> Value {
    guard case .prompt(let prompt) = request else { return .null }
    let answer = PromptAnswer()
    let text = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        answer.wait(continuation)
        loop.post { self.deliver(.question(prompt, answer)) }
      }
    } onCancel: {
      answer.give(nil)
    }
    try Task.checkCancellation()
    return .optional(text)
  }
}

/// The answer to a command's question; only the first answer counts.
final class PromptAnswer: Sendable {
  private enum State {
    case unasked, waiting(CheckedContinuation<String?, Never>), given(String?), over
  }

  private let state = Mutex(State.unasked)

  func wait(_ continuation: CheckedContinuation<String?, Never>) {
    let early = state.withLock { state -> String?? in
      if case .given(let text) = state { return text }
      state = .waiting(continuation)
      return nil
    }
    if let early { continuation.resume(returning: early) }
  }

  func give(_ text: String?) {
    let waiting = state.withLock { state -> CheckedContinuation<String?, Never>? in
      switch state {
      case .unasked: state = .given(text)
      case .waiting(let continuation):
        state = .over
        return continuation
      case .given, .over: break
      }
      return nil
    }
    waiting?.resume(returning: text)
  }
}

/// Cancels a task.
struct TaskHandle: Cancellable {
  let task: Task<Void, Never>

  func cancel() { task.cancel() }
}
