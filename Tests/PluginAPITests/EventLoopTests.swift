import PluginAPI
import Synchronization
import Testing

/// Awaited `compute` calls on a loop whose background work is ended by the test.
struct EventLoopTests {
  /// A loop that holds work until the test ends it.
  private final class HeldLoop: EventLoop {
    struct Failure: Error, Equatable {}

    final class Handle: Cancellable {
      let count = Mutex(0)
      let onCancel = Mutex<(@Sendable () -> Void)?>(nil)
      func cancel() {
        count.withLock { $0 += 1 }
        onCancel.withLock { action in
          defer { action = nil }
          return action
        }?()
      }
    }

    let handle = Handle()
    let started: AsyncStream<@Sendable (WorkOutcome) -> Void>
    private let starter: AsyncStream<@Sendable (WorkOutcome) -> Void>.Continuation

    init() { (started, starter) = AsyncStream.makeStream() }

    func post(_ work: @escaping @MainActor @Sendable () -> Void) { Task { @MainActor in work() } }

    func schedule(
      after delayInSeconds: Double, every intervalInSeconds: Double?, _ work: @escaping @MainActor @Sendable () -> Void
    ) -> any Cancellable { handle }

    func watch(
      fileDescriptor: Int32, for readiness: Readiness, _ work: @escaping @MainActor @Sendable () -> Void
    ) -> any Cancellable { handle }

    func background(
      _ label: String, _ work: @escaping @Sendable (any WorkProgress) throws -> any Sendable,
      onProgress: (@MainActor @Sendable (Progress) -> Void)?,
      completion: @escaping @MainActor @Sendable (WorkOutcome) -> Void
    ) -> any Cancellable {
      let end: @Sendable (WorkOutcome) -> Void = { outcome in self.post { completion(outcome) } }
      handle.onCancel.withLock { $0 = { end(.cancelled) } }
      starter.yield(end)
      return handle
    }

    /// Waits for work to start and returns a function that ends it.
    func begun() async -> (@Sendable (WorkOutcome) -> Void)? { await started.first { _ in true } }
  }

  @Test func `a computation returns its work's result or throws its error`() async throws {
    let loop = HeldLoop()
    async let result = loop.compute("work") { _ in "" }
    await loop.begun()?(.finished("done"))
    #expect(try await result == "done")
    let failing = HeldLoop()
    let task = Task { try await failing.compute("work") { _ in 0 } }
    await failing.begun()?(.failed(HeldLoop.Failure()))
    await #expect(throws: HeldLoop.Failure.self) { _ = try await task.value }
    #expect(loop.handle.count.withLock { $0 } == 0)
  }

  @Test func `canceling the task cancels the work once`() async {
    let loop = HeldLoop()
    let task = Task { try await loop.compute("work") { _ in 0 } }
    _ = await loop.begun()
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(loop.handle.count.withLock { $0 } == 1)
  }

  @Test func `an already canceled task cancels the work as it begins`() async {
    let loop = HeldLoop()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await loop.compute("work") { _ in 0 }
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(loop.handle.count.withLock { $0 } == 1)
  }

  @Test func `a cancellation check throws if the work is canceled`() {
    struct Work: WorkProgress {
      var isCancelled: Bool
      func report(_ progress: Progress) {}
    }
    #expect(throws: CancellationError.self) { try Work(isCancelled: true).checkCancellation() }
    #expect(throws: Never.self) { try Work(isCancelled: false).checkCancellation() }
  }
}
