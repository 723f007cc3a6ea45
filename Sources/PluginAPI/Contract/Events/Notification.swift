/// A notification of an event, delivered to all subscribers of its topic.
public struct Notification: Sendable, Hashable {
  /// The full topic, `plugin.what-happened`.
  public var topic: String
  /// The id of the sending plugin; `host` for the host.
  public var plugin: String
  /// The payload, in the shape that the topic declares.
  public var payload: Value

  /// Creates a notification.
  public init(topic: String, plugin: String, payload: Value = .null) {
    self.topic = topic
    self.plugin = plugin
    self.payload = payload
  }
}
