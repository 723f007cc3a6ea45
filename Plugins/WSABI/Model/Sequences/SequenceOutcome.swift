/// The outcome of a sequence.
///
/// In every case a held lock was released, or the attempt to release it failed.
struct SequenceOutcome: Sendable, Hashable {
  enum Ending: Sendable, Hashable {
    case done
    /// At least one id.
    case captured([SensorUUID])
    /// The service said no to a step.
    case refused(SequenceStep, OperationStatus, message: String, badFields: [String])
    /// No answer to a step that can be asked again without harm.
    case failed(SequenceStep, reason: String)
    /// No answer to the capture: nobody knows whether there was one. Never repeated without being asked to.
    case unknown(reason: String)
    case givenUp
  }

  var ending: Ending
  /// Warnings about steps that succeeded differently than requested, such as a configuration that was not applied.
  var warnings: [String] = []
}
