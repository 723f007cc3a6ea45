internal import PluginServer
internal import Synchronization

/// The settings of a simulated service.
struct DatabaseSimulatorSetup: Sendable {
  var faults: [DatabaseFaultRule] = []
  /// The duration of responses with the fault `delay`.
  var delayInMilliseconds = 100
  /// The duration of every response.
  var latencyInMilliseconds = 0
  /// The durations for certain documents instead, in milliseconds, by path.
  var latencies: [String: Int] = [:]
  var envelope = DatabaseEnvelope.bare
  /// The port; 0 for any free port.
  var port = 0
  /// The certificates and the private key as PEM; nil for HTTP.
  var certificate: [UInt8]?
  var key: [UInt8]?
}

/// A service of the contract on the loopback interface, with deliberate faults.
///
/// ```swift
/// let simulator = try DatabaseSimulator(records, faults: [DatabaseFaultRule(fault: .busy503, times: 1)])
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
  /// - Parameters:
  ///   - records: The contents of its documents.
  ///   - delayInMilliseconds: The duration of responses with the fault `delay`.
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

  /// The requested paths, in order.
  var requests: [String] { core.state.withLock { $0.requests } }
  /// The maximum number of simultaneous responses so far.
  var mostAtOnce: Int { core.state.withLock { $0.most } }

  /// Replaces the state of the database that is served.
  func serve(_ records: DatabaseRecords) { core.serve(records) }

  /// Replaces the faults.
  func setFaults(_ faults: [DatabaseFaultRule]) { core.state.withLock { ($0.faults, $0.counts) = (faults, [:]) } }

  /// Stops the service; responses in progress are cut off.
  func stop() async { await server.stop(deadlineInSeconds: 0) }
}
