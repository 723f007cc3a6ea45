/// A message from an effect or a subscription to a controller.
public enum Message: Sendable {
  /// A running effect reported its progress.
  case progress(EffectID, Progress)
  /// A running command emitted a value.
  case emitted(EffectID, Value)
  /// An effect ended, with the result of computed work, or nil for a command.
  case finished(EffectID, (any Sendable)?)
  /// An effect failed.
  case failed(EffectID, ErrorReport)
  /// An effect was canceled, by the controller or by the user.
  case cancelled(EffectID)
  /// A timer is due.
  case timer(EffectID)
  /// A question was answered, with the id of the choice or the text; nil if the user dismissed it.
  case answered(EffectID, String?)
  /// A screen above this one was removed, and returned a value.
  case returned(screen: String, Value)
  /// A notification arrived for a topic to which the screen's contribution subscribes.
  case notification(Notification)
}
