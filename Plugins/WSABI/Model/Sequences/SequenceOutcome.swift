/// The outcome of a sequence.
///
/// In every case a held lock was released, or the attempt to release it failed.
struct SequenceOutcome: Sendable, Hashable {
  enum Ending: Sendable, Hashable {
    case done
    /// At least one id.
    case captured([SensorUUID])
    /// The service refused a step.
    case refused(SequenceStep, OperationStatus, message: String, badFields: [String])
    /// No response to a step that can safely be requested again.
    case failed(SequenceStep, reason: String)
    /// No response to the capture: it is unknown whether there was one. Never repeated without a user's request.
    case unknown(reason: String)
    case givenUp
  }

  var ending: Ending
  /// Warnings about steps that succeeded differently than requested, such as a configuration that was not applied.
  var warnings: [String] = []
}
