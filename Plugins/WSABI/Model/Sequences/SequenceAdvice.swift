/// The next action that a sequence requests.
enum SequenceAdvice: Sendable, Hashable {
  /// Request this step from the service.
  case ask(SequenceStep)
  /// Wait so long, then report ``SequenceEvent/waited``.
  case wait(milliseconds: Int, because: OperationStatus)
  /// The sequence has ended; no more requests follow.
  case finished(SequenceOutcome)
}
