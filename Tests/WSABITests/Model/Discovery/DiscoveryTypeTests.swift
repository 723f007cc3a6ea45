import Testing

@testable import WSABI

@Suite struct DiscoveryTypeTests {
  @Test func `only valid types of services are parsed`() {
    for text in ["_ws-bd._tcp", "_WS-BD._TCP", "_a._tcp", "_a2345678901234b._tcp"] {
      #expect(DiscoveryType(text)?.text == text.lowercased())
    }
    for text in [
      "", "ws-bd._tcp", "_ws-bd._udp", "_ws-bd", "_._tcp", "_-a._tcp", "_a-._tcp", "_1234._tcp", "_a b._tcp",
      "_a2345678901234bc._tcp", "_ws-bd._tcp.local", "_ä._tcp",
    ] {
      #expect(DiscoveryType(text) == nil, "\(text)")
    }
  }

  @Test func `domain names ignore case and enforce their length limits`() throws {
    let name = try #require(DomainName(labels: ["Desk", "local"]))
    #expect(name == DomainName(labels: ["dESK", "LOCAL"]) && name != DomainName(labels: ["desk2", "local"]))
    #expect(Set([name, DomainName(labels: ["desk", "local"])]).count == 1)
    #expect(name.isLocal && DomainName(labels: ["desk", "example"])?.isLocal == false)
    #expect(Array(name.firstLabel) == Array("Desk".utf8))
    let below = try #require(DomainName(labels: ["a.b", "desk", "local"]))
    #expect(below.isJustBelow(name) && !name.isJustBelow(below))
    #expect(DomainName(labels: [String(repeating: "x", count: 64)]) == nil && DomainName(labels: [""]) == nil)
    #expect(DomainName(wire: []) == nil && DomainName(wire: [3, 65]) == nil && DomainName(wire: [1, 65, 0, 0]) == nil)
    #expect(DomainName(labels: [String](repeating: String(repeating: "x", count: 60), count: 5)) == nil)
  }

  @Test func `a sensor without a modality may capture anything`() {
    let sensor = DiscoveredSensor(name: "a", address: "http://a", modality: "iris", interface: "eth7")
    #expect(sensor.mayCapture(.iris) && !sensor.mayCapture(.face))
    #expect(DiscoveredSensor(name: "a", address: "http://a", modality: nil, interface: "eth7").mayCapture(.face))
  }
}
