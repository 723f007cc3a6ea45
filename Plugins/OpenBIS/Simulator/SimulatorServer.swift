import Glibc
public import PluginAPI
import PluginJSON
import PluginServer
import PluginSimulation
import Synchronization

/// The content, users and faults of a simulated server.
public struct SimulatorConfiguration: Sendable {
  /// A user who may log in.
  struct User: Sendable, Hashable {
    var name: String
    var password: String
    /// The PERM_IDs, categories, types and spaces that this user may not see.
    var hidden: Set<String> = []
  }

  /// The security of the connection.
  public enum Security: String, Sendable, CaseIterable, ParameterValue {
    case off
    /// HTTPS with a self-signed certificate, created at the start.
    case on
    /// HTTPS with a certificate that expired yesterday.
    case expired
    /// HTTPS with a certificate for another host.
    case wrongHost = "wrong-host"
  }

  public var shape = SimulatorShape.demo
  /// The numbers of entities and categories of a plain lab.
  public var entities = 1000
  public var categories = 4
  /// The number of entities of a plain lab in one import, all with the same time.
  public var importSize = 1
  public var dialect = SimulatorDialect.final
  public var seed: UInt64 = 1
  /// The port; 0 for any free one.
  public var port = 0
  public var security = Security.off
  var users = [User(name: "alice", password: "wonderland")]
  var faults: [SimulatorFaultRule] = []
  var dataStores = ["DSS1"]
  /// The refresh interval in CLIENT_PREFS, in seconds.
  var refreshInterval = "1800"
  /// The time after which an idle session expires, in seconds.
  public var sessionTimeoutInSeconds = 43_200
  /// The number of calls after which a session expires; nil for no limit.
  public var sessionCalls: Int?
  /// A Boolean value indicating whether the log keeps the parameters of calls.
  var keepsParameters = true
  /// The size of pieces in slow responses, about a row, and the time between them.
  var dripBytes = 400
  var dripMilliseconds = 1000
  /// The size of large data made by a fault: the number of ids in a cell, a tenth of the bytes in a property, and so
  /// on.
  var largeSize = 1_000_000
  /// The size of the chunks of the fast download, in bytes, as in the real data store.
  var chunkBytes = 1 << 20
  /// The interval between automatic changes, in seconds; nil for none.
  public var changesEverySeconds: Double?

  /// A Boolean value indicating whether repeated samples in a V3 response are the same object for all fetch options, so
  /// that graphs have cycles.
  var sharesObjects = false

  public init(shape: SimulatorShape = .demo) {
    self.shape = shape
    sharesObjects = shape == .tagBrowser
  }
}

/// Serves a simulated openBIS until the task is canceled, or lists the faults.
///
/// - Parameters:
///   - configuration: The content of the server.
///   - entities: The number of entities; only a plain lab can have one.
///   - users: The users who may log in, each as `NAME:PASSWORD`; empty for the usual one.
///   - faults: The fault scripts; 'list' for the list.
///   - print: Prints a line: an address with a user, or a fault.
/// - Throws: `ErrorReport`, as for a fault script that cannot be read.
public func simulate(
  _ configuration: SimulatorConfiguration, entities: Int?, users: [String], faults: [String],
  print: (String) async throws -> Void
) async throws {
  if let lines = SimulatorShell.faultList(faults, of: SimulatorFault.self, column: 28) {
    for line in lines { try await print(line) }
    return
  }
  var configuration = configuration
  if let entities {
    let shape = configuration.shape
    if shape != .plain {
      throw SimulatorError.fixedSize(
        "the lab '\(shape.rawValue)' has a fixed number of entities",
        advice: "leave out '--entities', or use '--shape plain'", details: ["shape": .text(shape.rawValue)])
    }
    configuration.entities = entities
  }
  configuration.keepsParameters = false
  if !users.isEmpty { configuration.users = try users.map(user) }
  do throws(FaultScriptError) {
    configuration.faults = try SimulatorFaultRule.rules(faults)
  } catch {
    throw error.report(
      unknownFault: SimulatorError.unknownFault, badRule: SimulatorError.badFaultRule,
      syntax: "NAME[@REQUEST][#CALL[-[CALL]]][~PERCENT][+TIMES]")
  }
  let server = try SimulatorServer(configuration)
  var turn = 0
  try await SimulatorShell.run(
    configuration.users.map { "\(server.url) user \($0.name) password \($0.password)" },
    changeEverySeconds: configuration.changesEverySeconds, print: print,
    change: {
      server.changeSomething(turn)
      turn += 1
    },
    stop: server.stop)
}

private func user(_ text: String) throws(ErrorReport) -> SimulatorConfiguration.User {
  let parts = text.split(separator: ":", maxSplits: 1)
  guard parts.count == 2 else {
    throw SimulatorError.badUser(
      "a user of the simulator has no name or no password", advice: "write it as NAME:PASSWORD")
  }
  return .init(name: String(parts[0]), password: String(parts[1]))
}

/// The errors that prevent the start of a simulated server.
public enum SimulatorError {
  static let unknownFault = DeclaredError(
    "openbis.unknown-fault", .usage, "the simulator has no fault of that name")
  static let badFaultRule = DeclaredError(
    "openbis.bad-fault-rule", .usage, "the rule of a simulated fault is malformed")
  static let badUser = DeclaredError(
    "openbis.bad-simulated-user", .usage, "a user of the simulator is not written as NAME:PASSWORD")
  static let fixedSize = DeclaredError(
    "openbis.fixed-size", .usage, "only a plain lab has a configurable number of entities")
  static let noCertificate = DeclaredError(
    "openbis.no-certificate", .failure, "the simulator could not create a certificate for HTTPS")

  /// The catalog of these errors and of the server's.
  public static let errorCodes =
    ServerError.errorCodes + [unknownFault, badFaultRule, badUser, fixedSize, noCertificate].map(\.catalogueEntry)
}

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

  /// Starts a server.
  ///
  /// - Throws: ``SimulatorError/noCertificate``, or the report of a `ServerError`.
  init(_ configuration: SimulatorConfiguration = .init()) throws(ErrorReport) {
    self.configuration = configuration
    let core = SimulatorCore(configuration)
    self.core = core
    var serving = HTTPServer.Configuration()
    serving.port = configuration.port
    serving.idleInSeconds = 300
    let made = try Self.certificate(configuration.security)
    (serving.certificate, serving.key) = (made?.certificate, made?.key)
    certificate = serving.certificate
    do throws(ServerError) {
      server = try HTTPServer(serving) { request in try await core.respond(to: request) }
    } catch {
      throw error.report
    }
    (url, port) = (server.url, server.port)
    core.base.withLock { [url] in $0 = url }
  }

  private static func certificate(
    _ security: SimulatorConfiguration.Security
  ) throws(ErrorReport) -> SimulatorCertificate? {
    let isOfOther = security == .wrongHost
    do throws(CertificateFailure) {
      return security == .off
        ? nil
        : try SimulatorCertificate(
          selfSignedFor: isOfOther ? "openbis.example.org" : "127.0.0.1",
          names: isOfOther ? "DNS:openbis.example.org" : "IP:127.0.0.1,DNS:localhost",
          days: security == .expired ? -1 : 30)
    } catch {
      throw SimulatorError.noCertificate(
        "no certificate could be made: \(error.reason)", advice: "install openssl, or leave out --tls")
    }
  }

  /// Stops the server; responses in progress are cut off.
  func stop() async {
    await server.stop(deadlineInSeconds: 0)
  }

  // MARK: Requests

  /// The calls since the start, in order.
  var calls: [SimulatedCall] { core.state.withLock(\.ledger.calls) }
  /// The request keys of the calls, or their methods if they have none.
  var log: [String] { calls.map { $0.requestKey ?? $0.method } }
  /// The paths of the pictures and files that were requested.
  var fetched: [String] { core.state.withLock(\.fetched) }
  /// The number of calls.
  var callCount: Int { core.state.withLock(\.ledger.callCount) }
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
      state.ledger.reset()
      state.fetched = []
      (state.sentBytes, state.examinedObjects) = (0, 0)
    }
  }

  // MARK: Faults

  /// The number of objects that all searches examined; each page examines all that match.
  var examinedObjects: Int { core.state.withLock(\.examinedObjects) }

  /// Adds faults; call numbers count from the last reset.
  func add(_ rules: SimulatorFaultRule...) { core.state.withLock { $0.ledger.add(rules) } }

  /// Ends all faults, and commits uncommitted changes.
  func heal() {
    core.state.withLock { state in
      state.ledger.endFaults()
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

  /// Makes one change to a changing lab.
  func changeSomething(_ turn: Int) { core.changeSomething(turn) }

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
