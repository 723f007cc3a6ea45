/// The result of the last requested step.
enum SequenceEvent: Sendable, Hashable {
  /// The service answered.
  case answered(SensorAnswer)
  /// No response was received.
  case failed(StepFailure)
  /// The wait is over.
  case waited
  /// The user canceled. The step in progress is canceled at the service separately.
  case givenUp
}
