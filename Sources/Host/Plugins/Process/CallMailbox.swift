import PluginAPI
import Synchronization

/// The messages of a program about one call, in order.
final class CallMailbox: Sendable {
  /// A message about a call.
  enum Event: Sendable {
    case emitted(Value)
    case progress(Progress)
    case warned(Diagnostic)
    /// A request of the program, which waits for its answer.
    case requested(id: Value, method: String, parameters: Value)
    /// The last one: the call ended.
    case ended(Result<Value, any Error>)
  }

  /// A message and its size in bytes.
  struct Message: Sendable {
    var event: Event
    var bytes: Int
  }

  private let state = Mutex<(messages: [Message], waiting: CheckedContinuation<[Message], Never>?)>(([], nil))

  /// Adds a message.
  func put(_ event: Event, bytes: Int = 0) {
    let message = Message(event: event, bytes: bytes)
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      if state.waiting == nil { state.messages.append(message) }
      return state.waiting
    }
    waiting?.resume(returning: [message])
  }

  /// Returns the messages that arrived, waiting for one if there are none.
  ///
  /// A mailbox has one receiver.
  func take() async -> [Message] {
    BriefWait.wait { state.withLock { !$0.messages.isEmpty } }
    return await withCheckedContinuation { continuation in
      let messages = state.withLock { state in
        defer { state.messages = [] }
        if state.messages.isEmpty { state.waiting = continuation }
        return state.messages
      }
      if !messages.isEmpty { continuation.resume(returning: messages) }
    }
  }

  /// Waits for the end, dropping other messages.
  func end() async throws -> Value {
    while true {
      for message in await take() {
        if case .ended(let result) = message.event { return try result.get() }
      }
    }
  }
}

/// An answer that a thread waits for.
final class AwaitedAnswer<Content: Sendable>: Sendable {
  private let outcome = Mutex<Result<Content, any Error>?>(nil)
  private let arrived = WorkSemaphore()

  /// Ends the wait.
  func put(_ result: Result<Content, any Error>) {
    outcome.withLock { $0 = result }
    arrived.signal()
  }

  /// Blocks the thread until there is an answer.
  func wait() throws -> Content {
    BriefWait.wait { outcome.withLock { $0 != nil } }
    while true {
      arrived.wait()
      if let result = outcome.withLock({ $0 }) { return try result.get() }
    }
  }
}
