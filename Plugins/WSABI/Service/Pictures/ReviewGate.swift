import Glibc
import Synchronization

/// Lets few looks at captures go on at once, in the order in which they came.
///
/// Hundreds of sensors deliver at the same moment: were all pictures judged then, captures that are under way would wait
/// for them, and the screen too.
final class ReviewGate: Sendable {
  /// What is looked at.
  struct Subject: Hashable, Sendable {
    /// The folder of the store.
    var folder: String
    var capture: Int
  }

  private struct State {
    var free: Int
    var count = 0
    var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    /// Those who were cancelled before they could wait.
    var gone: Set<Int> = []
    var subjects: [Subject: Int] = [:]
  }

  /// For what this process computes: one processor at least is left to captures.
  static let shared = ReviewGate(places: min(2, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)))
  /// For programs of the deployer, which mostly wait for something themselves.
  static let programs = ReviewGate(places: 8)

  private let state: Mutex<State>

  /// - Parameter places: How many go on at once.
  init(places: Int) { state = Mutex(State(free: places)) }

  /// Whether something is looked at, or will be.
  func isAwaited(_ subject: Subject) -> Bool { state.withLock { $0.subjects[subject] != nil } }

  /// How many wait for a place.
  var waitingCount: Int { state.withLock(\.waiting.count) }

  /// Waits for a place and does something in it.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while it waits; what the body throws.
  func pass<Value: Sendable>(_ subject: Subject, _ body: () async throws -> Value) async throws -> Value {
    state.withLock { $0.subjects[subject, default: 0] += 1 }
    defer {
      state.withLock { state in
        let left = (state.subjects[subject] ?? 1) - 1
        state.subjects[subject] = left > 0 ? left : nil
      }
    }
    guard await enter() else { throw CancellationError() }
    defer { leave() }
    return try await body()
  }

  /// - Returns: Whether there is a place; false if the task was cancelled first.
  private func enter() async -> Bool {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    let isIn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isIn: Bool? = state.withLock { state in
          if state.gone.contains(number) { return false }
          if state.free == 0 {
            state.waiting.append((number, continuation))
            return nil
          }
          state.free -= 1
          return true
        }
        if let isIn { continuation.resume(returning: isIn) }
      }
    } onCancel: {
      giveUp(number)
    }
    state.withLock { _ = $0.gone.remove(number) }
    return isIn
  }

  private func giveUp(_ number: Int) {
    let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard let place = state.waiting.firstIndex(where: { $0.number == number }) else {
        state.gone.insert(number)
        return nil
      }
      return state.waiting.remove(at: place).continuation
    }
    waiter?.resume(returning: false)
  }

  private func leave() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume(returning: true)
  }
}
