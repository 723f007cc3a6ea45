import Synchronization

/// Lets one pass at a time, in the order in which they came.
final class Turns: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    /// Those who have left before they could wait.
    var gone: Set<Int> = []
    var count = 0
  }

  private let state = Mutex(State())

  /// Waits for its turn; whoever has it gives it back with ``pass()``.
  func take() async { _ = await take(newNumber()) }

  /// Waits for its turn, or until a run is cancelled; that its task is cancelled does not end it.
  ///
  /// - Returns: Whether it has the turn.
  func take(unless run: SequenceRun) async -> Bool {
    let number = newNumber()
    let registration = run.whenCancelled { [self] in leave(number) }
    let hasTurn = await take(number)
    run.forget(registration)
    state.withLock { _ = $0.gone.remove(number) }
    return hasTurn
  }

  private func newNumber() -> Int {
    state.withLock { state in
      state.count += 1
      return state.count
    }
  }

  private func take(_ number: Int) async -> Bool {
    await withCheckedContinuation { continuation in
      let hasTurn: Bool? = state.withLock { state in
        if state.gone.contains(number) { return false }
        if state.isTaken {
          state.waiting.append((number, continuation))
          return nil
        }
        state.isTaken = true
        return true
      }
      if let hasTurn { continuation.resume(returning: hasTurn) }
    }
  }

  private func leave(_ number: Int) {
    let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard let place = state.waiting.firstIndex(where: { $0.number == number }) else {
        state.gone.insert(number)
        return nil
      }
      return state.waiting.remove(at: place).continuation
    }
    waiter?.resume(returning: false)
  }

  /// Takes the turn if nobody has it.
  ///
  /// - Returns: Whether it did.
  func takeIfFree() -> Bool {
    state.withLock { state in
      defer { state.isTaken = true }
      return !state.isTaken
    }
  }

  /// Gives the turn to the next.
  func pass() {
    let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume(returning: true)
  }
}
