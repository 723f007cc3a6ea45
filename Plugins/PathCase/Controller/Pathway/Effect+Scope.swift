import PluginAPI

/// Scoped effect identifiers, which separate the effects of several controllers in one screen.
extension EffectID {
  fileprivate func scoped(_ scope: Int) -> EffectID { EffectID("\(scope)/\(name)", generation: generation) }

  fileprivate func inside(_ scope: Int) -> EffectID? {
    let prefix = "\(scope)/"
    return name.hasPrefix(prefix) ? EffectID(String(name.dropFirst(prefix.count)), generation: generation) : nil
  }
}

extension Effect {
  /// The id of a long-running effect that it starts; nil for other effects.
  var started: EffectID? {
    switch self {
    case .run(let id, _, _), .compute(let id, _, _), .timer(let id, _, _): id
    default: nil
    }
  }

  /// Returns the same effect with its id scoped to a controller in the screen.
  func scoped(_ scope: Int) -> Effect {
    switch self {
    case .run(let id, let command, let arguments): .run(id.scoped(scope), command: command, arguments: arguments)
    case .compute(let id, let label, let work): .compute(id.scoped(scope), label: label, work)
    case .cancel(let id): .cancel(id.scoped(scope))
    case .timer(let id, let seconds, let repeats): .timer(id.scoped(scope), seconds: seconds, repeats: repeats)
    case .choose(let id, let request): .choose(id.scoped(scope), request)
    case .ask(let id, let request): .ask(id.scoped(scope), request)
    default: self
    }
  }
}

extension Message {
  /// The id of the effect that ended; nil for other messages.
  var ended: EffectID? {
    switch self {
    case .finished(let id, _), .failed(let id, _), .cancelled(let id): id
    default: nil
    }
  }

  /// Returns the message for a controller in the screen; nil if it is for another one.
  func inside(_ scope: Int) -> Message? {
    switch self {
    case .progress(let id, let progress): id.inside(scope).map { .progress($0, progress) }
    case .emitted(let id, let value): id.inside(scope).map { .emitted($0, value) }
    case .finished(let id, let result): id.inside(scope).map { .finished($0, result) }
    case .failed(let id, let report): id.inside(scope).map { .failed($0, report) }
    case .cancelled(let id): id.inside(scope).map { .cancelled($0) }
    case .timer(let id): id.inside(scope).map { .timer($0) }
    case .answered(let id, let answer): id.inside(scope).map { .answered($0, answer) }
    case .returned, .notification: self
    @unknown default: nil
    }
  }
}
