extension SensorOperation {
  /// True if the session holds the lock after success.
  var takesLock: Bool { self == .tryLock || self == .stealLock }

  /// Returns true if a response shows for certain that the session of the request has no lock.
  ///
  /// - Parameter isDoubted: True if an earlier request for the lock had no response, and may succeed after this one.
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
  /// True if a response showed for certain that the session no longer has the lock.
  private(set) var isFree = false
  /// True if the session itself has ended.
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
