import PluginAPI

/// Locks recorded before their request, and those left by dead processes.
extension SensorLink {
  /// Requests the lock, once it is written down; locks that dead processes left at the sensor are released before.
  ///
  /// A lock that was stolen for the next capture is released for a capture alone. Any other goal gets the response that
  /// another client holds the lock.
  func lock(_ request: SensorRequest, _ goal: SequenceGoal, _ run: SequenceRun) async -> SequenceEvent {
    let isCapture = if case .capture = goal { true } else { false }
    if let failure = await prepared(request, run) { return failure }
    let event = await ask(request, .lock, run).event
    guard case .answered(let response) = event, response.status == .lockHeldByAnother, !run.isCancelled,
      await releaseLeftLocks(stolen: isCapture, isBlocked: true, run.report, unless: run), !run.isCancelled
    else { return event }
    // The response removed the record.
    if let failure = await prepared(request, run) { return failure }
    return await ask(request, .lock, run).event
  }

  /// Records that a lock is about to be requested.
  ///
  /// - Returns: The event of the step if recording fails; otherwise nil.
  private func prepared(_ request: SensorRequest, _ run: SequenceRun) async -> SequenceEvent? {
    guard let session = request.session else { return nil }
    do {
      try await prepareLock(session, run)
      return nil
    } catch {
      return .failed(StepFailure(unrecorded: error))
    }
  }

  func prepareLock(_ session: SensorUUID, _ run: SequenceRun) async throws {
    if !hasCheckedLeftLocks {
      hasCheckedLeftLocks = true
      _ = await releaseLeftLocks(stolen: false, run.report, unless: run)
    }
    // The service may still grant a doubted lock. Once its session is replaced, it can be released only as a left lock.
    if let old = ownLock, old.session != session, old.isDoubted {
      ownLock = nil
      await locks.abandon(HeldLock(address: address, session: old.session))
    }
    try await locks.willLock(HeldLock(address: address, session: session))
  }

  /// Takes over the lock that was stolen for the next capture, with its session; a wrong assumption costs a response.
  func takeOverStolenLock() async -> LinkState? {
    guard let left = try? await locks.leftLocks(at: address), !left.isEmpty else { return nil }
    var taken: LeftLock?
    for lock in left {
      if taken == nil, lock.isStolen, (try? await locks.takeOver(lock)) != nil {
        taken = lock
      } else {
        await locks.leave(lock, wasTried: false)
      }
    }
    guard let session = taken?.lock.session else { return nil }
    ownLock = OwnLock(session: session, isDoubted: false)
    return LinkState(session: session, holdsLock: true)
  }

  /// Applies the evidence of a response about a recorded lock.
  ///
  /// Only certain evidence counts: a missing response does not, nor a denial while an earlier request for the same lock
  /// has no response.
  func follow(_ request: SensorRequest, _ result: Result<SensorAnswer, SensorFault>) {
    guard let session = request.session else { return }
    let status: OperationStatus
    switch result {
    case .success(let response): status = response.status
    case .failure(let fault):
      if request.operation.takesLock, fault.mayHaveHappened { ownLock = OwnLock(session: session, isDoubted: true) }
      return
    }
    if request.operation.takesLock, status == .success {
      // A sensor has one lock; only a steal may report success without it.
      if request.operation == .tryLock, let old = ownLock, old.session != session {
        locks.didUnlock(HeldLock(address: address, session: old.session))
      }
      ownLock = OwnLock(session: session, isDoubted: false)
    }
    let own = ownLock?.session == session ? ownLock : nil
    guard request.operation.showsFree(status, isDoubted: own?.isDoubted ?? false) else { return }
    if own != nil { ownLock = nil }
    locks.didUnlock(HeldLock(address: address, session: session))
  }

  /// Releases the locks and sessions that ended processes left at this sensor.
  ///
  /// - Parameter stolen: True to include locks that were stolen for the next capture.
  func releaseLeftLocksIfFree(stolen: Bool, _ report: @escaping @Sendable (SequenceRun.Progress) -> Void) async {
    // The task with the turn handles such a lock on its own, and may take long.
    guard turns.takeIfFree() else { return }
    defer { turns.pass() }
    _ = await releaseLeftLocks(stolen: stolen, report, unless: SequenceRun())
  }

  /// Releases the locks that dead processes left at this sensor.
  ///
  /// - Parameters:
  ///   - stolen: True to include locks that were stolen for the next capture.
  ///   - isBlocked: True if the request for the lock was refused, which may happen several times in a sequence: a lock
  ///     that the sensor did not release before is tried without waiting, and reported only if it is released.
  /// - Returns: True if any was released.
  func releaseLeftLocks(
    stolen: Bool, isBlocked: Bool = false, _ report: (SequenceRun.Progress) -> Void, unless run: SequenceRun
  ) async -> Bool {
    var isAny = false
    // Locks that cannot be read now are looked up at the next attempt.
    let left = (try? await locks.leftLocks(at: address)) ?? []
    for lock in left where lock.isStolen && !stolen { await locks.leave(lock, wasTried: false) }
    var all = left.filter { stolen || !$0.isStolen }[...]
    while let left = all.popFirst() {
      let isRepeated = isBlocked && refusedLocks.contains(left.lock.session)
      let isReleased = await release(left.lock.session, waits: !isRepeated, unless: run)
      // The attempt did not finish.
      let isCutShort = isReleased != true && isOver(run)
      var isSettled = !isCutShort
      if isReleased == true {
        isAny = true
        // A release that is not written down is repeated, and reported then.
        isSettled = (try? await locks.gaveBack(left)) != nil
      }
      if isReleased != true || !isSettled {
        let isForgotten = await locks.leave(left, wasTried: isReleased != true && !isCutShort)
        // It needs no further attention.
        isSettled = isSettled && !isForgotten
      }
      if isReleased == true {
        refusedLocks.remove(left.lock.session)
      } else if !isCutShort {
        refusedLocks.insert(left.lock.session)
      }
      if isSettled, isReleased == true || !isRepeated { report(.leftLock(isGivenBack: isReleased == true)) }
      // A service that does not respond will not respond to the next request either.
      if isReleased == nil || isOver(run) { break }
    }
    for left in all { await locks.leave(left, wasTried: false) }
    return isAny
  }

  private func isOver(_ run: SequenceRun) -> Bool { Task.isCancelled || run.isCancelled }

  /// Releases the lock of a session, cancels its operation, and ends it, without touching the session of this link.
  ///
  /// It cancels only if the service is busy or does not respond. A free lock, or one of another client, shows that the
  /// operation in progress does not belong to this session, and some services would cancel it nevertheless. Only the
  /// response to an unlock or to the end of the session proves the release; a successful cancel says nothing about the
  /// lock.
  ///
  /// - Parameter waits: True to retry the unlock while the sensor is busy with the canceled operation.
  /// - Returns: True if the session certainly has no lock any more; nil if the service does not respond at all.
  private func release(_ session: SensorUUID, waits: Bool, unless run: SequenceRun) async -> Bool? {
    var release = LockRelease()
    let first = await status(.unlock, session)
    release.receive(first, to: .unlock)
    if first == nil || first == .sensorBusy, !isOver(run) {
      release.receive(await status(.cancel, session), to: .cancel)
      if !isOver(run) { release.receive(await unlocked(session, waits: waits, unless: run), to: .unlock) }
    }
    if !release.hasEnded, !isOver(run) { release.receive(await status(.unregister, session), to: .unregister) }
    return release.isCertain
  }

  /// Unlocks, and retries while the sensor is busy with the canceled operation if it may wait.
  private func unlocked(_ session: SensorUUID, waits: Bool, unless run: SequenceRun) async -> OperationStatus? {
    var last: OperationStatus?
    for attempt in 0..<times.patience.attempts {
      guard let status = await status(.unlock, session) else { break }
      last = status
      guard status == .sensorBusy, waits, let pause = times.patience.wait(attempt), !isOver(run),
        await run.sleep(pause, clock), !isOver(run)
      else { break }
    }
    return last
  }

  /// Returns the status of an operation requested with another session; a session that HTTP does not find does not
  /// exist.
  private func status(_ operation: SensorOperation, _ session: SensorUUID) async -> OperationStatus? {
    let request = SensorRequest(
      operation, session: session, deadlineInSeconds: times.seconds(times.givingBackInMilliseconds))
    do throws(SensorFault) {
      return try await caller.ask(request, into: nil).status
    } catch {
      return error.kind == .status(404) ? .invalidID : nil
    }
  }
}

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
private struct LockRelease: Sendable {
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
