import PluginAPI
import PluginText

/// What a simulated server remembers from call to call.
struct SimulatorState {
  /// A session of a user.
  struct Session {
    var user: String
    var lastUsed: Int
    var calls = 0
    /// Whether the token is one for programs, which lives on.
    var isForPrograms = false
    var isExpired = false
  }

  /// A token for programs.
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
  /// The changes as they will be after the next commit; nil if all are committed.
  var uncommitted: SimulatedChanges?
  /// The number of objects that all searches examined; each page examines all that match.
  var examinedObjects = 0
  /// The same by the number of the call, of those that take the time of what they look at.
  var costs: [Int: Int] = [:]
  var clockOffset = 0
  var tokenCount = 0
  var tokens: [Token] = []
  /// The files whose sending was cut off once.
  var cutPaths: Set<String> = []
  var refreshInterval: String
  /// The fast downloads that were begun, by their ids.
  var transfers: [String: SimulatedTransfer] = [:]
  /// Requests of pictures and files, by path.
  var fetched: [String] = []
  var sentBytes = 0

  /// The fault a call meets, if any; it counts as met.
  mutating func fault(number: Int, method: String, requestKey: String?) -> SimulatorFault? {
    guard
      let index = rules.firstIndex(where: { $0.isLeft && $0.fault.meetsCalls && $0.meets(number, method, requestKey) })
    else { return nil }
    rules[index].metCount += 1
    return rules[index].fault
  }

  /// A fault of everything, which needs no call to show.
  func has(_ fault: SimulatorFault) -> Bool { rules.contains { $0.fault == fault && $0.isLeft } }

  /// Changes the lab.
  ///
  /// Under ``SimulatorFault/lateCommit`` only the times of the last changes are seen until the next commit, as on
  /// servers that note them before a transaction ends.
  mutating func change(_ body: (inout SimulatedChanges) -> Void) {
    commit()
    var next = changes
    next.version += 1
    body(&next)
    guard has(.lateCommit) else { return changes = next }
    uncommitted = next
    (changes.lastCreateOrDelete, changes.lastUpdate) = (next.lastCreateOrDelete, next.lastUpdate)
  }

  /// Makes the changes visible that were not committed yet.
  mutating func commit() {
    guard let next = uncommitted else { return }
    (changes, uncommitted) = (next, nil)
  }

  /// Notes how many objects a search had to look at.
  mutating func note(examined count: Int, by call: SimulatedCall) {
    examinedObjects += count
    if call.fault == .pageCost { costs[call.number] = count }
  }

  /// Begins a session and gives its token.
  mutating func begin(_ user: String, now: Int, isForPrograms: Bool = false) -> String {
    tokenCount += 1
    var chance = SimulatedChance(UInt64(truncatingIfNeeded: now), tokenCount)
    let hex = (0..<2).map { _ in Hexadecimal.text(chance.next(), digits: 16, isUppercase: true) }.joined()
    let token = (isForPrograms ? "$pat-" : "") + "\(user)-\(SimulatedDates.stamp(now))x\(hex)"
    if has(.sessionLimit), !isForPrograms { endOldest(of: user) }
    sessions[token] = Session(user: user, lastUsed: now, isForPrograms: isForPrograms)
    return token
  }

  /// Ends the session of a user that rested longest if there is no room for another one.
  ///
  /// - Source: openBIS, `DefaultSessionManager`; five unless the server's configuration says otherwise.
  private mutating func endOldest(of user: String) {
    let living = sessions.filter { $0.value.user == user && !$0.value.isForPrograms && !$0.value.isExpired }
    guard living.count >= Self.mostSessions else { return }
    let oldest = living.min { ($0.value.lastUsed, $0.key) < ($1.value.lastUsed, $1.key) }
    if let oldest { sessions[oldest.key] = nil }
  }

  private static let mostSessions = 5

  /// Finds the user of a token and notes that it was used.
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
