import PluginAPI

/// Locks that are written down before they are asked for, and those that dead processes left.
extension SensorLink {
  /// Asks for the lock, once it is written down; what a dead process left at the sensor is given back before.
  func lock(_ request: SensorRequest, _ run: SequenceRun) async -> SequenceEvent {
    if let session = request.session {
      do {
        try await prepareLock(session, run.tell)
      } catch {
        return .failed(StepFailure(reach: .notSent, reason: Self.words(error)))
      }
    }
    let event = await ask(request, .lock, run).event
    guard case .answered(let answer) = event, answer.status == .lockHeldByAnother, !run.isCancelled,
      await givesBackLeft(run.tell)
    else { return event }
    return await ask(request, .lock, run).event
  }

  func prepareLock(_ session: SensorUUID, _ tell: (SequenceRun.Progress) -> Void) async throws {
    if !hasLooked {
      hasLooked = true
      _ = await givesBackLeft(tell)
    }
    try await locks.willLock(HeldLock(address: address, session: session))
  }

  /// Takes what an answer says of a lock that is written down.
  ///
  /// Only what is certain counts: nothing where no answer came, and no denial while an earlier question for the same lock
  /// has none.
  func follow(_ request: SensorRequest, _ result: Result<SensorAnswer, SensorFault>) {
    guard let session = request.session else { return }
    let status: OperationStatus
    switch result {
    case .success(let answer): status = answer.status
    case .failure(let fault):
      if request.operation.takesLock, fault.mayHaveHappened { doubtedSession = session }
      return
    }
    if request.operation.takesLock, status == .success, doubtedSession == session { doubtedSession = nil }
    guard request.operation.showsFree(status, isDoubted: doubtedSession == session) else { return }
    locks.didUnlock(HeldLock(address: address, session: session))
  }

  /// Gives back what processes left at this sensor that are no more, with their sessions.
  func giveBackLeft(_ tell: @escaping @Sendable (SequenceRun.Progress) -> Void) async {
    await turns.take()
    defer { turns.pass() }
    _ = await givesBackLeft(tell)
  }

  /// - Returns: Whether any was given back.
  func givesBackLeft(_ tell: (SequenceRun.Progress) -> Void) async -> Bool {
    var isAny = false
    // What cannot be read now is looked for another time.
    for left in (try? await locks.leftLocks(at: address)) ?? [] {
      let isGivenBack = await givesBack(left.lock.session)
      if isGivenBack == true { try? await locks.gaveBack(left) }
      tell(.leftLock(isGivenBack: isGivenBack == true))
      // One that says nothing says nothing of the next either.
      guard let isGivenBack else { break }
      isAny = isAny || isGivenBack
    }
    return isAny
  }

  /// Ends what a session has begun, its lock, and itself; nothing of it touches the session of this link.
  ///
  /// - Returns: Whether it is certain that it has no lock any more; nil if the service says nothing at all.
  private func givesBack(_ session: SensorUUID) async -> Bool? {
    var isFree: Bool?
    for operation in [SensorOperation.cancel, .unlock, .unregister] {
      let request = SensorRequest(
        operation, session: session, deadlineInSeconds: times.seconds(times.givingBackInMilliseconds))
      for attempt in 0..<times.patience.attempts {
        guard let status = await status(of: request) else { break }
        if status == .invalidID { return true }
        isFree = isFree == true || operation.showsFree(status, isDoubted: false)
        // It ends what was cancelled.
        guard status == .sensorBusy, operation != .cancel, let pause = times.patience.wait(attempt),
          (try? await clock.sleep(pause)) != nil
        else { break }
      }
      if Task.isCancelled { break }
    }
    return isFree
  }

  /// The answer to something that is asked with the session of another; a session that HTTP does not find is none.
  private func status(of request: SensorRequest) async -> OperationStatus? {
    do throws(SensorFault) {
      return try await caller.ask(request, into: nil).status
    } catch {
      return error.kind == .status(404) ? .invalidID : nil
    }
  }
}
