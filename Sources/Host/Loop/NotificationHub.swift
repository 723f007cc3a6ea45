import PluginAPI
import Synchronization

/// Delivers notifications on the loop, in the order they were sent, to all subscribers of their topic.
final class NotificationHub: Sendable {
  private struct Subscriber {
    var id: Int
    var topic: String
    var handler: @MainActor @Sendable (PluginAPI.Notification) -> Void
  }

  private let loop: HostEventLoop
  private let state = Mutex<(next: Int, subscribers: [Subscriber])>((0, []))

  init(loop: HostEventLoop) {
    self.loop = loop
  }

  func send(_ notification: PluginAPI.Notification) {
    loop.post {
      let topic = notification.topic.utf8
      let subscribers = self.state.withLock { $0.subscribers.filter { $0.topic.utf8.elementsEqual(topic) } }
      // One of them may end the subscription of another.
      for subscriber in subscribers where self.isSubscribed(subscriber.id) { subscriber.handler(notification) }
    }
  }

  func subscribe(
    _ topic: String, _ handler: @escaping @MainActor @Sendable (PluginAPI.Notification) -> Void
  ) -> any Cancellable {
    let id = state.withLock { state in
      state.next += 1
      state.subscribers.append(Subscriber(id: state.next, topic: topic, handler: handler))
      return state.next
    }
    return Subscription { [weak self] in
      self?.state.withLock { state in state.subscribers.removeAll { $0.id == id } }
    }
  }

  private func isSubscribed(_ id: Int) -> Bool {
    state.withLock { state in state.subscribers.contains { $0.id == id } }
  }
}

/// Ends a subscription.
private final class Subscription: Cancellable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  func cancel() { end() }
}
