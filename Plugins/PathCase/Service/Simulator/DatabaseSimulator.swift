internal import PluginServer
internal import Synchronization

/// How a simulated service serves.
struct DatabaseSimulatorSetup: Sendable {
  var faults: [DatabaseFaultRule] = []
  /// How long the answers with `delay` take.
  var delayInMilliseconds = 100
  /// How long every answer takes.
  var latencyInMilliseconds = 0
  var envelope = DatabaseEnvelope.bare
  /// 0 for any port that is free.
  var port = 0
  /// Certificates and private key as PEM; nil for HTTP.
  var certificate: [UInt8]?
  var key: [UInt8]?
}

/// A service of the contract on the loopback interface, with faults on purpose.
///
/// ```swift
/// let simulator = try DatabaseSimulator(records, faults: [DatabaseFaultRule(fault: .busy503, times: 1)])
/// print(simulator.address)
/// await simulator.stop()
/// ```
final class DatabaseSimulator: Sendable {
  /// The address the documents are below, without a `/` at its end.
  let address: String
  let port: Int
  private let server: HTTPServer
  private let core: DatabaseSimulatorCore

  /// Starts a service.
  ///
  /// - Parameters:
  ///   - records: What its documents tell.
  ///   - delayInMilliseconds: How long the answers with `delay` take.
  /// - Throws: `ServerError`.
  convenience init(
    _ records: DatabaseRecords, faults: [DatabaseFaultRule] = [], port: Int = 0, delayInMilliseconds: Int = 100
  ) throws {
    try self.init(
      records,
      DatabaseSimulatorSetup(faults: faults, delayInMilliseconds: delayInMilliseconds, port: port))
  }

  /// Starts a service.
  ///
  /// - Throws: `ServerError`.
  init(_ records: DatabaseRecords, _ setup: DatabaseSimulatorSetup) throws {
    let core = DatabaseSimulatorCore(records, setup)
    var configuration = HTTPServer.Configuration()
    configuration.port = setup.port
    (configuration.certificate, configuration.key) = (setup.certificate, setup.key)
    server = try HTTPServer(configuration) { request in try await core.answer(request) }
    self.core = core
    self.port = server.port
    address = server.url
  }

  /// The paths that were asked for, in order.
  var requests: [String] { core.state.withLock { $0.requests } }
  /// How many answers were being made at once, at most.
  var mostAtOnce: Int { core.state.withLock { $0.most } }

  /// Serves another state of the database from now on.
  func serve(_ records: DatabaseRecords) { core.serve(records) }

  /// Does other things wrong from now on.
  func setFaults(_ faults: [DatabaseFaultRule]) { core.state.withLock { ($0.faults, $0.counts) = (faults, [:]) } }

  /// Stops it; what is being answered is cut off.
  func stop() async { await server.stop(deadlineInSeconds: 0) }
}
