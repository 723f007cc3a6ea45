import Glibc
import PluginAPI
import PluginJSON
import PluginServer
import Synchronization

/// An openBIS server that is none: tables of V1, objects of V3, pictures and files, all made up, on the loopback interface.
///
/// It is what newcomers try the plugin with and what tests run against. It shares no reading code with the client.
///
/// ```swift
/// let server = try SimulatorServer(.init(shape: .demo))
/// print(server.url, server.calls.map(\.method))
/// await server.stop()
/// ```
final class SimulatorServer: Sendable {
  let configuration: SimulatorConfiguration
  /// The address without path: `http://127.0.0.1:8080`.
  let url: String
  let port: Int
  /// The certificate as PEM; nil for HTTP.
  let certificate: [UInt8]?
  private let core: SimulatorCore
  private let server: HTTPServer
  private let changer: Task<Void, Never>?

  /// Starts a server.
  ///
  /// - Throws: ``SimulatorError``.
  init(_ configuration: SimulatorConfiguration = .init()) throws(SimulatorError) {
    self.configuration = configuration
    let core = SimulatorCore(configuration)
    self.core = core
    var serving = HTTPServer.Configuration()
    serving.port = configuration.port
    serving.idleInSeconds = 300
    if configuration.security != .off {
      let pair = try SimulatedCertificate(configuration.security)
      (serving.certificate, serving.key) = (pair.certificate, pair.key)
    }
    certificate = serving.certificate
    do throws(ServerError) {
      server = try HTTPServer(serving) { request in try await core.answer(request) }
    } catch {
      throw .server(error)
    }
    (url, port) = (server.url, server.port)
    core.base.withLock { [url] in $0 = url }
    changer = configuration.changesEverySeconds.map { seconds in
      Task {
        var turn = 0
        while (try? await Task.sleep(for: .seconds(seconds))) != nil {
          core.changeSomething(turn)
          turn += 1
        }
      }
    }
  }

  /// Stops it; what is being answered is cut off.
  func stop() async {
    changer?.cancel()
    await server.stop(deadlineInSeconds: 0)
  }

  // MARK: What was asked

  /// The calls since the start, in order.
  var calls: [SimulatedCall] { core.state.withLock(\.calls) }
  /// What the calls were, a request key rather than a method where there is one.
  var log: [String] { calls.map { $0.requestKey ?? $0.method } }
  /// The paths of pictures and files that were asked for.
  var fetched: [String] { core.state.withLock(\.fetched) }
  /// How many calls there were.
  var callCount: Int { core.state.withLock(\.callCount) }
  /// How many bytes of answers to calls were made.
  var sentBytes: Int { core.state.withLock(\.sentBytes) }

  /// The number of sessions of a user; those of access tokens do not count.
  func sessionCount(of user: String) -> Int {
    core.state.withLock { state in
      state.sessions.values.filter { $0.user == user && !$0.isForPrograms && !$0.isExpired }.count
    }
  }
  /// The number of open fast downloads.
  var transferCount: Int { core.state.withLock { $0.transfers.count } }

  /// Forgets the calls and begins their count anew.
  func forgetCalls() {
    core.state.withLock { state in
      state.calls = []
      state.fetched = []
      (state.callCount, state.sentBytes, state.examinedObjects) = (0, 0, 0)
    }
  }

  // MARK: What goes wrong

  /// The number of objects that all searches examined; each page examines all that match.
  var examinedObjects: Int { core.state.withLock(\.examinedObjects) }

  /// Adds faults; the numbers of calls count from the last forgetting.
  func add(_ rules: SimulatorFaultRule...) { core.state.withLock { $0.rules += rules } }

  /// Ends all faults, and commits what was not committed yet.
  func heal() {
    core.state.withLock { state in
      state.rules = []
      state.commit()
    }
  }

  /// Makes the changes visible that ``SimulatorFault/lateCommit`` held back.
  func commit() { core.state.withLock { $0.commit() } }

  /// Ends all sessions but those of tokens for programs.
  func expireSessions() {
    core.state.withLock { state in
      for token in state.sessions.keys where state.sessions[token]?.isForPrograms == false {
        state.sessions[token]?.isExpired = true
      }
    }
  }

  /// Moves the server's clock on.
  func advanceClock(bySeconds seconds: Double) {
    core.state.withLock { $0.clockOffset += Int(seconds * 1000) }
  }

  /// The server's clock, in milliseconds since 1970.
  var now: Int { core.now }

  /// Says what CLIENT_PREFS answers as refresh interval.
  func setRefreshInterval(_ text: String) { core.state.withLock { $0.refreshInterval = text } }

  /// Takes from a user what he may no longer see: PERM_IDs, categories, types, spaces.
  func hide(_ names: Set<String>, from user: String) {
    core.state.withLock { state in
      if let index = state.users.firstIndex(where: { $0.name == user }) { state.users[index].hidden.formUnion(names) }
    }
  }

  /// Gives a user back what was hidden from him.
  func show(_ names: Set<String>, to user: String) {
    core.state.withLock { state in
      if let index = state.users.firstIndex(where: { $0.name == user }) { state.users[index].hidden.subtract(names) }
    }
  }

  // MARK: What changes

  /// How many entities there are now.
  var entityCount: Int { core.view(hidden: []).count - core.state.withLock { $0.changes.deleted.count } }

  /// The entity of a PERM_ID; nil if there is none.
  func entity(_ permID: String) -> SimulatedEntity? {
    let view = core.view(hidden: [])
    return view.index(ofPermID: permID).flatMap { view.entity($0) }
  }

  /// The PERM_IDs of a range of places.
  func permIDs(_ places: Range<Int>) -> [String] {
    let view = core.view(hidden: [])
    return places.compactMap { view.entity($0)?.permID }
  }

  /// Changes entities: their summary tells how often.
  ///
  /// What is unknown is passed over.
  func modify(_ permIDs: [String]) { core.modify(permIDs) }

  /// Deletes entities.
  ///
  /// What is unknown is passed over.
  func delete(_ permIDs: [String]) { core.delete(permIDs) }

  /// Moves a project to another space; nothing else is noted as changed.
  func moveProject(_ project: Int, toSpace space: Int) { core.moveProject(project, toSpace: space) }

  /// Adds an entity to a category and gives its PERM_ID.
  @discardableResult func addEntity(header: String, category: Int = 0, children: [String] = []) -> String {
    core.addEntity(header: header, category: category, children: children)
  }
}
