import PluginSimulation
import Synchronization

/// One simulated service: its sessions, its lock, its sensor and its captures.
final class SimulatedSensor: Sendable {
  /// A client that has registered.
  struct Session: Sendable {
    /// The id as it was issued.
    let id: String
    /// Milliseconds since 1970.
    var lastCall: Int
  }

  /// The operation in progress.
  struct Job: Sendable {
    let number: Int
    let operation: SimulatedOperation
    /// The key of the requesting session.
    let session: String
    let pause = SimulatedPause()
    /// The status of the job if it was canceled.
    var cancelled: SimulatedStatus?
    /// The status that a cancel gives the job; nil if a cancel arrives too late.
    var cancelStatus: SimulatedStatus?
  }

  /// Data that can be downloaded.
  struct Capture: Sendable {
    let id: String
    let data: SimulatedData
    let image: SimulatedImage?
    let contentType: String
    let metadata: [SimulatedItem]
    /// The time when the data is ready, in milliseconds since 1970.
    let readyAt: Int
    /// Grows with every use.
    var lastUse: Int
  }

  /// The state of a capture that was begun and not yet ended.
  struct AsyncCapture: Sendable {
    let session: String
    let task: Task<SimulatedAnswer, Never>
  }

  struct State: Sendable {
    var chance: SeededChance
    /// By ids in lower case.
    var sessions: [String: Session] = [:]
    var lockHolder: String?
    /// The start of the sensor's last operation.
    var lastWork: Int?
    var isInitialized = false
    var isConfigured = false
    var configuration: [String: SimulatedValue] = [:]
    /// True if the sensor fails until it is initialized.
    var isBroken = false
    /// True if the service does not respond at all.
    var isDead = false
    var job: Job?
    var jobCount = 0
    var asyncCapture: AsyncCapture?
    /// By ids in lower case.
    var captures: [String: Capture] = [:]
    var storedBytes = 0
    var useCount = 0
    var impressions = 0
    var person = 1
    /// The number of frames of its live preview that were sent.
    var frameCount = 0
    /// Finished calls that wait for a cancel before they respond.
    var frozen: [SimulatedPause] = []
    var waiters: [(condition: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
  }

  /// From 1.
  let number: Int
  let configuration: SimulatorConfiguration
  let profile: SensorProfile
  let clock: SimulatedClock
  let ledger: CaptureLedger
  let source: any SensorScene
  private let state: Mutex<State>

  init(
    _ number: Int, _ configuration: SimulatorConfiguration, _ clock: SimulatedClock, _ ledger: CaptureLedger,
    _ source: any SensorScene, _ profile: SensorProfile? = nil
  ) {
    (self.number, self.configuration, self.clock) = (number, configuration, clock)
    (self.ledger, self.source) = (ledger, source)
    let modalities = configuration.modalities.isEmpty ? [.finger] : configuration.modalities
    self.profile = profile ?? SensorProfile(modalities[(number - 1) % modalities.count], configuration)
    let chance = SeededChance(configuration.idSeed ?? configuration.seed, number)
    state = Mutex(State(chance: chance, person: configuration.person))
  }

  /// Changes the state, and wakes callers that wait for it.
  func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, ready) = state.withLock { state in
      let result = body(&state)
      var ready: [CheckedContinuation<Void, Never>] = []
      if !state.waiters.isEmpty {
        let now = state
        state.waiters.removeAll { waiter in
          guard waiter.condition(now) else { return false }
          ready.append(waiter.continuation)
          return true
        }
      }
      return (result, ready)
    }
    for continuation in ready { continuation.resume() }
    return result
  }

  /// A copy of the current state.
  var snapshot: State { state.withLock { $0 } }

  /// Waits until the state is so.
  func reaches(_ condition: @escaping @Sendable (State) -> Bool) async {
    await withCheckedContinuation { continuation in
      change { $0.waiters.append((condition, continuation)) }
    }
  }

  /// Returns the key of a text in the form of a UUID; nil for any other text.
  static func key(of text: String?) -> String? {
    guard let text else { return nil }
    let lengths = text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
    let isWhole = lengths == [8, 4, 4, 4, 12] && text.utf8.allSatisfy { $0 == 0x2D || isHexadecimal($0) }
    return isWhole ? text.lowercased() : nil
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }
}

/// A sensor's reply to a call.
enum SimulatedReply: Sendable {
  case document(SimulatedAnswer)
  /// A plain HTTP response.
  case http(Int, type: String?, [UInt8])
  /// Bare data with its type.
  case data(SimulatedData, type: String)
  /// A live preview; `isEmpty` is true if it has no frames because its session does not hold the lock.
  case preview(session: String?, isEmpty: Bool)

  static func status(_ status: SimulatedStatus, _ message: String? = nil) -> Self {
    .document(SimulatedAnswer(status, message: message))
  }
}

extension SimulatedSensor {
  /// Responds to a call, as far as the faults that change the sensor allow.
  ///
  /// - Parameter base: The address of this service.
  func respond(
    to route: SimulatedRoute, _ body: [UInt8], base: String, _ faults: [SimulatorFaultRule]
  ) async -> SimulatedReply {
    let reply = await plainAnswer(route, body, base: base, faults)
    if faults.contains(.freeze) {
      let pause = SimulatedPause()
      change { $0.frozen.append(pause) }
      await pause.wait(milliseconds: nil)
    }
    return reply
  }

  private func plainAnswer(
    _ route: SimulatedRoute, _ body: [UInt8], base: String, _ faults: [SimulatorFaultRule]
  ) async -> SimulatedReply {
    switch route.operation {
    case .initialize: return await initialize(route, faults)
    case .uninitialize: return await uninitialize(route, faults)
    case .getConfiguration: return await readConfiguration(route, faults)
    case .setConfiguration: return await configure(route, body, faults)
    case .capture: return await capture(route, faults)
    case .beginCapture: return beginCapture(route, faults)
    case .endCapture: return await endCapture(route)
    default: return change { state in quickAnswer(route, base: base, faults, &state) }
    }
  }

  /// Returns the reply to a call that needs no work of the sensor.
  private func quickAnswer(
    _ route: SimulatedRoute, base: String, _ faults: [SimulatorFaultRule], _ state: inout State
  ) -> SimulatedReply {
    switch route.operation {
    case .register: register(&state)
    case .unregister: unregister(route, &state)
    case .tryLock: tryLock(route, &state)
    case .stealLock: stealLock(route, faults, &state)
    case .unlock: unlock(route, &state)
    case .cancel: cancel(route, &state)
    case .getServiceInfo: .document(information(base: base))
    case .getSensorStatus: .document(status(state))
    case .rawDownload: rawDownload(route, faults, &state)
    case .stream: stream(route, state)
    default: download(route, faults, &state)
    }
  }

  private func stream(_ route: SimulatedRoute, _ state: State) -> SimulatedReply {
    guard configuration.hasPreview else { return .http(404, type: nil, []) }
    switch (route.stream, route.session) {
    case ("live"?, nil) where !configuration.hasOpenPreview: return .http(403, type: nil, [])
    case ("live"?, nil): return .preview(session: nil, isEmpty: false)
    case ("locked"?, nil): return .http(403, type: nil, [])
    case ("locked"?, let session?):
      guard let key = Self.key(of: session) else { return .http(404, type: nil, []) }
      return .preview(session: key, isEmpty: state.lockHolder != key)
    default: return .http(404, type: nil, [])
    }
  }

  // MARK: Actions on the sensor

  /// Restarts the service: no sessions, no lock, not initialized; captures stay.
  func restart() {
    change { state in
      cancelJob(&state)
      (state.job, state.asyncCapture) = (nil, nil)
      (state.sessions, state.lockHolder, state.lastWork) = ([:], nil, nil)
      (state.isInitialized, state.isConfigured, state.configuration) = (false, false, [:])
      (state.isBroken, state.isDead) = (false, false)
      for pause in state.frozen { pause.end() }
      state.frozen = []
    }
  }

  /// Ends its wait: the person has come.
  func release() { change { $0.job?.pause.end() } }

  /// Stops all responses from now on, even the service information, or resumes them; its sessions stay.
  func setDead(_ isDead: Bool) {
    change { state in
      state.isDead = isDead
      guard isDead else { return }
      cancelJob(&state)
      for pause in state.frozen { pause.end() }
      state.frozen = []
    }
  }

  /// Breaks the sensor until it is initialized.
  func breakSensor() { change { ($0.isBroken, $0.isInitialized) = (true, false) } }

  /// Sets the person at the sensor.
  func setPerson(_ number: Int) { change { $0.person = number } }
}

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
    var response = SimulatedAnswer(.badValue)
    response.badFields = fields
    return .document(response)
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
    var response = SimulatedAnswer.success
    response.sessionID = id
    return .document(response)
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
