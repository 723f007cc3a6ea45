/// The sequence of operations from a link's assumed state of its service to a goal.
///
/// A pure state machine: it receives the result of each step and returns the next action. It repairs each of these
/// once: a dropped session, a lost lock, a sensor that must be initialized or configured, a failed sensor. It waits for
/// a busy sensor and for another holder of the lock, within limits, and never steals a lock. A capture is requested
/// again only if the service reported that there was none.
///
/// - Source: the reactions to statuses in NIST SP 500-288, as wsabi2 sketches them, completed.
struct SensorSequence: Sendable {
  let goal: SequenceGoal
  /// The assumptions about the service; the link keeps them for the next sequence.
  private(set) var state: LinkState
  /// The current step, requested or waited for; nil before the start and after the end.
  private(set) var current: SequenceStep?

  /// The waiting times for a busy sensor and for another holder of the lock, over the whole sequence.
  ///
  /// The waits double from the first to the last.
  struct Patience: Sendable, Hashable {
    var firstInMilliseconds = 250
    var lastInMilliseconds = 4000
    var attempts = 6

    /// Returns the wait before a retry, counted from 0; nil once no more retries are allowed.
    func wait(_ attempt: Int) -> Int? {
      guard attempt < attempts else { return nil }
      return min(lastInMilliseconds, firstInMilliseconds << min(attempt, 16))
    }
  }

  /// A problem that is repaired once per sequence.
  private enum Ill: Hashable {
    case session
    case lock
    case initialization
    case configuration
    case sensor
  }

  private let patience: Patience
  private var healed: Set<Ill> = []
  /// Never reset, so that repeatedly losing the lock ends in giving up.
  private var waits = 0
  private var captured: [SensorUUID] = []
  private var isReadBack = false
  private var warnings: [String] = []
  /// The ending of the sequence, once the lock is released.
  private var ending: SequenceOutcome.Ending?

  init(_ goal: SequenceGoal, from state: LinkState, patience: Patience = Patience()) {
    self.goal = goal
    self.state = state
    self.patience = patience
  }

  /// Returns the first action.
  mutating func begin() -> SequenceAdvice { next() }

  /// Receives the result of the current step, and returns the next action.
  mutating func receive(_ event: SequenceEvent) -> SequenceAdvice {
    guard let step = current else { return finished() }
    switch event {
    case .waited: return .ask(step)
    case .givenUp: return givenUp(step)
    case .answered(let response): return answered(step, response)
    case .failed(let failure): return failed(step, failure)
    }
  }
}

// MARK: - Steps

extension SensorSequence {
  /// Returns the next missing step of the assumed state.
  private mutating func next() -> SequenceAdvice {
    let step = ending == nil ? (goal == .disconnect ? missingForLeaving : missing) : leaving
    current = step
    guard let step else { return finished() }
    return .ask(step)
  }

  private var missing: SequenceStep? {
    if isReached { return leaving }
    if state.session == nil { return .register }
    if !state.holdsLock { return .lock }
    if !state.isInitialized { return .initialize }
    if let wanted = goal.configuration {
      if state.configuration != wanted { return .configure }
      if !isReadBack, mustReadBack(wanted) { return .readBack }
    }
    if case .capture = goal { return .capture }
    return leaving
  }

  /// Returns true if the configuration must be read back: services report success for settings they do not understand.
  ///
  /// Before a capture this is done only the first time, as it takes the sensor a while.
  private func mustReadBack(_ wanted: WireDictionary) -> Bool {
    if case .configure = goal { return true }
    return !wanted.items.isEmpty && state.readBack != wanted
  }

  /// True if only the release of the lock remains.
  private var isReached: Bool {
    switch goal {
    case .connect: state.session != nil && state.isInitialized
    case .configure(let wanted): state.configuration == wanted && isReadBack
    case .capture: !captured.isEmpty
    case .disconnect: state.session == nil
    }
  }

  private var leaving: SequenceStep? { state.holdsLock ? .unlock : nil }

  /// The next step to leave the service.
  ///
  /// The lock is released first, as some services refuse to drop a session that holds it.
  private var missingForLeaving: SequenceStep? {
    if state.holdsLock { return .unlock }
    return state.session == nil ? nil : .unregister
  }

  private func finished() -> SequenceAdvice {
    if let ending { return .finished(SequenceOutcome(ending: ending, warnings: warnings)) }
    return .finished(SequenceOutcome(ending: captured.isEmpty ? .done : .captured(captured), warnings: warnings))
  }

  /// Ends the sequence after releasing the lock.
  private mutating func end(_ ending: SequenceOutcome.Ending) -> SequenceAdvice {
    if self.ending == nil { self.ending = ending }
    return next()
  }
}

// MARK: - Responses

extension SensorSequence {
  private mutating func answered(_ step: SequenceStep, _ response: SensorAnswer) -> SequenceAdvice {
    if response.status == .success { return succeeded(step, response) }
    if step == .capture, !response.captureIDs.isEmpty { return capturedBesideRefusal(response) }
    switch step {
    case .unlock:
      // A failed release of the lock does not end the sequence: the service frees the lock in time.
      state.holdsLock = false
      return next()
    case .unregister:
      if response.status == .sensorBusy, let wait = patienceLeft() {
        return .wait(milliseconds: wait, because: .sensorBusy)
      }
      state = LinkState()
      return next()
    case .register, .lock, .initialize, .configure, .readBack, .capture: return refused(step, response)
    }
  }

  private mutating func succeeded(_ step: SequenceStep, _ response: SensorAnswer) -> SequenceAdvice {
    switch step {
    case .register:
      guard let session = response.sessionID else {
        return end(.failed(step, reason: "the service returned no session"))
      }
      state = LinkState(session: session)
    case .lock: (state.holdsLock, state.configuration) = (true, nil)
    case .initialize:
      state.isInitialized = true
      state.configuration = nil
    case .configure:
      state.configuration = goal.configuration
      isReadBack = false
    case .readBack:
      isReadBack = true
      compare(response.metadata ?? WireDictionary())
    case .capture:
      guard !response.captureIDs.isEmpty else {
        return end(.unknown(reason: "the service reports a capture, but no capture id"))
      }
      captured = response.captureIDs
    case .unlock: state.holdsLock = false
    case .unregister: state = LinkState()
    }
    return next()
  }

  /// Handles ids that accompany a refusal: their data was captured, and must not be captured again.
  private mutating func capturedBesideRefusal(_ response: SensorAnswer) -> SequenceAdvice {
    captured = response.captureIDs
    warnings.append("the sensor captured, but responded with '\(response.status.word)'")
    switch response.status {
    case .invalidID: state = LinkState()
    case .lockNotHeld, .lockHeldByAnother: state.holdsLock = false
    case .sensorFailure, .canceledWithSensorFailure, .initializationNeeded:
      (state.isInitialized, state.configuration) = (false, nil)
    case .success, .failure, .canceled, .configurationNeeded, .sensorBusy, .sensorTimeout, .unsupported, .badValue,
      .noSuchParameter, .preparingDownload, .unknown:
      state.configuration = nil
    }
    return next()
  }

  /// Compares the sensor's configuration with the requested one; a setting that it does not report may not have been
  /// applied either.
  private mutating func compare(_ metadata: WireDictionary) {
    let before = warnings.count
    defer { if warnings.count == before { state.readBack = goal.configuration } }
    // A setting without a value need not be reported.
    let wanted = (goal.configuration?.items ?? []).filter { $0.value != .null || metadata[$0.key] != nil }
    if !wanted.isEmpty, wanted.allSatisfy({ metadata[$0.key] == nil }) {
      warnings.append("the sensor does not report its configuration")
      return
    }
    for item in wanted {
      if let value = metadata[item.key] {
        if !Self.isSame(item, value) { warnings.append("the sensor did not accept the setting '\(item.key)'") }
      } else {
        warnings.append("the sensor does not report the setting '\(item.key)'")
      }
    }
  }

  /// Returns true if a service reports the value it was given, or the same word in another spelling.
  private static func isSame(_ item: WireDictionary.Item, _ value: WireValue) -> Bool {
    if value == item.value { return true }
    guard let own = item.value.plainText, let reported = value.plainText else { return false }
    return reported.lowercased() == own.lowercased() || ServiceInformation.isSame(own, reported, under: item.key)
  }

  /// Continues if a service cannot report its configuration, as that does not prevent a capture.
  private mutating func notReadBack() -> SequenceAdvice {
    isReadBack = true
    state.readBack = goal.configuration
    warnings.append("the sensor cannot report its configuration")
    return next()
  }

  private mutating func refused(_ step: SequenceStep, _ response: SensorAnswer) -> SequenceAdvice {
    let refusal = SequenceOutcome.Ending.refused(
      step, response.status, message: response.message, badFields: response.badFields)
    switch response.status {
    case .invalidID: return heal(.session, { $0 = LinkState() }) ?? end(refusal)
    case .lockNotHeld:
      return heal(.lock, { $0.holdsLock = false }) ?? end(refusal)
    case .lockHeldByAnother:
      state.holdsLock = false
      return waiting(for: .lock, response.status) ?? end(refusal)
    case .sensorBusy: return waiting(for: step, response.status) ?? end(refusal)
    case .initializationNeeded:
      return heal(.initialization, { ($0.isInitialized, $0.configuration) = (false, nil) }) ?? end(refusal)
    case .configurationNeeded:
      guard goal.configuration != nil else { return end(refusal) }
      return heal(.configuration, { $0.configuration = nil }) ?? end(refusal)
    case .sensorFailure:
      return heal(.sensor, { ($0.isInitialized, $0.configuration) = (false, nil) }) ?? end(refusal)
    case .canceledWithSensorFailure:
      (state.isInitialized, state.configuration) = (false, nil)
      return end(refusal)
    case .canceled: return end(refusal)
    case .success, .failure, .sensorTimeout, .unsupported, .badValue, .noSuchParameter, .preparingDownload, .unknown:
      return step == .readBack ? notReadBack() : end(refusal)
    }
  }

  /// Drops a wrong assumption, once, so that its steps are repeated.
  private mutating func heal(_ ill: Ill, _ forget: (inout LinkState) -> Void) -> SequenceAdvice? {
    guard ending == nil, healed.insert(ill).inserted else { return nil }
    forget(&state)
    return next()
  }

  private mutating func waiting(for step: SequenceStep, _ status: OperationStatus) -> SequenceAdvice? {
    guard ending == nil, let wait = patienceLeft() else { return nil }
    current = step
    return .wait(milliseconds: wait, because: status)
  }

  private mutating func patienceLeft() -> Int? {
    defer { waits += 1 }
    return patience.wait(waits)
  }
}

// MARK: - Missing responses

extension SensorSequence {
  private mutating func failed(_ step: SequenceStep, _ failure: StepFailure) -> SequenceAdvice {
    let ending = SequenceOutcome.Ending.failed(step, reason: failure.reason, advice: failure.advice)
    switch (step, failure.reach) {
    case (.unlock, _):
      state.holdsLock = false
      return next()
    case (.unregister, _):
      state = LinkState()
      return next()
    case (.capture, .unknown):
      // The sensor may still be busy: its assumed state is worthless.
      (state.isInitialized, state.configuration) = (false, nil)
      return end(.unknown(reason: failure.reason))
    // Also if the service does not know the operation; a missing session is noticed at the capture.
    case (.readBack, _): return notReadBack()
    case (_, .unknownAddress) where step != .register:
      return heal(.session, { $0 = LinkState() }) ?? end(ending)
    case (.register, .unknown):
      // An unknown session may be left behind; it expires on its own.
      warnings.append("a session may stay open at the service until it expires")
      return heal(.session, { $0 = LinkState() }) ?? end(ending)
    case (.lock, .unknown):
      state.holdsLock = true
      return end(ending)
    case (.initialize, .unknown), (.configure, .unknown):
      (state.isInitialized, state.configuration) = (step == .configure && state.isInitialized, nil)
      return end(ending)
    case (.register, _), (.lock, _), (.initialize, _), (.configure, _), (.capture, _):
      return end(ending)
    }
  }

  private mutating func givenUp(_ step: SequenceStep) -> SequenceAdvice {
    switch step {
    case .unlock:
      state.holdsLock = false
      return next()
    case .unregister:
      state = LinkState()
      return next()
    case .lock: state.holdsLock = true
    case .initialize, .configure, .capture: state.configuration = nil
    case .register, .readBack: break
    }
    return end(.givenUp)
  }
}

/// A link's assumptions about the state of its service, which may have changed since.
///
/// The assumptions save steps. A wrong one costs a response that corrects it, and then the steps that were left out.
struct LinkState: Sendable, Hashable {
  /// The session; nil while not registered.
  var session: SensorUUID?
  var holdsLock = false
  var isInitialized = false
  /// The configuration last set with success since the lock was acquired; nil if that is not known.
  ///
  /// Another holder of the lock may set the sensor differently, and a capture would then show another finger than the
  /// one it is filed under. So the configuration is never assumed beyond the lock.
  var configuration: WireDictionary?
  /// The configuration as read back from the service; nil if it was not requested.
  var readBack: WireDictionary?
}

/// The goal of a sequence.
enum SequenceGoal: Sendable, Hashable {
  /// Registered and initialized, the lock released.
  case connect
  /// As connected, with a configuration applied.
  case configure(WireDictionary)
  /// One capture with a configuration; the downloads follow outside of the sequence, as they need neither lock nor session.
  case capture(WireDictionary)
  /// Lock and session released.
  case disconnect

  /// The configuration that the sensor must have; nil for none.
  var configuration: WireDictionary? {
    switch self {
    case .configure(let configuration), .capture(let configuration): configuration
    case .connect, .disconnect: nil
    }
  }

  /// Returns this goal with another configuration.
  func with(_ configuration: WireDictionary) -> SequenceGoal {
    switch self {
    case .configure: .configure(configuration)
    case .capture: .capture(configuration)
    case .connect, .disconnect: self
    }
  }
}

/// A step of a sequence: one operation requested from the service.
enum SequenceStep: String, CaseIterable, Sendable {
  case register
  case lock
  case initialize
  case configure
  /// Requests the sensor's configuration, to check whether it was applied.
  case readBack
  case capture
  case unlock
  case unregister

  var operation: SensorOperation {
    switch self {
    case .register: .register
    case .lock: .tryLock
    case .initialize: .initialize
    case .configure: .setConfiguration
    case .readBack: .getConfiguration
    case .capture: .capture
    case .unlock: .unlock
    case .unregister: .unregister
    }
  }
}

/// The next action that a sequence requests.
enum SequenceAdvice: Sendable, Hashable {
  /// Request this step from the service.
  case ask(SequenceStep)
  /// Wait so long, then report ``SequenceEvent/waited``.
  case wait(milliseconds: Int, because: OperationStatus)
  /// The sequence has ended; no more requests follow.
  case finished(SequenceOutcome)
}

/// The result of the last requested step.
enum SequenceEvent: Sendable, Hashable {
  /// The service answered.
  case answered(SensorAnswer)
  /// No response was received.
  case failed(StepFailure)
  /// The wait is over.
  case waited
  /// The user canceled. The step in progress is canceled at the service separately.
  case givenUp
}

/// The reason there is no response, and whether the service may have carried out the step nevertheless.
struct StepFailure: Sendable, Hashable {
  /// The progress of the request before it failed.
  enum Reach: Sendable, Hashable {
    /// The request was never sent, or the service rejected it at the HTTP level: nothing was done.
    case notSent
    /// Unknown.
    case unknown
    /// The service does not know the id in the address (status 404, which some give for a session they dropped).
    case unknownAddress
  }

  var reach: Reach
  /// The reason, for people and the audit log.
  var reason: String
  /// The advice for users; nil if the cause is unknown.
  var advice: String?
}

/// The outcome of a sequence.
///
/// In every case a held lock was released, or the attempt to release it failed.
struct SequenceOutcome: Sendable, Hashable {
  enum Ending: Sendable, Hashable {
    case done
    /// At least one id.
    case captured([SensorUUID])
    /// The service refused a step.
    case refused(SequenceStep, OperationStatus, message: String, badFields: [String])
    /// No response to a step that can safely be requested again.
    case failed(SequenceStep, reason: String, advice: String? = nil)
    /// No response to the capture: it is unknown whether there was one. Never repeated without a user's request.
    case unknown(reason: String)
    case givenUp
  }

  var ending: Ending
  /// Warnings about steps that succeeded differently than requested, such as a configuration that was not applied.
  var warnings: [String] = []
  /// True if the sensor did not confirm the release of the lock; set by the link.
  var keepsLock = false

  /// True if data was captured.
  var hasCaptured: Bool { if case .captured = ending { true } else { false } }
}
