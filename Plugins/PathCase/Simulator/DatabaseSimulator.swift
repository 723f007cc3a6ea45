public import PluginAPI
internal import PluginCompression
internal import PluginServer
public import PluginSimulation
internal import PluginText
internal import Synchronization

/// The settings of a simulated service.
public struct DatabaseSimulatorSetup: Sendable {
  var faults: [DatabaseFaultRule] = []
  /// The duration of responses with the fault `delay`.
  public var delayInMilliseconds = 100
  /// The duration of every response.
  public var latencyInMilliseconds = 0
  /// The durations for certain documents instead, in milliseconds, by path.
  public var latencies: [String: Int] = [:]
  public var envelope = DatabaseEnvelope.bare
  /// The port; 0 for any free port.
  public var port = 0
  /// The certificate for HTTPS; nil for HTTP.
  public var certificate: SimulatorCertificate?
  /// The number of the state that is served first; 0 for the database itself.
  public var turn = 0
  /// The time between changes to the next state, in seconds; nil for none.
  public var changesEverySeconds: Double?

  public init() {}
}

/// A state of the database that a simulated service serves.
public struct SimulatedDatabase: Sendable {
  /// A document and its path relative to the manifest.
  public struct Document: Sendable, Hashable {
    public var path: String
    public var bytes: [UInt8]

    public init(path: String, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
  }

  /// The documents of a state.
  public struct Snapshot: Sendable {
    /// The documents without the manifest.
    public var documents: [Document]
    /// Returns the manifest of documents as they are sent.
    public var manifest: @Sendable ([Document]) -> [UInt8]

    public init(documents: [Document], manifest: @escaping @Sendable ([Document]) -> [UInt8]) {
      (self.documents, self.manifest) = (documents, manifest)
    }
  }

  static let manifestPath = "manifest.xml"

  public var current: Snapshot
  /// The same database under a later name, which faults mix in.
  public var later: Snapshot

  public init(current: Snapshot, later: Snapshot) { (self.current, self.later) = (current, later) }

  /// The paths of all documents.
  var paths: [String] { [Self.manifestPath] + current.documents.map(\.path) }
}

/// Serves a simulated database until the task is canceled, or lists the faults.
///
/// - Parameters:
///   - faults: The fault scripts; 'list' for the list.
///   - print: Prints a line: the address, or a fault.
///   - prepare: Returns the settings, and a function that returns a state of the database.
/// - Throws: `ErrorReport` for a fault script, `ServerError`, and errors of the functions.
public func simulate(
  faults: [String], print: (String) async throws -> Void,
  prepare: () throws -> (setup: DatabaseSimulatorSetup, state: (_ turn: Int) -> SimulatedDatabase)
) async throws {
  if let lines = SimulatorShell.faultList(faults, of: DatabaseFault.self, column: 16) {
    for line in lines { try await print(line) }
    return
  }
  var (setup, state) = try prepare()
  var turn = setup.turn
  let first = state(turn)
  setup.faults = try rules(faults, paths: first.paths)
  let simulator = try DatabaseSimulator(first, setup)
  try await SimulatorShell.run(
    [simulator.address], changeEverySeconds: setup.changesEverySeconds, print: print,
    change: {
      turn += 1
      simulator.serve(state(turn))
    },
    stop: simulator.stop)
}

/// Reads fault scripts, and checks the documents that they name.
private func rules(_ texts: [String], paths: [String]) throws(ErrorReport) -> [DatabaseFaultRule] {
  let rules: [DatabaseFaultRule]
  do throws(FaultScriptError) {
    rules = try DatabaseFaultRule.documents(texts)
  } catch {
    throw error.report(
      unknownFault: SimulatorError.unknownFault, badRule: SimulatorError.badFaultRule,
      syntax: "NAME[@DOCUMENT][#CALL[-[CALL]]][~PERCENT][+TIMES]")
  }
  // A fault that never occurs would let a trial succeed that should fail.
  for path in rules.compactMap(\.operation) where !paths.contains(path) {
    throw SimulatorError.unknownDocument(
      "the simulated database has no document '\(path)'",
      advice: Suggestion.advice(for: path, in: paths) ?? "name a document, such as 'pools'")
  }
  return rules
}

extension DatabaseFaultRule {
  /// Reads fault scripts.
  ///
  /// 'pools' names the document 'pools.xml', and times apply to each document.
  static func documents(_ texts: [String]) throws(FaultScriptError) -> [DatabaseFaultRule] {
    try texts.faultRules(of: DatabaseFault.self).map { rule in
      var rule = rule
      if let name = rule.operation, !name.hasSuffix(".xml") { rule.operation = name + ".xml" }
      if let times = rule.times, times > 0, !rule.hasCallNumbers { (rule.calls, rule.times) = (1...times, nil) }
      return rule
    }
  }
}

/// The errors that prevent the start of a simulated service.
public enum SimulatorError {
  static let unknownFault = DeclaredError(
    "pathcase.unknown-fault", .usage, "the simulator has no fault of that name")
  static let badFaultRule = DeclaredError(
    "pathcase.bad-fault-rule", .usage, "the rule of a simulated fault is malformed")
  static let unknownDocument = DeclaredError(
    "pathcase.unknown-document", .usage, "the simulator has no document of that name")
  public static let loneCertificate = DeclaredError(
    "pathcase.lone-certificate", .usage, "HTTPS needs both a certificate and its key")

  public static let all = [unknownFault, badFaultRule, unknownDocument, loneCertificate]
}

/// A service of the contract on the loopback interface, with deliberate faults.
///
/// ```swift
/// let simulator = try DatabaseSimulator(database)
/// simulator.setFaults([DatabaseFaultRule(.busy503, on: "pools.xml", calls: 1...1)])
/// print(simulator.address)
/// await simulator.stop()
/// ```
final class DatabaseSimulator: Sendable {
  /// The base address of the documents, without a trailing `/`.
  let address: String
  let port: Int
  private let server: HTTPServer
  private let core: DatabaseSimulatorCore

  /// Starts a service.
  ///
  /// - Throws: `ServerError`.
  init(_ database: SimulatedDatabase, _ setup: DatabaseSimulatorSetup = .init()) throws(ServerError) {
    let core = DatabaseSimulatorCore(database, setup)
    var configuration = HTTPServer.Configuration()
    configuration.port = setup.port
    (configuration.certificate, configuration.key) = (setup.certificate?.certificate, setup.certificate?.key)
    configuration.clientAuthorities = setup.certificate?.clientAuthorities
    server = try HTTPServer(configuration) { request in try await core.respond(to: request) }
    self.core = core
    self.port = server.port
    address = server.url
  }

  /// The requested paths, in order.
  var requests: [String] { core.state.withLock(\.ledger.calls) }
  /// The maximum number of simultaneous responses so far.
  var mostAtOnce: Int { core.state.withLock { $0.most } }

  /// Replaces the state of the database that is served.
  func serve(_ database: SimulatedDatabase) { core.serve(database) }

  /// Replaces the faults, and restarts the count of requests for each document.
  func setFaults(_ faults: [DatabaseFaultRule]) { core.state.withLock { $0.ledger.replaceFaults(faults) } }

  /// Stops the service; responses in progress are cut off.
  func stop() async { await server.stop(deadlineInSeconds: 0) }
}

/// Responds to the requests of a simulated service.
private final class DatabaseSimulatorCore: Sendable {
  /// The mutable state while it runs.
  struct State {
    /// The documents, and those of a later state that faults mix in.
    var documents: [String: [UInt8]] = [:]
    var later: [String: [UInt8]] = [:]
    /// The requested paths, and the faults.
    var ledger: SimulatorLedger<String, DatabaseFault>
    var running = 0
    var most = 0
  }

  let state: Mutex<State>
  private let setup: DatabaseSimulatorSetup

  init(_ database: SimulatedDatabase, _ setup: DatabaseSimulatorSetup) {
    self.setup = setup
    state = Mutex(
      State(
        ledger: SimulatorLedger(setup.faults) { stream in
          var random = SplitMix64(seed: UInt64(truncatingIfNeeded: stream))
          return Int(random.next() % 100)
        }))
    serve(database)
  }

  /// Serves the documents of a state of the database.
  func serve(_ database: SimulatedDatabase) {
    let damaged = state.withLock { $0.ledger.faults.map(\.rule).filter { $0.fault == .malformed } }
    let documents = documents(of: database.current, damaged: damaged)
    let later = self.documents(of: database.later, damaged: damaged)
    state.withLock { ($0.documents, $0.later) = (documents, later) }
  }

  /// Returns the documents as sent, with a manifest computed from them.
  private func documents(of snapshot: SimulatedDatabase.Snapshot, damaged: [DatabaseFaultRule]) -> [String: [UInt8]] {
    let sent = snapshot.documents.map { document in
      let isDamaged = damaged.contains {
        ($0.operation == nil || $0.operation == document.path) && $0.calls.contains(1)
      }
      let bytes = isDamaged ? Array(document.bytes.prefix(document.bytes.count / 2)) : document.bytes
      return SimulatedDatabase.Document(path: document.path, bytes: setup.envelope.wrapped(bytes))
    }
    var all = Dictionary(sent.map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 })
    all[SimulatedDatabase.manifestPath] = setup.envelope.wrapped(snapshot.manifest(sent))
    return all
  }

  func respond(to request: ServerRequest) async throws -> ServerResponse {
    var path = String(request.path.drop { $0 == "/" })
    let again = "again/"
    let isRedirected = path.hasPrefix(again)
    if isRedirected { path = String(path.dropFirst(again.count)) }
    let (bytes, fault) = state.withLock { state -> ([UInt8]?, DatabaseFault?) in
      state.ledger.record(path)
      state.running += 1
      state.most = max(state.most, state.running)
      let met = state.ledger.meet([path], limit: 1) { rule in
        isRedirected && rule.fault == .redirect ? .none : .operation
      }
      return (content(path, met.first?.fault, state), met.first?.fault)
    }
    defer { state.withLock { $0.running -= 1 } }
    let latency = setup.latencies[path] ?? setup.latencyInMilliseconds
    let wait = latency + (fault == .delay ? setup.delayInMilliseconds : 0)
    if wait > 0 { try await Task.sleep(for: .milliseconds(wait)) }
    guard let bytes else { return ServerResponse(404, text: "there is no '\(path)'\n") }
    var checksum = CRC32()
    checksum.add(bytes)
    let tag = "\"\(checksum.value)-\(bytes.count)\""
    if fault == nil || fault == .delay, request.header("If-None-Match") == tag {
      return ServerResponse(304, headers: [.init("ETag", tag)])
    }
    var response = Self.response(bytes, fault, path: path)
    if response.status == 200 { response.headers.append(.init("ETag", tag)) }
    return response
  }

  /// Returns the bytes of a document, altered by some faults.
  private func content(_ path: String, _ fault: DatabaseFault?, _ state: State) -> [UInt8]? {
    guard var bytes = state.documents[path] else { return nil }
    switch fault {
    case .mixedSnapshot: return state.later[path] ?? bytes
    case .shortBody: return Array(bytes.prefix(bytes.count / 2))
    case .hashMismatch:
      // Any digit will do: the digest is checked before anything is read.
      if let offset = bytes.firstIndex(of: UInt8(ascii: "1")) { bytes[offset] = UInt8(ascii: "2") }
      return bytes
    case .webPage: return Array("<!DOCTYPE html><html><body>Please log in</body></html>".utf8)
    case .soapFault:
      return Array(
        """
        <soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><soap:Fault>\
        <faultcode>soap:Server</faultcode><faultstring>the database is being changed</faultstring>\
        </soap:Fault></soap:Body></soap:Envelope>
        """.utf8)
    default: return bytes
    }
  }

  private static func response(_ bytes: [UInt8], _ fault: DatabaseFault?, path: String) -> ServerResponse {
    let half = bytes.count / 2
    let wire: ServerResponse.Fault? =
      switch fault {
      case .reset: .reset(after: half)
      case .cut: .cut(after: half)
      case .overstated: .overstated(by: 10)
      case .stall: .stall(after: half)
      case .drip: .drip(bytes: max(1, bytes.count / 20), milliseconds: 10)
      default: nil
      }
    switch fault {
    case .error500: return ServerResponse(500, text: "it broke\n")
    case .busy503: return ServerResponse(503, text: "busy\n")
    case .tooMany429: return ServerResponse(429, headers: [.init("Retry-After", "1")])
    case .missing404: return ServerResponse(404, text: "gone\n")
    case .redirectLoop: return ServerResponse(302, headers: [.init("Location", "/\(path)")])
    case .redirect: return ServerResponse(302, headers: [.init("Location", "/again/\(path)")])
    default: return ServerResponse(type: "text/xml; charset=utf-8", bytes, fault: wire)
    }
  }
}
