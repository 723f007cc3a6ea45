/// What an effect or a subscription brings to a controller.
public enum Message: Sendable {
  /// A running effect tells how far it is.
  case progress(EffectID, Progress)
  /// A running command emitted a value.
  case emitted(EffectID, Value)
  /// An effect ended; computed work gives its result, a command nothing.
  case finished(EffectID, (any Sendable)?)
  /// An effect failed.
  case failed(EffectID, ErrorReport)
  /// An effect was cancelled, by the controller or by the user.
  case cancelled(EffectID)
  /// A timer is due.
  case timer(EffectID)
  /// A question was answered: the chosen id or the text, nil if it was put away.
  case answered(EffectID, String?)
  /// A screen above was taken away.
  case returned(screen: String, Value)
  /// A notification of a topic the screen is subscribed to by its contribution.
  case notification(Notification)
}
