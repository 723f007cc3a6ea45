import PluginAPI

/// The durable journal of the locks that this station requests, so that a process that was killed does not leave its
/// lock at a sensor, where it would block others until they steal it.
protocol LockJournal: Sendable {
  /// Writes that a lock is about to be asked for; nothing where that is written already, or nobody has the key.
  func willLock(_ lock: HeldLock) async throws
  /// Notes that a lock is certainly not ours any more; it is written some seconds later, unless it is asked for anew.
  func didUnlock(_ lock: HeldLock)
  /// Has all written that ``didUnlock(_:)`` told, as far as that can be done now.
  func settleLocks() async
  /// The locks of processes that are no more, the oldest first; those of one address if it is not nil.
  ///
  /// No other process gets them too, until each is told of with ``gaveBack(_:)`` or ``leave(_:wasTried:)``.
  func leftLocks(at address: SensorAddress?) async throws -> [LeftLock]
  /// Makes the lock of such a process this one's own, which uses it with its session.
  func takeOver(_ left: LeftLock) async throws
  /// Writes that such a lock is certainly given back.
  func gaveBack(_ left: LeftLock) async throws
  /// Leaves such a lock to whoever comes next.
  ///
  /// - Parameter wasTried: Whether the service was asked for it, in vain: one that is older than any session lives is
  ///   forgotten then.
  /// - Returns: Whether it is forgotten.
  @discardableResult
  func leave(_ left: LeftLock, wasTried: Bool) async -> Bool
}

/// The lock of a sensor, by the session that asks for it.
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

  /// After a day no service keeps a session that nobody uses.
  static let longestLifeInSeconds = 86_400.0
}
