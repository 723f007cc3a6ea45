import PluginAPI

/// One service: its assumed state, and one sequence at a time; other sequences wait for their turn.
actor SensorLink {
  /// The validity of the known information.
  private enum Freshness {
    case current
    /// The service behaves as if it were another: its information is requested again, and stays if that fails.
    case doubted
    /// A sequence has failed, and the service may be another now: its information is requested again before the next.
    case stale
  }

  nonisolated let address: SensorAddress
  let caller: any SensorCaller
  let clock: LinkClock
  let times: LinkTimes
  let locks: any LockJournal
  let turns = Turns()
  private(set) var state = LinkState()
  private(set) var information: ServiceInformation?
  /// The time of the last reading of ``information``.
  private var lastReading: Instant
  private var freshness = Freshness.current
  /// True if the information has changed since the sensor was set.
  private var isRenewed = false
  private var keeping: Task<Void, Never>?
  /// The number of previews that only the holder of the lock may see.
  private var viewers = 0
  /// True once locks that dead processes left at this sensor were searched for.
  var hasCheckedLeftLocks = false
  /// The sessions of left locks that the sensor did not release at the last attempt.
  var refusedLocks: Set<SensorUUID> = []
  /// The lock of this station at the sensor, from its request until a response shows that it is released.
  var ownLock: OwnLock?
  /// True if the sensor did not confirm the release of a lock that no sequence uses.
  private var keepsLock: Bool { ownLock != nil && !state.holdsLock }

  /// A lock that was granted, or may have been.
  struct OwnLock {
    let session: SensorUUID
    /// True if the request had no response.
    ///
    /// The service may grant it at any time, so an earlier response does not prove it free.
    let isDoubted: Bool
  }

  /// - Parameter locks: The journal in which locks are written down before they are requested.
  init(_ caller: any SensorCaller, _ clock: LinkClock, _ times: LinkTimes, _ locks: any LockJournal) {
    self.caller = caller
    self.locks = locks
    address = caller.address
    self.clock = clock
    self.times = times
    lastReading = clock.now()
  }

  /// True if a capture can begin without registering or initializing.
  var isReady: Bool { state.session != nil && state.isInitialized }

  /// Returns the service's information: requested at the first use and after each failure, and again when it is old or
  /// the service behaves as if it were another.
  func knownInformation() async throws(SensorFault) -> ServiceInformation {
    let age = clock.now().seconds(since: lastReading)
    let isOld = age >= times.seconds(times.informationInMilliseconds)
    if let information, freshness == .current, !isOld { return information }
    let fresh: ServiceInformation
    do throws(SensorFault) {
      fresh = try await caller.serviceInformation(deadlineInSeconds: times.seconds(times.shortInMilliseconds))
    } catch {
      // A failed request keeps the information; the next use requests it again.
      if let information, freshness != .stale { return information }
      throw error
    }
    update(fresh)
    return information ?? fresh
  }

  /// Updates the service's information from any response; unchanged information is kept.
  func update(_ fresh: ServiceInformation) {
    (lastReading, freshness) = (clock.now(), .current)
    if let information, information.isSame(as: fresh) { return }
    isRenewed = isRenewed || information != nil
    information = fresh
  }

  /// Runs a sequence to its goal, after those that came before.
  ///
  /// - Parameter run: The operation in progress: it receives each step, is asked before captures, and can be canceled.
  func reach(_ goal: SequenceGoal, _ run: SequenceRun) async -> SequenceOutcome {
    guard await turns.take(unless: run) else { return SequenceOutcome(ending: .givenUp, keepsLock: keepsLock) }
    defer { turns.pass() }
    // The lock of a dropped session is left to any process; it was reported then.
    if goal != .disconnect, let old = ownLock, old.session != state.session { ownLock = nil }
    var outcome = await sequence(goal, run)
    if keepsLock, let ownLock {
      outcome.keepsLock = true
      run.report(.lockKept)
      if ownLock.session != state.session { await locks.abandon(HeldLock(address: address, session: ownLock.session)) }
    }
    keepAlive()
    return outcome
  }

  private func sequence(_ wanted: SequenceGoal, _ run: SequenceRun) async -> SequenceOutcome {
    if run.isCancelled { return SequenceOutcome(ending: .givenUp) }
    let goal: SequenceGoal
    switch await prepared(wanted) {
    case .success(let prepared): goal = prepared
    case .failure(let unable): return SequenceOutcome(ending: unable.ending)
    }
    if isRenewed {
      // The setting was taken by a service that is another now.
      (state.configuration, state.readBack, isRenewed) = (nil, nil, false)
    }
    if case .capture = goal, state.session == nil, let stolen = await takeOverStolenLock() { state = stolen }
    var sequence = SensorSequence(goal, from: state, patience: times.patience)
    var advice = sequence.begin()
    while true {
      switch advice {
      case .finished(let outcome):
        state = sequence.state
        if case .failed = outcome.ending { freshness = .stale }
        return outcome
      case .wait(let milliseconds, let status):
        run.report(.waiting(status, milliseconds: milliseconds))
        let isOver = await run.sleep(milliseconds, clock)
        advice = sequence.receive(isOver && !run.isCancelled ? .waited : .givenUp)
      case .ask(let step):
        if run.isCancelled, step != .unlock, step != .unregister {
          advice = sequence.receive(.givenUp)
        } else {
          let event = await perform(step, sequence.state, goal, run)
          check(step, event)
          advice = sequence.receive(event)
          state = sequence.state
        }
      }
    }
  }

  /// Doubts the information if the service forgot its sessions, as after a restart, or refuses what should be valid.
  private func check(_ step: SequenceStep, _ event: SequenceEvent) {
    guard case .answered(let response) = event else { return }
    switch response.status {
    case .invalidID: doubtInformation()
    case .badValue, .noSuchParameter, .unsupported: if step == .configure { doubtInformation() }
    case .success, .failure, .canceled, .canceledWithSensorFailure, .sensorFailure, .lockNotHeld, .lockHeldByAnother,
      .initializationNeeded, .configurationNeeded, .sensorBusy, .sensorTimeout, .preparingDownload, .unknown:
      break
    }
  }

  private func doubtInformation() { if freshness == .current { freshness = .doubted } }

  /// A goal that cannot be reached.
  private struct Unable: Error {
    let ending: SequenceOutcome.Ending
  }

  /// Returns the goal with the sendable part of its configuration; refused before any request if the service would not
  /// accept it.
  private func prepared(_ goal: SequenceGoal) async -> Result<SequenceGoal, Unable> {
    guard goal != .disconnect else { return .success(goal) }
    let information: ServiceInformation
    do throws(SensorFault) {
      information = try await knownInformation()
    } catch {
      let report = error.report
      return .failure(Unable(ending: .failed(.register, reason: report.message, advice: report.advice)))
    }
    guard let configuration = goal.configuration else { return .success(goal) }
    let check = ConfigurationCheck(configuration, for: information)
    guard check.problems.isEmpty else {
      // The service may accept it by now.
      doubtInformation()
      let text = "the sensor does not accept a setting: " + check.problems.joined(separator: ", ")
      return .failure(Unable(ending: .refused(.configure, .badValue, message: text, badFields: check.keys)))
    }
    return .success(goal.with(check.sendable))
  }
}

// MARK: - Steps

extension SensorLink {
  private func perform(
    _ step: SequenceStep, _ state: LinkState, _ goal: SequenceGoal, _ run: SequenceRun
  ) async -> SequenceEvent {
    run.report(.asking(step))
    let request = request(step, state, goal)
    if step == .lock { return await lock(request, goal, run) }
    guard step == .capture else {
      let (event, watcher) = await ask(request, step, run)
      await watcher?.value
      return event
    }
    guard let session = state.session else { return .failed(StepFailure(reach: .notSent, reason: "no session")) }
    do {
      try await run.hooks.willCapture(session)
    } catch {
      // No request is sent to a sensor before it is recorded.
      return .failed(StepFailure(unrecorded: error))
    }
    // A cancel that reaches the service before its target would end nothing.
    if run.isCancelled {
      await run.hooks.didCapture(.failed(StepFailure(reach: .notSent, reason: "given up")))
      return .givenUp
    }
    let (event, watcher) = await ask(request, step, run)
    await run.hooks.didCapture(event)
    await watcher?.value
    return event
  }

  private func request(_ step: SequenceStep, _ state: LinkState, _ goal: SequenceGoal) -> SensorRequest {
    var request = SensorRequest(step.operation)
    request.session = step.operation.needsSession ? state.session : nil
    request.configuration = step == .configure ? goal.configuration : nil
    request.deadlineInSeconds = times.seconds(
      step.operation.isOfSensor
        ? operationTime(step.operation) + times.cancelAttempts * times.cancelInMilliseconds
          + times.graceInMilliseconds
        : times.shortInMilliseconds)
    return request
  }

  /// Returns the time after which an operation of the sensor is canceled, in milliseconds.
  private func operationTime(_ operation: SensorOperation) -> Int {
    (information?.timeoutInMilliseconds(of: operation) ?? 30_000) + times.marginInMilliseconds
  }

  /// Sends a request, and cancels an operation of the sensor that takes too long or that the user cancels.
  ///
  /// The cancel uses a second connection while the first stays open, as its response may still announce a finished
  /// capture.
  ///
  /// - Returns: The event, and a task that ends once no cancel is in progress, as a late one would end the next
  ///   request.
  func ask(
    _ request: SensorRequest, _ step: SequenceStep, _ run: SequenceRun
  ) async -> (event: SequenceEvent, watcher: Task<Void, Never>?) {
    let asking = Task { [caller] in
      do throws(SensorFault) {
        return Result<SensorAnswer, SensorFault>.success(try await caller.ask(request, into: nil))
      } catch {
        return .failure(error)
      }
    }
    let watcher = request.operation.isOfSensor ? watch(asking, request, run) : nil
    let result = await asking.value
    watcher?.cancel()
    follow(request, result)
    switch result {
    case .success(let response):
      run.report(.answered(step, response.status))
      if response.status == .lockHeldByAnother { run.report(.held(message: response.message)) }
      return (.answered(response), watcher)
    case .failure(let fault):
      run.report(.answered(step, nil))
      return (.failed(StepFailure(fault, request)), watcher)
    }
  }

  /// Cancels an operation at the service when its time is over or the user cancels, and gives up the response some time
  /// later.
  private func watch(
    _ asking: Task<Result<SensorAnswer, SensorFault>, Never>, _ request: SensorRequest, _ run: SequenceRun
  ) -> Task<Void, Never> {
    let limit = operationTime(request.operation)
    return Task { [caller, clock, times] in
      _ = await run.sleep(limit, clock)
      guard !Task.isCancelled else { return }
      let cancel = SensorRequest(
        .cancel, session: request.session, deadlineInSeconds: times.seconds(times.cancelInMilliseconds))
      run.report(.canceling)
      // A hanging service may also leave the cancel without a response, and recover at the next one. A service that had
      // not begun the operation has ended nothing.
      let grace = times.graceInMilliseconds / max(1, times.cancelAttempts)
      for _ in 0..<times.cancelAttempts {
        // In a separate task: a request already sent is awaited, even if its response is no longer needed.
        _ = await Task { try? await caller.ask(cancel, into: nil) }.value
        guard (try? await clock.sleep(grace)) != nil, !Task.isCancelled else { return }
      }
      asking.cancel()
    }
  }

  fileprivate static let notRecorded = "cannot write it to the journal"
}

// MARK: - The lock and the session

extension SensorLink {
  /// Requests a single operation, with the existing session or a new one.
  func ask(_ operation: SensorOperation, configuration: WireDictionary? = nil) async throws(SensorFault)
    -> SensorAnswer
  {
    await turns.take()
    defer { turns.pass() }
    return try await perform(operation, configuration)
  }

  private func perform(_ operation: SensorOperation, _ configuration: WireDictionary? = nil) async throws(SensorFault)
    -> SensorAnswer
  {
    if operation.needsSession, state.session == nil {
      let response = try await caller.ask(short(.register), into: nil)
      guard response.status == .success, let session = response.sessionID else { return response }
      state = LinkState(session: session)
    }
    var request = short(operation)
    request.configuration = configuration
    if operation.isOfSensor { request.deadlineInSeconds = times.seconds(operationTime(operation)) }
    var response = try await send(request)
    if operation == .tryLock, response.status == .lockHeldByAnother,
      await releaseLeftLocks(stolen: false, { _ in }, unless: SequenceRun())
    {
      response = try await send(request)
    }
    update(operation, response)
    keepAlive()
    return response
  }

  /// Requests an operation with consequences for the recorded locks.
  private func send(_ request: SensorRequest) async throws(SensorFault) -> SensorAnswer {
    if request.operation.takesLock, let session = request.session {
      do {
        try await prepareLock(session, SequenceRun())
      } catch {
        let failure = StepFailure(unrecorded: error)
        throw SensorFault(
          .failed(reason: failure.reason, advice: failure.advice), .notSent, request.operation, address: address.text)
      }
    }
    let result: Result<SensorAnswer, SensorFault>
    do throws(SensorFault) { result = .success(try await caller.ask(request, into: nil)) } catch {
      result = .failure(error)
    }
    follow(request, result)
    return try result.get()
  }

  private func update(_ operation: SensorOperation, _ response: SensorAnswer) {
    switch (operation, response.status) {
    case (.register, .success): state = LinkState(session: response.sessionID)
    case (.unregister, .success): state = LinkState()
    case (_, .invalidID):
      state = LinkState()
      doubtInformation()
    // The previous holder may have changed the configuration.
    case (.tryLock, .success), (.stealLock, .success): (state.holdsLock, state.configuration) = (true, nil)
    case (.unlock, _), (_, .lockHeldByAnother), (_, .lockNotHeld): state.holdsLock = false
    case (.initialize, .success): (state.isInitialized, state.configuration) = (true, nil)
    case (.uninitialize, _), (_, .sensorFailure), (_, .canceledWithSensorFailure), (_, .initializationNeeded):
      (state.isInitialized, state.configuration) = (false, nil)
    case (.setConfiguration, _): state.configuration = nil
    default: break
    }
  }

  /// Steals the lock from its holder, and verifies it: some services report success and change nothing.
  ///
  /// - Parameter cancels: True to cancel the operation that the other holder has begun.
  func steal(cancels: Bool) async throws(SensorFault) -> SensorAnswer {
    var response = try await ask(.stealLock)
    if response.status == .failure, let text = try? await knownInformation().stealingWords, !text.isEmpty {
      response.message += response.message.isEmpty ? text : "; \(text)"
    }
    guard response.status == .success else { return response }
    let proof = try await ask(.tryLock)
    guard proof.status == .success else { return proof }
    return cancels ? try await ask(.cancel) : response
  }

  /// Counts a viewer of content for the holder of the lock; each ends with ``removeViewer()``.
  func addViewer() { viewers += 1 }

  /// Acquires the lock for viewers, or keeps it and its session; never steals it.
  func hold() async throws(SensorFault) -> SensorAnswer {
    await turns.take()
    defer { turns.pass() }
    if Task.isCancelled { throw SensorFault(.cancelled, .notSent, .tryLock, address: address.text) }
    do throws(SensorFault) {
      let response = try await perform(.tryLock)
      // The session had ended: another one replaces it.
      return response.status == .invalidID ? try await perform(.tryLock) : response
    } catch {
      // The lock may be ours, and is then released.
      if error.mayHaveHappened, state.session != nil { state.holdsLock = true }
      throw error
    }
  }

  /// Releases the lock when the last viewer has left.
  func removeViewer() async {
    viewers -= 1
    await turns.take()
    defer { turns.pass() }
    guard viewers == 0, state.holdsLock else { return }
    _ = try? await perform(.unlock)
    await locks.settleLocks()
  }

  /// Releases lock and session.
  func leave() async {
    keeping?.cancel()
    keeping = nil
    _ = await reach(.disconnect, SequenceRun())
    await locks.settleLocks()
  }

  private func short(_ operation: SensorOperation) -> SensorRequest {
    SensorRequest(
      operation, session: operation.needsSession ? state.session : nil,
      deadlineInSeconds: times.seconds(times.shortInMilliseconds))
  }

  /// Keeps the session from expiring.
  ///
  /// An unlock is requested every third of its inactivity timeout. It succeeds if the lock is free, and does not
  /// disturb a holder.
  private func keepAlive() {
    keeping?.cancel()
    keeping = nil
    guard state.session != nil, let pause = information?.keepAliveIntervalInMilliseconds else { return }
    keeping = Task { [weak self, clock] in
      while (try? await clock.sleep(pause)) != nil, !Task.isCancelled {
        guard let self, await self.touchSession() else { return }
      }
    }
  }

  /// - Returns: True if there is still a session to keep.
  private func touchSession() async -> Bool {
    // The task with the turn uses the session, and may be about to acquire the lock that this would release.
    guard turns.takeIfFree() else { return true }
    defer { turns.pass() }
    guard state.session != nil, !state.holdsLock else { return false }
    let response = try? await send(short(.unlock))
    if response?.status == .invalidID { state = LinkState() }
    return state.session != nil
  }
}

extension StepFailure {
  /// Creates the failure of a step from a fault of the connection.
  fileprivate init(_ fault: SensorFault, _ request: SensorRequest) {
    let report = fault.report
    let reach: Reach =
      if case .status(404) = fault.kind, request.session != nil {
        .unknownAddress
      } else {
        fault.mayHaveHappened ? .unknown : .notSent
      }
    self.init(reach: reach, reason: report.message, advice: report.advice)
  }

  /// Creates the failure of a step that was not requested, as the journal could not record it.
  init(unrecorded error: any Error) {
    let advice = (error as? any ReportableError)?.report.advice
    self.init(reach: .notSent, reason: error.message(or: SensorLink.notRecorded), advice: advice)
  }
}
