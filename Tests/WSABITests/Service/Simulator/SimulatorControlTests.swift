import PluginAPI
import PluginImages
import PluginJSON
import PluginSimulation
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The ledger and the control, and many sensors in one process.
struct SimulatorControlTests {
  @Test func `the ledger is served as JSON`() async throws {
    let simulator = try SensorSimulator(.init(sensors: 2, modalities: [.iris]))
    let (probe, control) = (SensorProbe(simulator.addresses[1]), SensorProbe(simulator.adminAddress))
    let session = await probe.ready()
    let id = await probe.ask("POST", "/capture/\(session)").captureIDs.first ?? ""
    let ledger = await control.ask("GET", "/ledger")
    #expect(ledger.type == "application/json")
    let sum = try #require(simulator.ledger.first?.sha256)
    for part in [id, session, sum, "\"sensor\": 2", "\"submodality\": \"LeftIris\""] {
      #expect(ledger.whole.contains(part))
    }
    #expect(await control.ask("GET", "/sensors").whole.contains(simulator.addresses[1]))
    #expect(await control.ask("GET", "/calls").whole.contains("\"operation\": \"capture\""))
    #expect(await control.ask("GET", "/elsewhere").http == 404)
    await simulator.stop()
  }

  @Test func `faults are added and removed by the control address`() async throws {
    let simulator = try SensorSimulator()
    let (probe, control) = (SensorProbe(simulator.addresses[0]), SensorProbe(simulator.adminAddress))
    #expect(await control.ask("POST", "/faults", "status@register=sensorFailure\nhang@cancel").http == 200)
    #expect(await probe.ask("POST", "/register").status == "sensorFailure")
    #expect(await control.ask("GET", "/faults").whole.contains("\"met\": 1"))
    #expect(await control.ask("POST", "/faults", "hung").http == 400)
    #expect(await control.ask("DELETE", "/faults").http == 200)
    #expect(await probe.ask("POST", "/register").status == "success")
    await simulator.stop()
  }

  @Test func `every fault is listed as given, with its count`() async throws {
    let rules = [
      "cut-picture@download", "status@register#2-3:1~50+4=sensorFailure", "hang#7", "delay@capture#2-=250",
    ]
    var configuration = SimulatorConfiguration()
    configuration.faults = try SimulatorFaultRule.script(rules[0])
    let simulator = try SensorSimulator(configuration)
    let (probe, control) = (SensorProbe(simulator.addresses[0]), SensorProbe(simulator.adminAddress))
    #expect(await control.ask("POST", "/faults", rules.dropFirst().joined(separator: ";")).http == 200)
    let session = await probe.ready()
    let id = await probe.ask("POST", "/capture/\(session)").captureIDs.first ?? ""
    _ = await probe.ask("GET", "/download/\(id)")
    let listed = try Value(json: Array(await control.ask("GET", "/faults").whole.utf8)).list ?? []
    #expect(listed.map { $0["rule"].text } == rules)
    #expect(listed.map { $0["met"].integer } == [1, 0, 0, 0])
    #expect(listed.map { $0["operation"].text } == ["download", "register", nil, "capture"])
    for rule in rules { #expect(try SimulatorFaultRule(parsing: rule).text == rule) }
    await simulator.stop()
  }

  @Test func `a sensor is killed, revived, restarted and broken by the control address`() async throws {
    let simulator = try SensorSimulator(.init(sensors: 2))
    let (probe, control) = (SensorProbe(simulator.addresses[0]), SensorProbe(simulator.adminAddress))
    let session = await probe.ready()
    #expect(await control.ask("POST", "/sensors/1/kill").http == 200)
    #expect(await probe.ask("GET", "/info").http == 0)
    #expect(await SensorProbe(simulator.addresses[1]).ask("GET", "/info").http == 200)
    #expect(await control.ask("POST", "/sensors/1/revive").http == 200)
    #expect(await probe.ask("POST", "/lock/\(session)").status == "success")
    #expect(await control.ask("POST", "/sensors/1/break").http == 200)
    #expect(await probe.ask("POST", "/capture/\(session)").status == "sensorFailure")
    #expect(await control.ask("POST", "/sensors/1/restart").http == 200)
    #expect(await probe.ask("POST", "/lock/\(session)").status == "invalidId")
    #expect(await control.ask("POST", "/sensors/3/kill").http == 404)
    #expect(await control.ask("POST", "/sensors/1/person/many").http == 400)
    await simulator.stop()
  }

  @Test func `a killed sensor leaves its calls without a response`() async throws {
    let simulator = try SensorSimulator()
    let probe = SensorProbe(simulator.addresses[0])
    let session = await probe.ready()
    try simulator.script("hold")
    let capture = Task { await probe.ask("POST", "/capture/\(session)") }
    let preview = Task { await probe.ask("GET", "/stream/live") }
    await simulator.waitUntilBusy(1, with: .capture)
    await simulator.sensor(1).reaches { $0.frameCount > 0 }
    #expect(await SensorProbe(simulator.adminAddress).ask("POST", "/sensors/1/kill").http == 200)
    #expect(await capture.value.http == 0)
    #expect(await preview.value.http == 0)
    #expect(simulator.ledger.isEmpty)
    await simulator.stop()
  }

  @Test func `the clock and the person at the sensor are set by the control address`() async throws {
    let simulator = try SensorSimulator()
    let (probe, control) = (SensorProbe(simulator.addresses[0]), SensorProbe(simulator.adminAddress))
    let session = await probe.register()
    #expect(await control.ask("POST", "/clock/4000").http == 200)
    #expect(await probe.ask("POST", "/lock/\(session)").status == "invalidId")
    #expect(await control.ask("POST", "/sensors/1/person/42").http == 200)
    let next = await probe.ready()
    _ = await probe.ask("POST", "/capture/\(next)")
    #expect(simulator.ledger.map(\.person) == [42])
    await simulator.stop()
  }

  @Test func `calls can be forgotten, but ledger entries cannot`() async throws {
    let simulator = try SensorSimulator()
    let probe = SensorProbe(simulator.addresses[0])
    _ = await probe.ask("POST", "/capture/\(await probe.ready())")
    #expect(simulator.calls.map(\.operation) == [.register, .tryLock, .initialize, .capture])
    #expect(simulator.calls.map(\.outcome) == ["success", "success", "success", "success"])
    simulator.forgetCalls()
    #expect(simulator.calls.isEmpty && simulator.ledger.count == 1)
    await simulator.stop()
  }

  @Test func `two hundred and fifty-six sensors capture at the same time`() async throws {
    let simulator = try SensorSimulator(.init(sensors: 256, seed: 4))
    let ids = await withTaskGroup(of: [String].self) { group in
      for address in simulator.addresses {
        group.addTask {
          let probe = SensorProbe(address)
          return await probe.ask("POST", "/capture/\(await probe.ready())").captureIDs
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(ids).count == 256)
    #expect(Set(simulator.ledger.map(\.id)) == Set(ids))
    #expect(Set(simulator.ledger.map(\.sensor)) == Set(1...256))
    await simulator.stop()
  }

  @Test func `sensors can have separate ports`() async throws {
    let simulator = try SensorSimulator(.init(sensors: 3, hasOwnPorts: true))
    #expect(Set(simulator.addresses).count == 3 && !simulator.addresses[0].contains("/sensor"))
    for address in simulator.addresses { #expect(await SensorProbe(address).ask("GET", "/info").status == "success") }
    await simulator.stop()
  }

  @Test func `the same seed gives the same ids and the same data`() async throws {
    func capture() async throws -> [String] {
      let simulator = try SensorSimulator(.init(seed: 11))
      let probe = SensorProbe(simulator.addresses[0])
      let session = await probe.ready()
      _ = await probe.ask("POST", "/capture/\(session)")
      let entries = simulator.ledger
      await simulator.stop()
      return [session] + entries.flatMap { [$0.id, $0.sha256] }
    }
    #expect(try await capture() == capture())
  }

  @Test func `a preview shows frames until the lock is released`() async throws {
    for style in SimulatorConfiguration.Style.allCases {
      let simulator = try SensorSimulator(.init(style: style, framesPerSecond: 1000))
      let probe = SensorProbe(simulator.addresses[0])
      let session = await probe.register()
      let path = "/stream/locked/\(session)"
      let without = await probe.ask("GET", path)
      #expect(without.http == 200 && without.body.isEmpty)
      #expect(await probe.ask("GET", "/stream/locked").http == 403)
      #expect(await probe.ask("GET", "/stream/elsewhere").http == 404)
      _ = await probe.ask("POST", "/lock/\(session)")
      let frames = Task { await probe.ask("GET", path) }
      await simulator.sensor(1).reaches { $0.frameCount > 3 }
      _ = await probe.ask("DELETE", "/lock/\(session)")
      let stream = await frames.value
      #expect(stream.type.hasPrefix("multipart/x-mixed-replace; boundary="))
      #expect(stream.whole.components("--simulated-frame") > 3)
      let header =
        style == .jaxb ? "Content-Type: image/bmpContent-Length: " : "Content-type: image/bmp\r\nContent-Length: "
      #expect(stream.whole.contains(header))
      await simulator.stop()
    }
  }

  @Test func `a preview shows a moving picture within its frames`() throws {
    var picture = SimulatedImage(width: 400, height: 500, gray: 250)
    for row in 200..<300 { for column in 150..<250 { picture.pixels[row * 400 + column] = 10 } }
    let frames = PreviewFrames.frames(of: picture)
    #expect(frames.count == PreviewFrames.count && Set(frames).count > 10)
    for frame in frames + PreviewFrames.rings {
      let shown = try ImageReader.picture(from: frame)
      #expect(shown.width == 160 && shown.height == 120)
    }
    // The dark spot is a square of 30 pixels in each frame.
    let dark = frames.map { frame in frame[1078...].count { $0 < 100 } }
    #expect(dark.allSatisfy { (780...1020).contains($0) })
  }
}
