import PluginAPI
import Synchronization

/// A request of a script that the main actor handles.
enum LuaRequest: Sendable {
  /// Runs a command: its method, and its arguments by position and by name.
  case call(String, [Value], Record)
  /// Starts a command with streamed results.
  case open(String, [Value], Record)
  /// Waits for the next results of a started command.
  case next(LuaStream)
  /// Emits a result of the script.
  case emit(Value)
}

/// The answer to a request.
enum LuaAnswer: Sendable {
  case values([Value])
  /// The values of a command, which the script's thread joins: they may be many.
  case result([Value], CommandDescription.Output)
  case stream(LuaStream)
  case failure(ErrorReport)
  /// The script ends.
  case stopped(LuaStop)
}

/// Passes requests from the script's thread to the main actor, and responses back.
final class LuaExchange: Sendable {
  private struct State {
    var request: LuaRequest?
    var isEnded = false
    var receiver: CheckedContinuation<LuaRequest?, Never>?
    var answer: LuaAnswer?
  }

  private let state = Mutex(State())
  private let answered = WorkSemaphore()

  /// Sends a request and blocks the script's thread until it is answered.
  func ask(_ request: LuaRequest) -> LuaAnswer {
    send { $0.request = request }
    BriefWait.wait { state.withLock { $0.answer != nil } }
    answered.wait()
    return state.withLock { state in
      defer { state.answer = nil }
      return state.answer ?? .stopped(.canceled)
    }
  }

  /// Records that the script has ended; there are no requests after this.
  func end() { send { $0.isEnded = true } }

  /// Waits for the next request, on the actor of the caller: a switch of threads takes longer than many commands.
  ///
  /// - Returns: Nil once the script has ended.
  nonisolated(nonsending) func next() async -> LuaRequest? {
    BriefWait.wait { state.withLock { $0.request != nil || $0.isEnded } }
    return await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.request == nil && !state.isEnded {
          state.receiver = continuation
          return false
        }
        return true
      }
      if isReady { continuation.resume(returning: take()) }
    }
  }

  /// Answers the last request.
  func answer(_ answer: LuaAnswer) {
    state.withLock { $0.answer = answer }
    answered.signal()
  }

  private func send(_ change: (inout State) -> Void) {
    let receiver = state.withLock { state in
      change(&state)
      defer { state.receiver = nil }
      return state.receiver
    }
    receiver?.resume(returning: take())
  }

  private func take() -> LuaRequest? {
    state.withLock { state in
      defer { state.request = nil }
      return state.request
    }
  }
}
