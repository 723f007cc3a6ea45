import PluginText
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The whole way of a capture through simulated sensors.
struct SensorSimulatorTests {
  @Test(arguments: SimulatedNamespace.allCases, SimulatorConfiguration.Style.allCases)
  func `a complete capture is recorded in the ledger`(
    _ namespace: SimulatedNamespace, _ style: SimulatorConfiguration.Style
  ) async throws {
    let simulator = try SensorSimulator(.init(namespace: namespace, style: style, seed: 3))
    let probe = SensorProbe(simulator.addresses[0])
    let session = await probe.register()
    #expect(await probe.ask("POST", "/lock/\(session)").status == "success")
    #expect(await probe.ask("POST", "/initialize/\(session)").status == "success")
    let configuration = SensorProbe.configuration(
      [("submodality", "xs:string\">LeftIndexFlat"), ("gain", "xs:int\">7")], namespace: namespace)
    #expect(await probe.ask("POST", "/configure/\(session)", configuration).status == "success")
    let captured = await probe.ask("POST", "/capture/\(session)")
    #expect(captured.status == "success")
    #expect(captured.whole.contains("xmlns=\"\(namespace.urn)\""))
    let id = try #require(captured.captureIDs.first)
    #expect(await probe.ask("DELETE", "/lock/\(session)").status == "success")
    let downloaded = await probe.ask("GET", "/download/\(id)")
    #expect(downloaded.value("submodality") == "LeftIndexFlat")
    #expect(downloaded.value("gain") == "7")
    let entry = try #require(simulator.ledger.first)
    #expect(entry.id == id && entry.session == session && entry.downloads == 1)
    #expect(entry.sha256 == SHA256.hexadecimal(of: downloaded.data))
    #expect(entry.sizeInBytes == downloaded.data.count)
    #expect(await probe.ask("DELETE", "/register/\(session)").status == "success")
    await simulator.stop()
  }
}
