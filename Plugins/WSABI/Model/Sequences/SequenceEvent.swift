/// The result of the last requested step.
enum SequenceEvent: Sendable, Hashable {
  /// The service answered.
  case answered(SensorAnswer)
  /// No answer came.
  case failed(StepFailure)
  /// The wait is over.
  case waited
  /// The user wants no more of it. The step under way is cancelled at the service by somebody else.
  case givenUp
}
