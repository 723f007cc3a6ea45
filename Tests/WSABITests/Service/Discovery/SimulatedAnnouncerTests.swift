import PluginAPI
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Simulated sensors that are announced on the loopback interface, and found there; no message leaves this machine.
@Suite(.timeLimit(.minutes(2)))
struct SimulatedAnnouncerTests {
  private func announcing(
    sensors: Int, _ change: (inout SimulatorConfiguration) -> Void = { _ in }
  ) throws -> SensorSimulator {
    var configuration = SimulatorConfiguration()
    configuration.sensors = sensors
    configuration.announcement = SimulatedAnnouncement(type: DiscoveryType.usual, port: 0)
    change(&configuration)
    return try SensorSimulator(configuration)
  }

  private func found(_ simulator: SensorSimulator, count: Int) async throws -> [DiscoveredSensor] {
    let port = try #require(simulator.announcementPort)
    let type = try #require(DiscoveryType(DiscoveryType.usual))
    let request = SensorDiscovery.Request(type: type, deadlineInMilliseconds: 60_000, count: count)
    return try await SensorDiscovery(request: request).outcome { () throws(DiscoveryError) in
      try DiscoverySockets(interface: "lo", port: port)
    }.sensors
  }

  @Test func `announced sensors are found at their addresses`() async throws {
    let simulator = try announcing(sensors: 3)
    let sensors = try await found(simulator, count: 3)
    #expect(sensors.map(\.address).sorted() == simulator.addresses.sorted())
    #expect(sensors.map(\.name) == ["Simulated Finger 1", "Simulated Face 2", "Simulated Iris 3"])
    #expect(sensors.map(\.modality) == ["Finger", "Face", "Iris"])
    #expect(sensors.allSatisfy { $0.interface == "lo" && $0.source == .network })
    await simulator.stop()
  }

  @Test func `more sensors than fit in one message are found once each, also at separate ports`() async throws {
    let simulator = try announcing(sensors: 40)
    #expect(Set(try await found(simulator, count: 40).map(\.address)) == Set(simulator.addresses))
    await simulator.stop()
    let apart = try announcing(sensors: 4) { $0.hasOwnPorts = true }
    #expect(Set(try await found(apart, count: 4).map(\.address)) == Set(apart.addresses))
    await apart.stop()
  }

  @Test func `a canceled search ends at once`() async throws {
    let simulator = try announcing(sensors: 1)
    let task = Task { try await found(simulator, count: 5) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await simulator.stop()
  }

  @Test func `an unknown interface is refused with a list of those available`() {
    let error = #expect(throws: DiscoveryError.self) { try DiscoverySockets(interface: "nowhere7") }
    #expect(error?.report.code == "wsabi.no-interface" && error?.report.advice?.contains("lo") == true)
  }

  @Test func `damaged questions, other questions and responses get no response`() throws {
    let sensor = SimulatedAnnouncement.Sensor(
      name: "Simulated Iris 1", modality: "Iris", path: "/sensor/1", port: 8000, isSecure: false)
    let responder = SimulatedResponder(
      SimulatedAnnouncement(type: DiscoveryType.usual), [sensor], address: [127, 0, 0, 1])
    let type = try #require(DiscoveryType(DiscoveryType.usual))
    try DiscoveryMessage.begin()
    let asked = try #require(DiscoveryMessage.question(DiscoveryQuestion(name: type.name, kind: .pointer)))
    let answers = responder.answers(to: asked.bytes, isToAll: false)
    #expect(answers.count == 1)
    let message = try #require(answers.first.flatMap { DiscoveryMessage($0) })
    #expect(message.number == asked.number && message.records.count == 4)
    // To all there is neither number nor question.
    let toAll = try #require(responder.answers(to: asked.bytes, isToAll: true).first.flatMap { DiscoveryMessage($0) })
    #expect(toAll.number == 0 && toAll.question == nil)
    for count in 0..<asked.bytes.count {
      #expect(responder.answers(to: Array(asked.bytes.prefix(count)), isToAll: false).isEmpty)
    }
    #expect(responder.answers(to: answers[0], isToAll: false).isEmpty)
    let other = try #require(DomainName(labels: ["_ipp", "_tcp", "local"]))
    let about = try #require(DiscoveryMessage.question(DiscoveryQuestion(name: other, kind: .pointer)))
    #expect(responder.answers(to: about.bytes, isToAll: false).isEmpty)
  }
}
