import PluginAPI
import PluginText

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
  var calls: [SimulatedCall] = []
  var callCount = 0
  var rules: [SimulatorFaultRule]
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

  /// Returns the fault that affects a call, if any, and counts it.
  mutating func fault(number: Int, method: String, requestKey: String?) -> SimulatorFault? {
    guard
      let index = rules.firstIndex(where: { $0.isLeft && $0.fault.meetsCalls && $0.meets(number, method, requestKey) })
    else { return nil }
    rules[index].metCount += 1
    return rules[index].fault
  }

  /// Returns true if a permanent fault is active, which does not need a call.
  func has(_ fault: SimulatorFault) -> Bool { rules.contains { $0.fault == fault && $0.isLeft } }

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
