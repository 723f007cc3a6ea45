extension SimulatedSensor {
  /// The admission of a session, or the reason for its refusal.
  enum Admission: Sendable {
    /// The session's key.
    case admitted(String)
    case refused(SimulatedReply)
  }

  /// Holds a call against the rules, in their order: id, registration, lock, busy.
  func admission(_ route: SimulatedRoute, _ state: inout State) -> Admission {
    guard let key = Self.key(of: route.session) else { return .refused(badIdentifier("sessionId")) }
    let now = clock.now
    expireSessions(&state, now)
    guard state.sessions[key] != nil else { return .refused(.status(.invalidId)) }
    state.sessions[key]?.lastCall = now
    if route.operation.needsLock, let holder = state.lockHolder, holder != key {
      return .refused(.status(.lockHeldByAnother))
    }
    if route.operation.needsLock, state.lockHolder == nil { return .refused(.status(.lockNotHeld)) }
    if route.operation.isOfSensor, route.operation != .endCapture, state.job != nil {
      return .refused(.status(.sensorBusy))
    }
    return .admitted(key)
  }

  /// Returns the response to a malformed id: .NET names the field, Java finds nothing at that address.
  func badIdentifier(_ fields: String...) -> SimulatedReply {
    if configuration.actualManner == .java { return .http(404, type: nil, []) }
    var answer = SimulatedAnswer(.badValue)
    answer.badFields = fields
    return .document(answer)
  }

  /// Drops sessions that were silent too long; one with a running operation is not silent.
  func expireSessions(_ state: inout State, _ now: Int) {
    let limit = configuration.inactivityTimeoutInSeconds * 1000
    guard limit > 0 else { return }
    for (key, session) in state.sessions where now - session.lastCall > limit && !isWorking(key, state) {
      drop(key, &state)
    }
  }

  private func isWorking(_ key: String, _ state: State) -> Bool { state.job?.session == key }

  func drop(_ key: String, _ state: inout State) {
    state.sessions[key] = nil
    if state.lockHolder == key { state.lockHolder = nil }
  }

  func register(_ state: inout State) -> SimulatedReply {
    let now = clock.now
    expireSessions(&state, now)
    if state.sessions.count >= configuration.maximumSessions {
      let free = state.sessions.filter { !isWorking($0.key, state) }
      // Of two equally old sessions the one with the smaller key is dropped, so that the same calls give the same
      // sessions.
      let oldest = free.min { ($0.value.lastCall, $0.key) < ($1.value.lastCall, $1.key) }
      guard configuration.dropsLRUSessions, let oldest else {
        return .status(.failure, "there are \(configuration.maximumSessions) sessions already")
      }
      drop(oldest.key, &state)
    }
    let id = state.chance.identifier()
    state.sessions[id] = Session(id: id, lastCall: now)
    var answer = SimulatedAnswer.success
    answer.sessionID = id
    return .document(answer)
  }

  /// Ends a session; an unknown one has already ended.
  func unregister(_ route: SimulatedRoute, _ state: inout State) -> SimulatedReply {
    guard let key = Self.key(of: route.session) else { return badIdentifier("sessionId") }
    if isWorking(key, state) { return .status(.sensorBusy) }
    drop(key, &state)
    return .status(.success)
  }

  func tryLock(_ route: SimulatedRoute, _ state: inout State) -> SimulatedReply {
    switch admission(route, &state) {
    case .refused(let reply): return reply
    case .admitted(let key):
      if let holder = state.lockHolder, holder != key { return .status(.lockHeldByAnother) }
      state.lockHolder = key
      return .status(.success)
    }
  }

  /// Steals the lock from another session: .NET counts from the sensor's last work, Java from the holder's last call.
  ///
  /// With .NET a free lock becomes the caller's; Java reports the same, but changes nothing.
  func stealLock(_ route: SimulatedRoute, _ faults: [SimulatorFaultRule], _ state: inout State) -> SimulatedReply {
    switch admission(route, &state) {
    case .refused(let reply): return reply
    case .admitted(let key):
      if faults.contains(.stealRefused) { return .status(.failure, "it is too early to take the lock") }
      if faults.contains(.stealFalse) { return .status(.success) }
      guard let holder = state.lockHolder, holder != key else {
        if configuration.actualManner == .dotNet { state.lockHolder = key }
        return .status(.success)
      }
      let since = configuration.actualManner == .dotNet ? state.lastWork : state.sessions[holder]?.lastCall
      if let since, clock.now - since < configuration.stealPreventionInMilliseconds {
        return .status(.failure, "it is too early to take the lock")
      }
      state.lockHolder = key
      return .status(.success)
    }
  }

  func unlock(_ route: SimulatedRoute, _ state: inout State) -> SimulatedReply {
    switch admission(route, &state) {
    case .refused(let reply): return reply
    case .admitted(let key):
      guard let holder = state.lockHolder else { return .status(.success) }
      if holder != key { return .status(.lockHeldByAnother) }
      if isWorking(key, state) { return .status(.sensorBusy) }
      state.lockHolder = nil
      return .status(.success)
    }
  }

  /// Cancels the sensor's operation, for the current holder of the lock.
  func cancel(_ route: SimulatedRoute, _ state: inout State) -> SimulatedReply {
    switch admission(route, &state) {
    case .refused(let reply): return reply
    case .admitted:
      cancelJob(&state)
      for pause in state.frozen { pause.end() }
      state.frozen = []
      return .status(.success)
    }
  }

  /// Ends the running job as its faults want it.
  func cancelJob(_ state: inout State) {
    guard var job = state.job else { return }
    job.cancelled = job.cancelled ?? job.cancelStatus
    state.job = job
    job.pause.end()
  }
}
