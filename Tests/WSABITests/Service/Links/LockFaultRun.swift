import PluginAPI
import PluginSimulation
import PluginStore
import Synchronization

@testable import WSABI
@testable import WSABISimulator

/// The release of one lock over a simulated sensor with wrong responses, and the conditions that must then hold.
struct LockFaultRun: Sendable {
  /// A response to an unlock, a cancel or the end of a session.
  struct Response: Sendable, Hashable {
    /// Nil if there is no fault.
    var fault: SimulatorFault?
    /// The status or the number of HTTP.
    var word: String?

    var name: String { fault.map { "\($0.rawValue)\(word.map { "=\($0)" } ?? "")" } ?? "right" }
  }

  /// The way the lock came to be held.
  enum Scene: String, CaseIterable, Sendable {
    /// By a dead process without captures.
    case left
    /// By a dead process whose capture has no end.
    case leftAtWork
    /// By a dead process, until another client stole it.
    case leftAndStolen
    /// By a dead process, until the service was restarted.
    case leftAndRestarted
    /// By this process, for a preview.
    case held
    /// By this process, which got no response to its request for the lock.
    case heldUnanswered
    /// By this process, for a sequence.
    case connected
  }

  struct Outcome: Sendable {
    var scene: Scene
    /// True if a release was reported or recorded.
    var isReleased: Bool
    /// Violated expectations; empty if there are none.
    var faults: [String]
  }

  let scene: Scene
  let unlock: Response
  let cancel: Response
  let unregister: Response
  /// The number of calls of each operation that meet their fault; nil for all.
  let times: Int?

  var name: String {
    "\(scene.rawValue), unlock \(unlock.name), cancel \(cancel.name), unregister \(unregister.name), "
      + (times.map { "\($0) times" } ?? "always")
  }

  /// Statuses of an unlock or the end of a session that show that the session has no lock.
  private static let releasing: Set<SimulatedStatus> = [.success, .invalidId, .lockNotHeld, .lockHeldByAnother]

  /// Returns all responses: each status in place of the operation and after it, and those that are not a document.
  ///
  /// - Parameter isRelease: True if the operation releases the lock. A service that falsely reports a release cannot be
  ///   detected, so that response is left out.
  static func responses(isRelease: Bool) -> [Response] {
    var all = [Response()]
    for status in SimulatedStatus.allCases {
      if !isRelease || !releasing.contains(status) { all.append(Response(fault: .status, word: status.rawValue)) }
      all.append(Response(fault: .statusLate, word: status.rawValue))
    }
    let broken: [SimulatorFault] = [
      .dropBefore, .dropAfter, .resetBefore, .resetAfter, .truncate, .emptyBody, .noStatus, .unknownStatus, .garbage,
      .loginPage,
    ]
    all += broken.map { Response(fault: $0) }
    return all + ["500", "503"].flatMap { [Response(fault: .http, word: $0), Response(fault: .httpLate, word: $0)] }
  }

  /// True if the service reports a released lock while it refuses the release because it is at work; clients cannot
  /// detect that.
  var isLie: Bool {
    guard scene == .leftAtWork else { return false }
    for response in [unlock, unregister] where response.fault == .statusLate {
      if let word = response.word, let status = SimulatedStatus(rawValue: word), Self.releasing.contains(status) {
        return true
      }
    }
    return false
  }

  /// Runs it.
  func run() async throws -> Outcome {
    var configuration = SensorSimulator.Configuration()
    configuration.modalities = [.finger]
    configuration.captureSizeInBytes = 2000
    let simulator = try SensorSimulator(configuration)
    let outcome = try await played(simulator)
    await simulator.stop()
    return outcome
  }

  private func played(_ simulator: SensorSimulator) async throws -> Outcome {
    let folder = try StoreFolder()
    let address = try SensorAddress(parsing: simulator.addresses[0])
    let notes = ScriptedStation.Notes()
    var store = try await folder.create()
    var work: Task<Void, Never>?
    let session: String
    switch scene {
    case .held, .heldUnanswered, .connected:
      let links = Self.links(store, notes)
      session = try await hold(links, address, simulator)
    case .left, .leftAtWork, .leftAndStolen, .leftAndRestarted:
      session = try await leave(address, simulator, store, &work)
      store = try await folder.open()
      addFaults(simulator)
      await Self.links(store, notes).giveBackLeft()
    }
    // A stolen lock belongs to another session, and a restart releases none on its own.
    let isHeld = simulator.sensor(1).snapshot.lockHolder == session
    let isReported = notes.all.contains(.leftLock(address, isGivenBack: true))
    let isLogged = try await Self.isLogged(store)
    let isForgotten = try await Self.rows(store) == 0
    var faults: [String] = []
    if isHeld {
      if isReported { faults.append("a release is reported, and the sensor is locked") }
      if isLogged { faults.append("a release is logged, and the sensor is locked") }
      if isForgotten { faults.append("the lock is forgotten, and the sensor is locked") }
    }
    if scene.isLeft, isReported != isLogged || isLogged != isForgotten {
      faults.append("reported: \(isReported), logged: \(isLogged), forgotten: \(isForgotten)")
    }
    faults += try await releasedLater(simulator, folder, store, session)
    await work?.value
    return Outcome(scene: scene, isReleased: isForgotten, faults: faults.map { "\(name): \($0)" })
  }

  /// Ends the faults and the process; the next one must be able to release a lock that is still held.
  private func releasedLater(
    _ simulator: SensorSimulator, _ folder: StoreFolder, _ store: RecordStore, _ session: String
  ) async throws -> [String] {
    simulator.heal()
    await store.close()
    let next = try await folder.open()
    await Self.links(next, ScriptedStation.Notes()).giveBackLeft()
    let isFree = simulator.sensor(1).snapshot.lockHolder != session
    let rows = try await Self.rows(next)
    await next.close()
    return (isFree ? [] : ["the next run does not release the lock"])
      + (rows == 0 ? [] : ["the next run keeps \(rows ?? -1) locks written down"])
  }

  /// Leaves a lock as a process does that is killed.
  ///
  /// - Returns: The key of its session.
  private func leave(
    _ address: SensorAddress, _ simulator: SensorSimulator, _ store: RecordStore, _ work: inout Task<Void, Never>?
  ) async throws -> String {
    let probe = SensorProbe(address.text)
    let session = await probe.ready()
    guard let id = SensorUUID(session) else { throw MemoryJournal.Refusal() }
    try await store.willLock(HeldLock(address: address, session: id))
    await store.close()
    switch scene {
    case .leftAtWork:
      simulator.script(SimulatorFaultRule(.hold, on: .capture, call: 1))
      work = Task { _ = await probe.ask("POST", "/capture/\(session)") }
      await simulator.waitUntilBusy(1, with: .capture)
    case .leftAndStolen: simulator.sensor(1).giveLockToAnother()
    case .leftAndRestarted: simulator.sensor(1).restart()
    default: break
    }
    return session.lowercased()
  }

  /// Acquires the lock and releases it again, as far as the faults allow.
  ///
  /// - Returns: The key of the session.
  private func hold(_ links: LinkManager, _ address: SensorAddress, _ simulator: SensorSimulator) async throws -> String
  {
    let link = links.link(address)
    if scene == .connected {
      addFaults(simulator)
      await links.connect([address])
    } else {
      if scene == .heldUnanswered {
        simulator.script(SimulatorFaultRule(.dropAfter, on: .tryLock, times: 8))
      }
      await link.addViewer()
      _ = try? await link.hold()
      addFaults(simulator)
      await link.removeViewer()
    }
    let session = await link.state.session?.key
    await links.disconnect(address)
    return session ?? simulator.sensor(1).snapshot.lockHolder ?? "none"
  }

  private func addFaults(_ simulator: SensorSimulator) {
    let responses: [(SensorOperation, Response)] = [(.unlock, unlock), (.cancel, cancel), (.unregister, unregister)]
    for (operation, response) in responses {
      guard let fault = response.fault else { continue }
      simulator.script(SimulatorFaultRule(fault, on: operation.simulated, times: times, value: response.word))
    }
  }

  private static func links(_ store: RecordStore, _ notes: ScriptedStation.Notes) -> LinkManager {
    var limits = SensorLimits()
    limits.firstDelayInSeconds = 0.005
    var times = FaultRun.patientTimes
    times.givingBackInMilliseconds = 60_000
    times.patience = SensorSequence.Patience(firstInMilliseconds: 1, lastInMilliseconds: 4, attempts: 4)
    let access = SensorAccess(isOffline: false, limits: limits)
    return LinkManager(
      { access.connection($0) }, store, FaultRun.clock, times,
      onNote: { notes.add($0) })
  }

  private static func isLogged(_ store: RecordStore) async throws -> Bool {
    try await store.auditEntries(1..<Int.max).contains { $0.event.action == .lockGivenBack }
  }

  private static func rows(_ store: RecordStore) async throws -> Int? {
    try await store.sqlite.read { try $0.value("SELECT count(*) FROM held").integer }
  }
}

extension LockFaultRun.Scene {
  /// True if the holder is a process that has ended.
  fileprivate var isLeft: Bool {
    switch self {
    case .left, .leftAtWork, .leftAndStolen, .leftAndRestarted: true
    case .held, .heldUnanswered, .connected: false
    }
  }
}
