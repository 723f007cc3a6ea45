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
