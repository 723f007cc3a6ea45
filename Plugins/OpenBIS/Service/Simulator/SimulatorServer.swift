import Glibc
import PluginAPI
import PluginJSON
import PluginServer
import Synchronization

/// A simulator of an openBIS server: synthetic V1 tables, V3 objects, pictures and files, on the loopback interface.
///
/// New users try the plugin with it, and tests run against it. It shares no reading code with the client.
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

  /// Stops the server; responses in progress are cut off.
  func stop() async {
    changer?.cancel()
    await server.stop(deadlineInSeconds: 0)
  }

  // MARK: Requests

  /// The calls since the start, in order.
  var calls: [SimulatedCall] { core.state.withLock(\.calls) }
  /// The request keys of the calls, or their methods if they have none.
  var log: [String] { calls.map { $0.requestKey ?? $0.method } }
  /// The paths of the pictures and files that were requested.
  var fetched: [String] { core.state.withLock(\.fetched) }
  /// The number of calls.
  var callCount: Int { core.state.withLock(\.callCount) }
  /// The number of bytes in the responses to calls.
  var sentBytes: Int { core.state.withLock(\.sentBytes) }

  /// Returns the number of a user's sessions, without those of access tokens.
  func sessionCount(of user: String) -> Int {
    core.state.withLock { state in
      state.sessions.values.filter { $0.user == user && !$0.isForPrograms && !$0.isExpired }.count
    }
  }
  /// The number of open fast downloads.
  var transferCount: Int { core.state.withLock { $0.transfers.count } }

  /// Discards the recorded calls and restarts their count.
  func forgetCalls() {
    core.state.withLock { state in
      state.calls = []
      state.fetched = []
      (state.callCount, state.sentBytes, state.examinedObjects) = (0, 0, 0)
    }
  }

  // MARK: Faults

  /// The number of objects that all searches examined; each page examines all that match.
  var examinedObjects: Int { core.state.withLock(\.examinedObjects) }

  /// Adds faults; call numbers count from the last reset.
  func add(_ rules: SimulatorFaultRule...) { core.state.withLock { $0.rules += rules } }

  /// Ends all faults, and commits uncommitted changes.
  func heal() {
    core.state.withLock { state in
      state.rules = []
      state.commit()
    }
  }

  /// Makes the changes visible that ``SimulatorFault/lateCommit`` held back.
  func commit() { core.state.withLock { $0.commit() } }

  /// Expires all sessions except those of personal access tokens.
  func expireSessions() {
    core.state.withLock { state in
      for token in state.sessions.keys where state.sessions[token]?.isForPrograms == false {
        state.sessions[token]?.isExpired = true
      }
    }
  }

  /// Advances the server's clock.
  func advanceClock(bySeconds seconds: Double) {
    core.state.withLock { $0.clockOffset += Int(seconds * 1000) }
  }

  /// The server's clock, in milliseconds since 1970.
  var now: Int { core.now }

  /// Sets the refresh interval in CLIENT_PREFS.
  func setRefreshInterval(_ text: String) { core.state.withLock { $0.refreshInterval = text } }

  /// Hides PERM_IDs, categories, types or spaces from a user.
  func hide(_ names: Set<String>, from user: String) {
    core.state.withLock { state in
      if let index = state.users.firstIndex(where: { $0.name == user }) { state.users[index].hidden.formUnion(names) }
    }
  }

  /// Shows a user again what was hidden.
  func show(_ names: Set<String>, to user: String) {
    core.state.withLock { state in
      if let index = state.users.firstIndex(where: { $0.name == user }) { state.users[index].hidden.subtract(names) }
    }
  }

  // MARK: Changes

  /// The current number of entities.
  var entityCount: Int { core.view(hidden: []).count - core.state.withLock { $0.changes.deleted.count } }

  /// Returns the entity with a PERM_ID; nil if there is none.
  func entity(_ permID: String) -> SimulatedEntity? {
    let view = core.view(hidden: [])
    return view.index(ofPermID: permID).flatMap { view.entity($0) }
  }

  /// Returns the PERM_IDs of a range of indices.
  func permIDs(_ places: Range<Int>) -> [String] {
    let view = core.view(hidden: [])
    return places.compactMap { view.entity($0)?.permID }
  }

  /// Changes entities; their summary contains the number of changes.
  ///
  /// Unknown ids are ignored.
  func modify(_ permIDs: [String]) { core.modify(permIDs) }

  /// Deletes entities.
  ///
  /// Unknown ids are ignored.
  func delete(_ permIDs: [String]) { core.delete(permIDs) }

  /// Moves a project to another space; nothing else is recorded as changed.
  func moveProject(_ project: Int, toSpace space: Int) { core.moveProject(project, toSpace: space) }

  /// Adds an entity to a category and returns its PERM_ID.
  @discardableResult func addEntity(header: String, category: Int = 0, children: [String] = []) -> String {
    core.addEntity(header: header, category: category, children: children)
  }
}
