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
    let operation: SensorOperation
    /// The key of the requesting session.
    let session: String
    let pause = SimulatedPause()
    /// The status of the job if it was canceled.
    var cancelled: SimulatedStatus?
    /// The status that a cancel gives the job; nil if a cancel comes too late.
    var cancelStatus: SimulatedStatus?
  }

  /// Data that can be downloaded.
  struct Capture: Sendable {
    let id: String
    let data: SimulatedData
    let image: GreyImage?
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
