import PluginAPI

/// An event of a link.
///
/// Every event of a capture names its item, under which it is filed.
enum LinkNote: Sendable, Hashable {
  /// A link became ready to capture, or is no longer ready.
  case connected(SensorAddress, isReady: Bool)
  /// A step was requested, or got a response, for a trace.
  case stepped(SensorAddress, SequenceStep, OperationStatus?)
  /// A capture of an item began, and can be stopped.
  case capturing(item: Int, SensorAddress)
  /// The capture of an item waits for its sensor.
  case waiting(item: Int, SensorAddress, because: OperationStatus, milliseconds: Int)
  /// Another client has the lock; the service's message about it, often empty.
  case held(SensorAddress, message: String)
  /// The service captured; the data of these ids will be downloaded.
  case captured(item: Int, SensorAddress, ids: [SensorUUID])
  /// All data of a capture id is stored.
  case stored(item: Int, CaptureRecord)
  /// Data of an id is no longer available.
  case lost(item: Int, SensorAddress, SensorUUID, reason: String)
  /// A sensor was configured ahead of a capture of an item, or this failed; a capture may be in progress meanwhile.
  case prepared(item: Int, SensorAddress, SequenceOutcome)
  /// A capture of an item ended without captured data.
  case ended(item: Int, SensorAddress, SequenceOutcome)
  /// An event could not be stored yet; storing it is retried.
  case trouble(item: Int, SensorAddress, reason: String)
  /// The lock was stolen from another client; audited.
  case stolen(SensorAddress)
  /// A lock left by a process that has ended was released (audited), or the sensor did not confirm its release.
  case leftLock(SensorAddress, isGivenBack: Bool)
  /// An operation of this station ended, but the sensor did not confirm the release of its lock.
  case lockKept(SensorAddress)
}

/// An operation in progress at a sensor, as `operations` lists it.
struct PendingOperation: Sendable, Hashable {
  enum Stage: Sendable, Hashable {
    /// Another operation of the same link goes first.
    case queued
    case asking(SequenceStep)
    case waiting(OperationStatus)
    case downloading(SensorUUID)
    case canceling
  }

  /// The number by which it is canceled; counted from 1 in a process.
  var number: Int
  var address: SensorAddress
  /// Nil for operations of the link itself.
  var item: Int?
  /// True if the operation captures, or downloads what was captured.
  ///
  /// An item's other operations make its sensor ready.
  var isCapture = false
  var stage: Stage
  var began: Instant

  /// True if it uses the session at its sensor; downloads need no session.
  var needsSession: Bool {
    switch stage {
    case .downloading, .waiting(.preparingDownload): false
    case .queued, .asking, .waiting, .canceling: true
    }
  }
}

/// The times since which other clients were seen to hold the locks of sensors, by address.
///
/// Services report that a lock is held, but not since when; a sighting is kept until this program gets the lock.
struct LockSightings: Sendable {
  /// The observation of a lock held by another client.
  struct Sighting: Sendable, Hashable {
    /// The times of the first and the last observation, without a long gap in between.
    var first: Instant
    var last: Instant
    /// The service's last message about it; empty for none.
    var message: String
  }

  /// The gap between two observations after which the holder may be another one, in seconds.
  private static let longestGapInSeconds = 300.0

  private var sightings: [String: Sighting] = [:]

  /// Returns the sighting of the lock of the sensor at an address; nil if no other holder is known.
  subscript(address: SensorAddress) -> Sighting? { sightings[address.text] }

  /// Handles an event of a sensor.
  mutating func take(_ note: LinkNote, at time: Instant) {
    switch note {
    case .held(let address, let message):
      let before = sightings[address.text]
      let isRecent = before.map { time.seconds(since: $0.last) <= Self.longestGapInSeconds } ?? false
      let first = isRecent ? before?.first ?? time : time
      sightings[address.text] = Sighting(first: first, last: time, message: message)
    case .stepped(let address, .lock, .success): sightings[address.text] = nil
    case .connected, .stepped, .capturing, .waiting, .captured, .stored, .lost, .prepared, .ended, .trouble, .stolen,
      .leftLock, .lockKept:
      break
    }
  }
}

/// An event of the sensors for screens, as notifications carry it.
enum SensorNews: Sendable, Hashable {
  case connected(address: String, isReady: Bool)
  /// A step was requested, or got a response with a status.
  case step(address: String, operation: String, status: String?)
  case capturing(item: Int)
  case waiting(item: Int, status: String)
  case captured(item: Int)
  case stored(item: Int)
  /// The configuration of its sensor ahead of a capture ended, with the same payload as
  /// ``ended(item:ending:reason:status:)``.
  case prepared(item: Int, ending: String, reason: String, status: String? = nil)
  case lost(item: Int, reason: String)
  /// The operation ended without captured data; `ending` names how, and `reason` why.
  ///
  /// If a service refused a step, `status` is the response's status.
  case ended(item: Int, ending: String, reason: String, status: String? = nil)
  /// All work on a capture is finished; `outcome` is a word of the `capture` command, and `reason` explains it.
  case finished(item: Int, outcome: String, reason: String)
  case stolen(address: String)
  /// The sensor did not confirm the release of its lock.
  case lockKept(address: String)
  /// An event could not be stored, or data could not be downloaded, yet.
  case trouble(item: Int, reason: String)

  /// The item it is about; nil if it is about a link.
  var item: Int? {
    switch self {
    case .capturing(let item), .waiting(let item, _), .captured(let item), .stored(let item), .lost(let item, _),
      .prepared(let item, _, _, _), .ended(let item, _, _, _), .finished(let item, _, _), .trouble(let item, _):
      item
    case .connected, .step, .stolen, .lockKept: nil
    }
  }

  /// Reads the payload of a notification; nil if it is malformed, or of an event that screens do not show.
  init?(_ payload: Value) {
    let event = ModelRecord<SensorEvent>(payload)
    guard let kind = event[\.kind] else { return nil }
    let (address, reason, outcome) = (event[\.address] ?? "", event[\.reason] ?? "", event[\.outcome] ?? "")
    let status = event[\.status]
    switch (kind, event[\.item]) {
    case (.connected, _): self = .connected(address: address, isReady: event[\.isReady] ?? false)
    case (.step, _): self = .step(address: address, operation: event[\.operation] ?? "", status: status)
    case (.stolen, _): self = .stolen(address: address)
    case (.lockKept, _): self = .lockKept(address: address)
    case (.capturing, let item?): self = .capturing(item: item)
    case (.waiting, let item?): self = .waiting(item: item, status: status ?? "")
    case (.captured, let item?): self = .captured(item: item)
    case (.stored, let item?): self = .stored(item: item)
    case (.lost, let item?): self = .lost(item: item, reason: reason)
    case (.prepared, let item?): self = .prepared(item: item, ending: outcome, reason: reason, status: status)
    case (.ended, let item?): self = .ended(item: item, ending: outcome, reason: reason, status: status)
    case (.finished, let item?): self = .finished(item: item, outcome: outcome, reason: reason)
    case (.trouble, let item?): self = .trouble(item: item, reason: reason)
    case (.held, _), (.leftLock, _), (_, nil): return nil
    }
  }
}
