import PluginAPI
import PluginSimulation
import Synchronization

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
    _ operation: SimulatedOperation, _ session: String, _ faults: [SimulatorFaultRule], _ work: Work,
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
  func obstacle(_ operation: SimulatedOperation, _ state: State) -> SimulatedStatus? {
    if operation == .initialize { return nil }
    if state.isBroken { return .sensorFailure }
    if operation == .uninitialize { return nil }
    if !state.isInitialized { return .initializationNeeded }
    let isForConfiguration = operation == .setConfiguration
    return configuration.requiresConfiguration && !state.isConfigured && !isForConfiguration
      ? .configurationNeeded : nil
  }

  /// Returns work that is refused, or changes the state.
  func plainWork(_ operation: SimulatedOperation, _ faults: [SimulatorFaultRule], _ commit: @escaping Commit) -> Work {
    Work(delayInMilliseconds: faults.contains(.hold) ? nil : configuration.workDelayInMilliseconds) {
      { state in
        if let obstacle = self.obstacle(operation, state) { return SimulatedAnswer(obstacle) }
        return commit(&state)
      }
    }
  }
}

extension SimulatedSensor {
  func initialize(_ route: SimulatedRoute, _ faults: [SimulatorFaultRule]) async -> SimulatedReply {
    await perform(route, faults) { _, _ in
      var work = plainWork(.initialize, faults) { state in
        if state.isBroken { (state.isConfigured, state.configuration) = (false, [:]) }
        (state.isInitialized, state.isBroken) = (true, false)
        return .success
      }
      let commit = work.prepare
      work.prepare = {
        do {
          try await self.source.check()
          return await commit()
        } catch {
          return Self.failure(error)
        }
      }
      return work
    }
  }

  /// Returns a commit that marks the sensor as failed until it is initialized again.
  private static func failure(_ error: any Error) -> Commit {
    let message = (error as? any ReportableError)?.report.message ?? "the sensor failed"
    return { state in
      (state.isBroken, state.isInitialized) = (true, false)
      return SimulatedAnswer(.sensorFailure, message: message)
    }
  }

  func uninitialize(_ route: SimulatedRoute, _ faults: [SimulatorFaultRule]) async -> SimulatedReply {
    await perform(route, faults) { _, _ in
      plainWork(.uninitialize, faults) { state in
        (state.isInitialized, state.isConfigured, state.configuration) = (false, false, [:])
        return .success
      }
    }
  }

  func readConfiguration(_ route: SimulatedRoute, _ faults: [SimulatorFaultRule]) async -> SimulatedReply {
    await perform(route, faults) { _, _ in
      plainWork(.getConfiguration, faults) { state in
        let all = self.profile.settings.map { setting in
          SimulatedItem(setting.name, state.configuration[setting.name] ?? setting.defaultValue)
        }
        return .about(all)
      }
    }
  }

  /// Applies a configuration, whole or not at all.
  func configure(
    _ route: SimulatedRoute, _ body: [UInt8], _ faults: [SimulatorFaultRule]
  ) async -> SimulatedReply {
    if body.isEmpty {
      let trace = "java.lang.NullPointerException\n\tat Service.setConfiguration(Service.java:412)"
      return configuration.actualManner == .java ? .status(.failure, trace) : .http(400, type: nil, [])
    }
    let reader = SimulatedRequestReader(namespace: configuration.namespace.urn)
    var items: [SimulatedItem] = []
    switch reader.request(body) {
    case .items(let read): items = read
    case .malformed: return .http(400, type: nil, [])
    case .foreign:
      if !configuration.actuallyIgnoresForeign { return .http(400, type: nil, []) }
    }
    let isIgnored = faults.contains(.ignoreConfiguration)
    return await perform(route, faults) { _, _ in
      plainWork(.setConfiguration, faults) { [items] state in
        if let problem = self.profile.problem(with: items, current: state.configuration) { return problem }
        state.isConfigured = true
        if !isIgnored { for item in items { state.configuration[item.key] = item.value } }
        return .success
      }
    }
  }

  // MARK: Captures

  func capture(_ route: SimulatedRoute, _ faults: [SimulatorFaultRule]) async -> SimulatedReply {
    await perform(route, faults) { key, state in captureWork(key, faults, &state) }
  }

  /// Starts a capture and responds at once; the job continues.
  func beginCapture(_ route: SimulatedRoute, _ faults: [SimulatorFaultRule]) -> SimulatedReply {
    change { state in
      switch admission(route, &state) {
      case .refused(let reply): return reply
      case .admitted(let key):
        if let obstacle = obstacle(.beginCapture, state) { return .status(obstacle) }
        let work = captureWork(key, faults, &state)
        state.asyncCapture = AsyncCapture(session: key, task: begin(.capture, key, faults, work, &state))
        return .status(.success)
      }
    }
  }

  /// Waits for the capture that was begun; the holder of the lock receives it.
  func endCapture(_ route: SimulatedRoute) async -> SimulatedReply {
    let admitted: (reply: SimulatedReply?, task: Task<SimulatedAnswer, Never>?) = change { state in
      switch admission(route, &state) {
      case .refused(let reply): return (reply, nil)
      case .admitted: return (nil, state.asyncCapture?.task)
      }
    }
    if let reply = admitted.reply { return reply }
    guard let task = admitted.task else { return .status(.failure, "no capture was begun") }
    let response = await task.value
    change { $0.asyncCapture = nil }
    return .document(response)
  }

  /// Returns the work of a capture: wait for the person, make the data, store it.
  private func captureWork(_ key: String, _ faults: [SimulatorFaultRule], _ state: inout State) -> Work {
    let session = state.sessions[key]?.id ?? key
    if let obstacle = obstacle(.capture, state) {
      return Work(delayInMilliseconds: 0) { { _ in SimulatedAnswer(obstacle) } }
    }
    let orders = orders(&state)
    let values = state.configuration
    return Work(delayInMilliseconds: faults.contains(.hold) ? nil : configuration.captureDelayInMilliseconds) {
      var made: [(SceneOrder, SceneCapture)] = []
      do {
        for order in orders { made.append((order, try await self.source.make(order))) }
      } catch {
        return Self.failure(error)
      }
      return { [made] state in
        let response = self.store(made, session, values, &state)
        if faults.contains(.die) { (state.isBroken, state.isInitialized) = (true, false) }
        return response
      }
    }
  }

  /// Returns the captures that a call makes now.
  private func orders(_ state: inout State) -> [SceneOrder] {
    var order = order(state)
    var names = [order.submodality]
    if let sides = ["BothIrises": ["LeftIris", "RightIris"]][order.submodality] { names = sides }
    if configuration.segmentsSlaps { names += SimulatedFingers.segments(order.submodality) }
    if let count = configuration.capturesPerCall { names = (0..<max(1, count)).map { names[$0 % names.count] } }
    return names.map { name in
      state.impressions += 1
      (order.submodality, order.impression) = (name, state.impressions)
      return order
    }
  }

  /// Returns the frames of the live preview.
  ///
  /// - Throws: The reason there are none.
  func preview() async throws -> any PreviewReel {
    var order = order(snapshot)
    order.pixelsPerInch = 250
    return try await source.preview(order)
  }

  private func order(_ state: State) -> SceneOrder {
    func value(_ name: String) -> SimulatedValue? { state.configuration[name] ?? profile.setting(name)?.defaultValue }
    let submodality = value("submodality")?.plainText ?? profile.submodalities[0]
    var size: SceneOrder.Size?
    if case .resolution(let width, let height, _)? = value("imageSize"), let width = Int(width),
      let height = Int(height)
    {
      size = .init(width: width, height: height)
    }
    return SceneOrder(
      sensor: number, modality: profile.modality, submodality: submodality, person: state.person, impression: 0,
      contentType: value("imageContentType")?.plainText ?? "image/bmp", size: size,
      pixelsPerInch: value("imageDensity")?.plainText.flatMap(Int.init) ?? 500)
  }
}

/// A wait that can be ended early; it blocks no thread.
final class SimulatedPause: Sendable {
  private struct State {
    var hasEnded = false
    var timer: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// Waits so long, or for ever, or until it was ended.
  func wait(milliseconds: Int?) async {
    if milliseconds == 0 { return }
    let timer = Task {
      if let milliseconds {
        try? await Task.sleep(for: .milliseconds(milliseconds))
      } else {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
      }
    }
    let hasEnded = state.withLock { state in
      state.timer = timer
      return state.hasEnded
    }
    if hasEnded { timer.cancel() }
    await timer.value
  }

  /// True if the pause was ended by hand.
  var wasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Ends the wait, now or as soon as it begins.
  func end() {
    state.withLock { state in
      state.hasEnded = true
      state.timer?.cancel()
    }
  }
}
