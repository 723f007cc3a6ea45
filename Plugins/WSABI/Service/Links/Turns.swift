import Synchronization

/// A semaphore that admits a few tasks at a time, in order of arrival.
final class Turns: Sendable {
  private struct State {
    var free: Int
    var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    /// The waits that ended before they began.
    var gone: Set<Int> = []
    var count = 0
  }

  private let state: Mutex<State>

  /// - Parameter places: The number of simultaneous turns.
  init(places: Int = 1) { state = Mutex(State(free: places)) }

  /// The number of tasks waiting for a turn.
  var waitingCount: Int { state.withLock(\.waiting.count) }

  /// Waits for the turn, which is released with ``pass()``.
  func take() async { _ = await take(newNumber()) }

  /// Waits for the turn, or until a run is canceled; cancellation of the task does not end the wait.
  ///
  /// - Returns: True if the caller has the turn.
  func take(unless run: SequenceRun) async -> Bool { await numbered { await take($0, unless: run) } }

  /// Waits for the turn, or until a run is canceled, but no longer than a number of milliseconds.
  ///
  /// - Returns: True if the caller has the turn.
  func take(unless run: SequenceRun, within milliseconds: Int, _ clock: LinkClock) async -> Bool {
    if takeIfFree() { return true }
    return await numbered { number in
      let limit = Task { if (try? await clock.sleep(milliseconds)) != nil { leave(number) } }
      let hasTurn = await take(number, unless: run)
      limit.cancel()
      await limit.value
      return hasTurn
    }
  }

  /// Waits for the turn, or until the task is canceled.
  ///
  /// - Returns: True if the caller has the turn.
  func takeUnlessCancelled() async -> Bool {
    await numbered { number in
      await withTaskCancellationHandler {
        await take(number)
      } onCancel: {
        leave(number)
      }
    }
  }

  private func take(_ number: Int, unless run: SequenceRun) async -> Bool {
    let token = run.onCancel { [self] in leave(number) }
    defer { run.removeHandler(token) }
    return await take(number)
  }

  /// Runs a wait under a number, by which it can be left, and forgets the number afterwards.
  private func numbered(_ wait: (Int) async -> Bool) async -> Bool {
    let number = newNumber()
    defer { forget(number) }
    return await wait(number)
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
        if state.free == 0 {
          state.waiting.append((number, continuation))
          return nil
        }
        state.free -= 1
        return true
      }
      if let hasTurn { continuation.resume(returning: hasTurn) }
    }
  }

  private func leave(_ number: Int) {
    let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
        state.gone.insert(number)
        return nil
      }
      return state.waiting.remove(at: index).continuation
    }
    waiter?.resume(returning: false)
  }

  private func forget(_ number: Int) { state.withLock { _ = $0.gone.remove(number) } }

  /// Takes a turn if one is free.
  ///
  /// - Returns: True if it did.
  func takeIfFree() -> Bool {
    state.withLock { state in
      guard state.free > 0 else { return false }
      state.free -= 1
      return true
    }
  }

  /// Passes the turn to the next.
  func pass() {
    let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume(returning: true)
  }
}
