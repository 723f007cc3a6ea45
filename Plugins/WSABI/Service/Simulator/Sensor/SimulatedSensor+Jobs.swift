extension SimulatedSensor {
  /// The change that a finished job applies to the state.
  typealias Commit = @Sendable (inout State) -> SimulatedAnswer

  /// The steps of a job.
  struct Work: Sendable {
    /// The delay of the job; nil to wait forever.
    var delayInMilliseconds: Int?
    /// The part computed without the state.
    var prepare: @Sendable () async -> Commit
  }

  /// Performs an operation of the sensor, which does only one at a time.
  ///
  /// The job continues whatever happens to the call: a client that disconnects does not end it.
  func perform(
    _ route: SimulatedRoute, _ faults: [SimulatorFaultRule], _ work: (String, inout State) -> Work
  ) async -> SimulatedReply {
    let admitted: (reply: SimulatedReply?, task: Task<SimulatedAnswer, Never>?) = change { state in
      switch admission(route, &state) {
      case .refused(let reply): return (reply, nil)
      case .admitted(let key): return (nil, begin(route.operation, key, faults, work(key, &state), &state))
      }
    }
    if let reply = admitted.reply { return reply }
    return .document(await admitted.task?.value ?? SimulatedAnswer(.failure))
  }

  /// Notes a job and starts it.
  func begin(
    _ operation: SensorOperation, _ session: String, _ faults: [SimulatorFaultRule], _ work: Work,
    _ state: inout State
  ) -> Task<SimulatedAnswer, Never> {
    state.jobCount += 1
    var job = Job(number: state.jobCount, operation: operation, session: session)
    job.cancelStatus =
      faults.contains(.lateCancel) ? nil : faults.contains(.cancelFailure) ? .canceledWithSensorFailure : .canceled
    state.job = job
    state.lastWork = clock.now
    if faults.contains(.thief) { thieve(job.number) }
    return Task { [job] in await self.run(job, work) }
  }

  private func run(_ job: Job, _ work: Work) async -> SimulatedAnswer {
    let limit = configuration.timeoutInMilliseconds
    let isTooLong = work.delayInMilliseconds.map { $0 > limit } ?? true
    await job.pause.wait(milliseconds: isTooLong ? limit : work.delayInMilliseconds)
    // A pause that was ended by hand is a person who came in time.
    let isTimedOut = isTooLong && !job.pause.wasEnded
    let isWanted = change { state in state.job?.number == job.number && state.job?.cancelled == nil }
    let commit: Commit? = isWanted && !isTimedOut ? await work.prepare() : nil
    return change { state in
      guard let current = state.job, current.number == job.number else { return SimulatedAnswer(.canceled) }
      state.job = nil
      // The session was not silent, however long the person took.
      state.sessions[job.session]?.lastCall = clock.now
      if let cancelled = current.cancelled {
        if cancelled == .canceledWithSensorFailure { (state.isInitialized, state.isBroken) = (false, true) }
        return SimulatedAnswer(cancelled)
      }
      if isTimedOut { return SimulatedAnswer(.sensorTimeout) }
      return commit?(&state) ?? SimulatedAnswer(.canceled)
    }
  }

  /// Lets another client steal the lock and cancel as soon as the job runs.
  private func thieve(_ number: Int) {
    Task {
      change { state in
        guard state.job?.number == number else { return }
        let thief = state.chance.identifier()
        state.sessions[thief] = Session(id: thief, lastCall: clock.now)
        state.lockHolder = thief
        cancelJob(&state)
      }
    }
  }

  /// Gives the lock to another client.
  func giveLockToAnother() {
    change { state in
      let other = state.chance.identifier()
      state.sessions[other] = Session(id: other, lastCall: clock.now)
      state.lockHolder = other
    }
  }

  /// Returns the status of a sensor that cannot do its work; nil if it can.
  func obstacle(_ operation: SensorOperation, _ state: State) -> SimulatedStatus? {
    if operation == .initialize { return nil }
    if state.isBroken { return .sensorFailure }
    if operation == .uninitialize { return nil }
    if !state.isInitialized { return .initializationNeeded }
    let isForConfiguration = operation == .setConfiguration
    return configuration.requiresConfiguration && !state.isConfigured && !isForConfiguration
      ? .configurationNeeded : nil
  }

  /// Returns work that is refused, or changes the state.
  func plainWork(_ operation: SensorOperation, _ faults: [SimulatorFaultRule], _ commit: @escaping Commit) -> Work {
    Work(delayInMilliseconds: faults.contains(.hold) ? nil : configuration.workDelayInMilliseconds) {
      { state in
        if let obstacle = self.obstacle(operation, state) { return SimulatedAnswer(obstacle) }
        return commit(&state)
      }
    }
  }
}
