/// How a sequence ended.
///
/// Whatever it is, the lock was given back if it was held, or the attempt failed.
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
  /// What went well but not as told, such as a configuration that was not taken.
  var warnings: [String] = []
}
