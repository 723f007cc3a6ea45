/// The next action that a sequence requests.
enum SequenceAdvice: Sendable, Hashable {
  /// Ask the service this.
  case ask(SequenceStep)
  /// Wait so long, then report ``SequenceEvent/waited``.
  case wait(milliseconds: Int, because: OperationStatus)
  /// It is over; nothing more is asked.
  case finished(SequenceOutcome)
}
