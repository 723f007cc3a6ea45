import PluginAPI

/// The durable journal of the locks that this station requests, so that a process that was killed does not leave its
/// lock at a sensor, where it would block others until they steal it.
protocol LockJournal: Sendable {
  /// Writes that a lock is about to be requested; does nothing if that is already written, or the store is locked.
  func willLock(_ lock: HeldLock) async throws
  /// Notes that a lock is certainly released. This is written some seconds later, unless the lock is requested again.
  func didUnlock(_ lock: HeldLock)
  /// Writes all releases noted by ``didUnlock(_:)``, as far as possible now.
  func settleLocks() async
  /// Returns the locks of ended processes, oldest first; only those of one address if it is not nil.
  ///
  /// Other processes do not get them until each was settled with ``gaveBack(_:)`` or ``leave(_:wasTried:)``.
  func leftLocks(at address: SensorAddress?) async throws -> [LeftLock]
  /// Makes the lock of such a process this one's own, which uses it with its session.
  func takeOver(_ left: LeftLock) async throws
  /// Writes that such a lock is certainly released.
  func gaveBack(_ left: LeftLock) async throws
  /// Leaves such a lock to the next process.
  ///
  /// - Parameter wasTried: True if the service was asked in vain to release it; a lock older than the lifetime of any
  ///   session is then forgotten.
  /// - Returns: True if it is forgotten.
  @discardableResult
  func leave(_ left: LeftLock, wasTried: Bool) async -> Bool
}

/// The lock of a sensor, by the session that requests it.
struct HeldLock: Sendable, Hashable {
  var address: SensorAddress
  var session: SensorUUID
}

/// A lock that a process may have had when it ended.
struct LeftLock: Sendable, Hashable {
  let number: Int
  var lock: HeldLock
  /// The time of the request, to the hour.
  ///
  /// The entry of a lock in long use is rewritten.
  var asked: Instant
  /// True if it was stolen from another client for the next capture; it is released by request only.
  var isStolen = false

  /// No service keeps an unused session longer than a day.
  static let longestLifeInSeconds = 86_400.0
}
