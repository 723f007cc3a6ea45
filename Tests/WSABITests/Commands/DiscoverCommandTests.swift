import PluginAPI
import PluginTesting
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The commands that find sensors without their address; on the loopback alone.
@Suite(.timeLimit(.minutes(2)))
struct DiscoverCommandTests {
  @Test func `announced sensors are listed, and can be used at once`() async throws {
    let user = try await StationUser(sensors: 2) {
      $0.announcement = SimulatedAnnouncement(type: DiscoveryType.usual, port: 0)
      $0.modalities = [.finger, .iris]
    }
    let port = try #require(user.simulator.announcementPort)
    let found = try await user.value("sensor discover --interface lo --port \(port) --count 2 --seconds 60").list
    #expect(found?.map { $0["address"].text } == user.simulator.addresses)
    #expect(found?.map { $0["modality"] } == ["Finger", "Iris"])
    #expect(found?.allSatisfy { $0["source"] == "network" && $0["interface"] == "lo" } == true)
    let address = try #require(found?.last?["address"].text)
    #expect(try await user.value("sensor check \(address) --submodality LeftIris")["supported"] == true)
    await user.stop()
  }

  @Test func `no discovery is sent while the network is switched off`() async throws {
    let plugin = try await TestPlugin(WSABIPlugin())
    let report = await plugin.report("sensor discover", ["interface": "lo"])
    #expect(report?.code == "wsabi.discovery-offline")
  }

  @Test func `the codes of all errors are listed`() {
    let codes = Set(WSABIErrorCodes.all.map(\.code))
    for error in [DiscoveryError.offline, .badType("x"), .noLink("x", all: []), .notAsked(reason: "x")] {
      #expect(codes.contains(error.report.code))
    }
    let cameras: [ErrorReport] = [
      CameraError.gone("x"), CameraError.refused("x"), CameraError.busy("x"), CameraError.noCamera("x"),
      CameraError.noFormat("x"), CameraError.silent("x", seconds: 5), CameraError.spoilt("x"),
      CameraError.failed("x"), CameraError.none, CameraError.notServed(reason: "x"),
    ]
    for error in cameras { #expect(codes.contains(error.code)) }
  }

  @Test func `found sensors are shown as lines`() {
    let sensor: Value = [
      "name": "Desk", "address": "http://192.168.7.20/a", "modality": .null, "source": "network", "interface": "eth7",
    ]
    let renderer = DiscoveredRenderer(typeName: WSABIValueType.discovered)
    let text = renderer.render(.list([sensor]), for: TextRequest()).plainText
    #expect(text.contains("Desk") && text.contains("http://192.168.7.20/a  (eth7)"))
    #expect(renderer.render(.list([]), for: TextRequest()).plainText.contains("no sensors found"))
  }
}
