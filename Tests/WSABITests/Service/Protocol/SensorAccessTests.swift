import Foundation
import PluginAPI
import PluginNet
import PluginStore
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Sensors over HTTPS: trusted certificates, allowed hosts, and client certificates.
@Suite(.enabled(if: TLSServer.isAvailable), .timeLimit(.minutes(5)))
struct SensorAccessTests {
  private let certificates: TestCertificates

  init() throws { certificates = try TestCertificates() }

  private func simulator(asksClients: Bool = false) throws -> SensorSimulator {
    var configuration = SimulatorConfiguration()
    configuration.sensors = 1
    configuration.modalities = [.finger]
    configuration.captureSizeInBytes = 5000
    configuration.certificate = try certificates.ofSensor(asksClients: asksClients)
    return try SensorSimulator(configuration)
  }

  /// Returns the end of a request: `success`, or the kind of the fault.
  private func ending(
    _ address: String, _ trust: SensorTrust, _ operation: SensorOperation = .register, allowed: String = ""
  ) async throws -> String {
    let access = SensorAccess(isOffline: false, allowed: AllowedHosts(allowed))
    let connection = access.connection(try SensorAddress(parsing: address, trusting: trust))
    do throws(SensorFault) {
      return try await connection.ask(SensorRequest(operation)).status.word
    } catch {
      return "\(error.word) \(error.reach)"
    }
  }

  @Test func `TLS secrets are written to no file, whatever the environment says`()
    async throws
  {
    let simulator = try simulator()
    let folder = try TemporaryFolder()
    let log = folder.url("secrets").path
    let arguments = ["ask", simulator.addresses[0], try certificates.pin("sensor.pem")]
    // On a separate thread, as the sensors need those of the tests.
    let outcome = try await OwnThread.value { _ in
      try BuiltProgram.run(
        BuiltProgram.folder.appendingPathComponent("CaptureWriter"), arguments, environment: ["SSLKEYLOGFILE": log])
    }
    #expect(outcome.output.contains("answered"), "\(outcome.output) \(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: log))
    await simulator.stop()
  }

  @Test func `a matching pin is trusted regardless of the signer, and another is refused`() async throws {
    let simulator = try simulator()
    let address = simulator.addresses[0]
    #expect(try await ending(address, SensorTrust()) == "notTrusted notSent")
    #expect(try await ending(address, SensorTrust(pins: [try certificates.pin("sensor.pem")])) == "success")
    let other = try certificates.pin("stranger.pem")
    #expect(try await ending(address, SensorTrust(pins: [other])) == "otherKey notSent")
    #expect(
      try await ending(address, SensorTrust(pins: [other, try certificates.pin("sensor.pem")])) == "success")
    #expect(simulator.calls.count == 2)
    await simulator.stop()
  }

  @Test func `a named authority is trusted, and a pin beside it must match too`() async throws {
    let simulator = try simulator()
    let address = simulator.addresses[0]
    var trust = SensorTrust(authorities: certificates.path("sensor.pem"))
    #expect(try await ending(address, trust) == "success")
    trust.pins = [try certificates.pin("stranger.pem")]
    #expect(try await ending(address, trust) == "otherKey notSent")
    trust = SensorTrust(pins: [try certificates.pin("sensor.pem")], authorities: certificates.path("stranger.pem"))
    #expect(try await ending(address, trust) == "notTrusted notSent")
    #expect(try await ending(address, SensorTrust(authorities: "/nowhere.pem")) == "notTrusted notSent")
    await simulator.stop()
  }

  @Test func `a client certificate is presented on request, and without one nothing is sent`() async throws {
    let simulator = try simulator(asksClients: true)
    let address = simulator.addresses[0]
    var trust = SensorTrust(pins: [try certificates.pin("sensor.pem")])
    var endings = [try await ending(address, trust, .getServiceInfo), try await ending(address, trust, .register)]
    trust.clientCertificate = certificates.path("stranger.pem")
    trust.clientKey = certificates.path("stranger-key.pem")
    endings.append(try await ending(address, trust))
    // The simulator's library closes without an alert; see the next test for services that state the reason.
    #expect(endings.allSatisfy { $0 == "notTrusted notSent" || $0 == "cut unknown" }, "\(endings)")
    #expect(simulator.calls.isEmpty)
    trust.clientCertificate = certificates.path("client.pem")
    trust.clientKey = certificates.path("client-key.pem")
    #expect(try await ending(address, trust) == "success")
    await simulator.stop()
  }

  @Test(arguments: [nil, "stranger"])
  func `a request rejected for its client certificate counts as not sent`(_ name: String?)
    async throws
  {
    let authority = certificates.path("authority.pem")
    let server = try TLSServer(
      ["info": "HTTP/1.0 200 OK\r\n\r\n"], options: ["-Verify", "1", "-verify_return_error", "-CAfile", authority])
    var trust = SensorTrust(pins: [server.pin])
    if let name {
      trust.clientCertificate = certificates.path("\(name).pem")
      trust.clientKey = certificates.path("\(name)-key.pem")
    }
    let access = SensorAccess(isOffline: false)
    let connection = access.connection(try SensorAddress(parsing: server.address, trusting: trust))
    let found = await fault(connection, .complete(.capture))
    #expect(found?.word == "notTrusted" && found?.reach == .notSent)
    let message = found?.report.message ?? ""
    #expect(message.contains("client certificate"), "\(message)")
  }

  @Test func `a missing or mismatched client certificate or key is refused before anything is sent`()
    async throws
  {
    let simulator = try simulator(asksClients: true)
    var trust = SensorTrust(pins: [try certificates.pin("sensor.pem")])
    trust.clientCertificate = certificates.path("client.pem")
    trust.clientKey = certificates.path("stranger-key.pem")
    #expect(try await ending(simulator.addresses[0], trust).hasSuffix("notSent"))
    trust.clientKey = "/nowhere.pem"
    #expect(try await ending(simulator.addresses[0], trust).hasSuffix("notSent"))
    #expect(simulator.calls.isEmpty)
    await simulator.stop()
  }

  @Test func `a station captures over https with all trust settings of the address`() async throws {
    let simulator = try simulator(asksClients: true)
    let journal = MemoryJournal()
    let access = SensorAccess(isOffline: false)
    let manager = LinkManager({ access.connection($0) }, journal, FaultRun.clock, onNote: { _ in })
    var trust = SensorTrust(pins: [try certificates.pin("sensor.pem")])
    trust.clientCertificate = certificates.path("client.pem")
    trust.clientKey = certificates.path("client-key.pem")
    let address = try SensorAddress(parsing: simulator.addresses[0], trusting: trust)
    let report = await manager.capture(
      CaptureOrder(item: 4, address: address, configuration: ScriptedStation.configuration))
    #expect(report.records.map(\.item) == [4])
    // The same address with less trust is another link: requests that require more are never served by it.
    var less = address
    less.trust = SensorTrust()
    #expect(manager.link(less) !== manager.link(address))
    await manager.close()
    await simulator.stop()
  }

  @Test func `a sensor's pin can be read before it is trusted`() async throws {
    let simulator = try simulator()
    let access = SensorAccess(isOffline: false)
    let found = try await access.certificate(try SensorAddress(parsing: simulator.addresses[0]))
    let expected = try certificates.pin("sensor.pem")
    #expect(found.pin == expected)
    #expect(found.problem != nil && found.subject.contains("localhost"))
    #expect(simulator.calls.isEmpty)
    let plain = try SensorAddress(parsing: "http://127.0.0.1:9")
    await #expect(throws: SensorFault.self) { _ = try await access.certificate(plain) }
    await simulator.stop()
  }

  @Test func `a host outside the list of allowed hosts gets no request of any kind`() async throws {
    let simulator = try SensorSimulator(.init(sensors: 1))
    let address = simulator.addresses[0]
    #expect(try await ending(address, SensorTrust(), allowed: "127.0.0.0/8") == "success")
    #expect(try await ending(address, SensorTrust(), allowed: "10.0.0.0/8, sensor.example") == "forbidden notSent")
    let access = SensorAccess(isOffline: false, allowed: AllowedHosts("sensor.example"))
    let parsed = try SensorAddress(parsing: address)
    for connect in [
      { _ = try await access.certificate(parsed) },
      {
        _ = try await access.connection(parsed).preview(
          WireResource(uri: address + "/stream/live"), session: nil
        ) { _ in }
      },
      { _ = try await access.connection(parsed).stream(SensorRequest(.stream, stream: "live")) { _ in } },
    ] as [@Sendable () async throws -> Void] {
      await #expect(throws: SensorFault(.forbidden, .notSent, .stream, address: parsed.text)) {
        do { try await connect() } catch var fault as SensorFault {
          fault.operation = .stream
          throw fault
        }
      }
    }
    #expect(simulator.calls.count == 1)
    await simulator.stop()
  }
}
