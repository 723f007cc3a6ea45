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

/// The evidence of a service about the lock of a session to be released.
struct LockRelease: Sendable {
  /// True if a response showed for certain that the session no longer has the lock.
  private(set) var isFree = false
  /// True if the session itself has ended.
  private(set) var hasEnded = false
  private var hasResponse = false

  /// The verdict: nil if the service did not respond at all.
  var isCertain: Bool? { hasResponse ? isFree : nil }

  /// Applies the evidence of a response to an operation.
  ///
  /// - Parameter status: Nil if there was no response.
  mutating func receive(_ status: OperationStatus?, to operation: SensorOperation) {
    guard let status else { return }
    hasResponse = true
    // The end of a session's operation says nothing about its lock.
    guard operation == .unlock || operation == .unregister else { return }
    isFree = isFree || operation.showsFree(status, isDoubted: false)
    hasEnded = hasEnded || status == .invalidID
  }
}
