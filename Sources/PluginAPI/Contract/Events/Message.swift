/// A message from a command, a timer or a subscription to a controller.
public enum Message: Sendable {
  /// A running command reported its progress.
  case progress(EffectID, Progress)
  /// A running command emitted a value.
  case emitted(EffectID, Value)
  /// A command ended.
  case finished(EffectID)
  /// A command failed.
  case failed(EffectID, ErrorReport)
  /// A command or timer was canceled, by the controller or by the user.
  case cancelled(EffectID)
  /// A timer is due.
  case timer(EffectID)
  /// A screen above this one was removed, and returned a value.
  case returned(screen: String, Value)
  /// A notification arrived for a topic to which the screen's contribution subscribes.
  case notification(Notification)
}
