internal import Synchronization

/// A slot for the operation that a task's cancellation must cancel, whichever of the two arrives first.
@usableFromInline final class CancellableSlot: Sendable {
  private struct State {
    var isCancelled = false
    var target: (any Cancellable)?
  }

  private let state = Mutex(State())

  @usableFromInline init() {}

  @usableFromInline func fill(_ target: any Cancellable) {
    let cancelNow = state.withLock { state in
      state.target = target
      return state.isCancelled
    }
    if cancelNow { target.cancel() }
  }

  @usableFromInline func cancel() {
    let target = state.withLock { state in
      state.isCancelled = true
      return state.target
    }
    target?.cancel()
  }
}
