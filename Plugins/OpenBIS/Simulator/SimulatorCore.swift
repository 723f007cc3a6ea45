import Glibc
import PluginAPI
import PluginServer
import PluginSimulation
import PluginText
import Synchronization

/// The lab of a simulated server, its state, and its clock.
final class SimulatorCore: Sendable {
  let configuration: SimulatorConfiguration
  let lab: any SimulatedLab
  private let frameIndex: SimulatedFrameIndex
  let state: Mutex<SimulatorState>
  /// The address of the server, once it is known.
  let base = Mutex("")
  let queries = SimulatedQueries()

  init(_ configuration: SimulatorConfiguration) {
    self.configuration = configuration
    lab =
      configuration.shape == .plain
      ? PlainLab(
        entities: configuration.entities, categories: configuration.categories, importSize: configuration.importSize,
        seed: configuration.seed)
      : ListedLab.make(configuration.shape, seed: configuration.seed)
    frameIndex = SimulatedFrameIndex(lab.frame)
    state = Mutex(
      SimulatorState(
        users: configuration.users,
        ledger: SimulatorLedger(configuration.faults, limit: 100_000) { stream in
          var chance = SimulatedChance(configuration.seed, stream)
          return chance.below(100)
        },
        refreshInterval: configuration.refreshInterval))
  }

  /// The clock, in milliseconds since 1970.
  var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let offset = state.withLock { state in
      state.clockOffset + (state.has(.clockAhead) ? 600_000 : 0) - (state.has(.clockBehind) ? 600_000 : 0)
    }
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000 + offset
  }

  /// Returns the lab as a user currently sees it.
  func view(hidden: Set<String>) -> SimulatedView {
    let base = self.base.withLock { $0 }
    let now = self.now
    return state.withLock { state in
      var (hidden, changes) = (hidden, state.changes)
      let last = max(0, lab.frame.spaces.count - 1)
      if state.has(.rightsChange) { hidden.insert(lab.frame.spaces[last]) }
      if state.has(.movedProject), changes.movedProjects[0] == nil {
        changes.movedProjects[0] = (last, SimulatedTime.birth + lab.count + 1)
      }
      return SimulatedView(
        lab: lab, changes: changes, dialect: configuration.dialect, hidden: hidden, now: now, base: base,
        dataStoreBase: state.has(.dataStoreDown) ? "http://127.0.0.1:1" : base,
        dataStores: state.has(.twoDataStores) ? ["DSS1", "DSS2"] : configuration.dataStores,
        refreshInterval: state.refreshInterval, frameIndex: frameIndex, largeSize: configuration.largeSize)
    }
  }

  // MARK: Changes

  func modify(_ permIDs: [String]) {
    let (now, view) = (self.now, self.view(hidden: []))
    let found = permIDs.compactMap { permID in view.index(ofPermID: permID).map { ($0, view.entity($0)?.native.kind) } }
    state.withLock { state in
      state.change { changes in
        for (index, kind) in found {
          changes.modified[index] = ((changes.modified[index]?.count ?? 0) + 1, now)
          if let kind { changes.lastUpdate[kind] = now }
        }
      }
    }
  }

  func delete(_ permIDs: [String]) {
    let (now, view) = (self.now, self.view(hidden: []))
    let found = permIDs.compactMap { permID in view.index(ofPermID: permID).map { ($0, view.entity($0)?.native.kind) } }
    state.withLock { state in
      state.change { changes in
        for (index, kind) in found where changes.deleted[index] == nil {
          changes.deleted[index] = now
          if let kind { changes.lastCreateOrDelete[kind] = now }
        }
      }
    }
  }

  func addEntity(header: String, category: Int, children: [String]) -> String {
    let now = self.now
    let view = self.view(hidden: [])
    let places = children.compactMap { view.index(ofPermID: $0) }
    return state.withLock { state in
      let number = (state.uncommitted ?? state.changes).added.count + 1
      let permID = "20250101120000000-\(number)"
      var entity =
        lab.count > 0
        ? lab.entity(0)
        : SimulatedEntity(
          permID: "", refcon: "", category: "", header: "", summary: "", identifier: "")
      entity.permID = permID
      entity.refcon = #"{"code":"NEW\#(number)","entityKind":"SAMPLE","entityType":"\#(entity.native.typeCode)"}"#
      (entity.header, entity.summary) = (header, "came later")
      entity.identifier = "\(lab.frame.identifier(ofProject: 0))/NEW\(number)"
      entity.children = children
      entity.isRoot = lab.shape != .demo
      (entity.registered, entity.modified) = (now, now)
      entity.native = .init(
        permID: permID, code: "NEW\(number)", typeCode: entity.native.typeCode, experiment: 0, children: places)
      state.change { changes in
        changes.added.append(entity)
        changes.addedCategories.append(category)
        changes.lastCreateOrDelete[.sample] = now
      }
      return permID
    }
  }

  /// Moves a project to another space; its contents change only their location.
  func moveProject(_ project: Int, toSpace space: Int) {
    let now = self.now
    state.withLock { state in state.change { $0.movedProjects[project] = (space, now) } }
  }

  /// Makes one change to a changing lab: mostly to an existing entity, sometimes an addition or a deletion.
  func changeSomething(_ turn: Int) {
    var chance = SimulatedChance(configuration.seed, turn)
    let view = self.view(hidden: [])
    guard view.count > 0 else { return }
    let index = chance.below(view.count)
    switch turn % 5 {
    case 3: _ = addEntity(header: "New \(turn)", category: chance.below(max(1, lab.categories.count)), children: [])
    case 4: if let entity = view.entity(index) { delete([entity.permID]) }
    default: if let entity = view.entity(index) { modify([entity.permID]) }
    }
  }
}

/// The state of a simulated server between calls.
struct SimulatorState {
  /// A session of a user.
  struct Session {
    var user: String
    var lastUsed: Int
    var calls = 0
    /// A Boolean value indicating whether the token is a personal access token, which does not expire with a session.
    var isForPrograms = false
    var isExpired = false
  }

  /// A personal access token.
  struct Token {
    var token: String
    var owner: String
    var sessionName: String
    var from: Int
    var to: Int
  }

  var users: [SimulatorConfiguration.User]
  var sessions: [String: Session] = [:]
  /// The calls and the faults.
  var ledger: SimulatorLedger<SimulatedCall, SimulatorFault>
  var changes = SimulatedChanges()
  /// The changes that become visible with the next commit; nil if all are committed.
  var uncommitted: SimulatedChanges?
  /// The number of objects that all searches examined; each page examines all that match.
  var examinedObjects = 0
  /// The number of examined objects by call number, for calls that take time for each of them.
  var costs: [Int: Int] = [:]
  var clockOffset = 0
  var tokenCount = 0
  var tokens: [Token] = []
  /// The files whose transfer was cut off once.
  var cutPaths: Set<String> = []
  var refreshInterval: String
  /// The started fast downloads, by their ids.
  var transfers: [String: SimulatedTransfer] = [:]
  /// The requests for pictures and files, by path.
  var fetched: [String] = []
  var sentBytes = 0

  /// Returns true if a permanent fault is active, which does not need a call.
  func has(_ fault: SimulatorFault) -> Bool { ledger.has(fault) }

  /// Changes the lab.
  ///
  /// Under ``SimulatorFault/lateCommit`` only the times of the last changes are visible until the next commit, as on
  /// servers that record them before a transaction ends.
  mutating func change(_ body: (inout SimulatedChanges) -> Void) {
    commit()
    var next = changes
    next.version += 1
    body(&next)
    guard has(.lateCommit) else { return changes = next }
    uncommitted = next
    (changes.lastCreateOrDelete, changes.lastUpdate) = (next.lastCreateOrDelete, next.lastUpdate)
  }

  /// Makes uncommitted changes visible.
  mutating func commit() {
    guard let next = uncommitted else { return }
    (changes, uncommitted) = (next, nil)
  }

  /// Records the number of objects that a search examined.
  mutating func note(examined count: Int, by call: SimulatedCall) {
    examinedObjects += count
    if call.fault == .pageCost { costs[call.number] = count }
  }

  /// Begins a session and returns its token.
  mutating func begin(_ user: String, now: Int, isForPrograms: Bool = false) -> String {
    tokenCount += 1
    var chance = SimulatedChance(UInt64(truncatingIfNeeded: now), tokenCount)
    let hex = (0..<2).map { _ in Hexadecimal.text(chance.next(), digits: 16, isUppercase: true) }.joined()
    let token = (isForPrograms ? "$pat-" : "") + "\(user)-\(SimulatedDates.stamp(now))x\(hex)"
    if has(.sessionLimit), !isForPrograms { endOldest(of: user) }
    sessions[token] = Session(user: user, lastUsed: now, isForPrograms: isForPrograms)
    return token
  }

  /// Ends a user's longest idle session if the limit of sessions is reached.
  ///
  /// - Source: openBIS, `DefaultSessionManager`; five unless the server's configuration says otherwise.
  private mutating func endOldest(of user: String) {
    let living = sessions.filter { $0.value.user == user && !$0.value.isForPrograms && !$0.value.isExpired }
    guard living.count >= Self.mostSessions else { return }
    let oldest = living.min { ($0.value.lastUsed, $0.key) < ($1.value.lastUsed, $1.key) }
    if let oldest { sessions[oldest.key] = nil }
  }

  private static let mostSessions = 5

  /// Returns the user of a token and records its use.
  mutating func user(
    of token: String, now: Int, timeoutInSeconds: Int, calls limit: Int?
  ) throws(SimulatedFailure) -> SimulatorConfiguration.User {
    guard var session = sessions[token] else { throw .session(problem(with: token)) }
    let isOver =
      session.isExpired || (limit.map { session.calls >= $0 } ?? false && !session.isForPrograms)
      || (now - session.lastUsed > timeoutInSeconds * 1000 && !session.isForPrograms)
    if isOver {
      sessions[token]?.isExpired = true
      throw .session(ServerWords.expired)
    }
    session.lastUsed = now
    session.calls += 1
    sessions[token] = session
    return users.first { $0.name == session.user } ?? .init(name: session.user, password: "")
  }

  private func problem(with token: String) -> String {
    let plain = token.hasPrefix("$pat-") ? String(token.dropFirst(5)) : token
    guard let dash = plain.lastIndex(of: "-"), dash != plain.startIndex else {
      return ServerWords.malformed(token)
    }
    let user = plain[..<dash]
    if sessions.values.contains(where: { $0.user == user && !$0.isForPrograms }) {
      return ServerWords.wrongToken(token)
    }
    return ServerWords.notLoggedIn(token)
  }
}
