import PluginAPI

/// Brings what a running command gives to the loop, in order.
final class EffectOutput: CommandOutput {
  private let loop: HostEventLoop
  private let deliver: @MainActor @Sendable (Delivery) -> Void

  /// What a command gives while it runs.
  enum Delivery: Sendable {
    case value(Value)
    case progress(Progress)
    case warning(Diagnostic)
  }

  init(loop: HostEventLoop, deliver: @escaping @MainActor @Sendable (Delivery) -> Void) {
    self.loop = loop
    self.deliver = deliver
  }

  /// Waits until the screen took the value, so that a fast command does not fill the queue.
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
}

/// Cancels a task.
struct TaskHandle: Cancellable {
  let task: Task<Void, Never>

  func cancel() { task.cancel() }
}
