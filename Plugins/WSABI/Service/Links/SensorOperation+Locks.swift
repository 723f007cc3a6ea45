extension SensorOperation {
  /// Whether the session holds the lock if it succeeds.
  var takesLock: Bool { self == .tryLock || self == .stealLock }

  /// Whether an answer says for certain that the session that asked has no lock.
  ///
  /// - Parameter isDoubted: Whether the lock was asked for without an answer, and may be given behind this one.
  func showsFree(_ status: OperationStatus, isDoubted: Bool) -> Bool {
    switch (self, status) {
    case (_, .invalidID), (.unregister, .success): true
    case (.unlock, .success), (_, .lockNotHeld), (_, .lockHeldByAnother): !isDoubted
    default: false
    }
  }
}

/// The evidence a service gives about the lock of a session that is to be released.
struct LockRelease: Sendable {
  /// Whether a response says for certain that the session has no lock any more.
  private(set) var isFree = false
  /// Whether the session itself is gone.
  private(set) var hasEnded = false
  private var hasResponse = false

  /// The verdict: nil if the service did not respond at all.
  var isCertain: Bool? { hasResponse ? isFree : nil }

  /// Takes a response for what it says about the operation it answers.
  ///
  /// - Parameter status: Nil if no response came.
  mutating func receive(_ status: OperationStatus?, to operation: SensorOperation) {
    guard let status else { return }
    hasResponse = true
    // The end of what a session does says nothing about its lock.
    guard operation == .unlock || operation == .unregister else { return }
    isFree = isFree || operation.showsFree(status, isDoubted: false)
    hasEnded = hasEnded || status == .invalidID
  }
}
