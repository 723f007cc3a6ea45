/// Something that happened, told to all who subscribed to its topic.
public struct Notification: Sendable, Hashable {
  /// The full topic, `plugin.what-happened`.
  public var topic: String
  /// The id of the plugin it comes from; `host` for the host.
  public var plugin: String
  /// What goes with it, in the shape the topic declares.
  public var payload: Value

  /// Creates a notification.
  public init(topic: String, plugin: String, payload: Value = .null) {
    self.topic = topic
    self.plugin = plugin
    self.payload = payload
  }
}
