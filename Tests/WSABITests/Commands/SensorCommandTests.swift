import PluginAPI
import PluginTesting
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Commands that talk to sensors without capturing.
@Suite(.timeLimit(.minutes(5)))
struct SensorCommandTests {
  @Test func `a check reports what a sensor can do, and succeeds if it is unreachable`() async throws {
    let user = try await StationUser(sensors: 1)
    let check = try await user.value("sensor check \(user.address(1)) --submodality LeftIris")
    #expect(check["reachable"] == true && check["supported"] == false)
    #expect(check["message"] == "The sensor at this address can't capture Iris data.")
    #expect(check["parameters"].list?.contains { $0["name"] == "captureTimeout" } == true)
    await user.stop()
    let nobody = try await user.value("sensor check \(user.address(1)) --modality finger")
    #expect(nobody["reachable"] == false && nobody["supported"] == false && nobody["problem"].text != nil)
  }

  @Test func `a single operation opens and closes its own session`() async throws {
    let user = try await StationUser(sensors: 1)
    #expect(try await user.value("sensor initialize \(user.address(1))")["status"] == "success")
    #expect(
      user.simulator.calls.map(\.operation) == [
        .getServiceInfo, .register, .tryLock, .initialize, .unlock, .unregister,
      ])
    await user.stop()
  }

  @Test func `a lock stays with its session until it is released or stolen`() async throws {
    let user = try await StationUser.enrolling(sensors: 1) { $0.stealPreventionInMilliseconds = 0 }
    let session = try #require(try await user.value("sensor lock \(user.address(1))")["session"].text)
    let refused = await user.report("sensor lock \(user.address(1))")
    #expect(refused?.code == "wsabi.sensor-said-no" && refused?.details["status"] == "lockHeldByAnother")
    #expect(await user.report("sensor steal \(user.address(1))")?.code == "wsabi.not-confirmed")
    let stolen = try await user.value("sensor steal \(user.address(1)) --yes")
    #expect(stolen["session"].text != session)
    let actions = try await user.value("log")["entries"].list?.compactMap { $0["action"].text }
    #expect(actions?.contains("sensorStolen") == true)
    try await user.run("sensor unregister \(user.address(1)) --session \(stolen["session"].text ?? "")")
    try await user.run("sensor lock \(user.address(1)) --session \(session)")
    try await user.run("sensor unlock \(user.address(1)) --session \(session)")
    await user.stop()
  }

  @Test func `without a store, a lock is stolen after a confirmation`() async throws {
    let user = try await StationUser(sensors: 1) { $0.stealPreventionInMilliseconds = 0 }
    let session = try #require(try await user.value("sensor lock \(user.address(1))")["session"].text)
    #expect(await user.report("sensor steal \(user.address(1))")?.code == "wsabi.not-confirmed")
    #expect(!user.simulator.calls.contains { $0.operation == .stealLock })
    let stolen = try await user.run("sensor steal \(user.address(1)) --yes")
    #expect(stolen.diagnostics.map(\.code) == ["wsabi.not-audited", "wsabi.lock-stolen"])
    #expect(stolen.value["status"] == "success" && stolen.value["session"].text != session)
    let refused = await user.report("sensor lock \(user.address(1)) --session \(session)")
    #expect(refused?.details["status"] == "lockHeldByAnother")
    await user.stop()
  }

  @Test(arguments: [
    ("steal-false@stealLock", "lockHeldByAnother"), ("drop-after@stealLock", "unknown: no answer"),
    ("status@stealLock=failure", "failure"),
  ])
  func `a failed or uncertain steal is recorded in the audit log`(
    _ fault: String, _ outcome: String
  ) async throws {
    let user = try await StationUser.enrolling(sensors: 1) { $0.stealPreventionInMilliseconds = 0 }
    try await user.run("sensor lock \(user.address(1))")
    try user.simulator.script(fault)
    let report = try #require(await user.report("sensor steal \(user.address(1)) --yes"))
    #expect(report.advice?.contains("sensor steal") != true, "it would lead in a circle")
    let entries = try await user.value("log")["entries"].list?.filter { $0["action"] == "sensorStolen" }
    #expect(entries?.map { $0["outcome"].text } == [outcome])
    await user.stop()
  }

  @Test func `unlock and unregister require a session, and send nothing without it`() async throws {
    let user = try await StationUser(sensors: 1)
    for operation in ["unlock", "unregister"] {
      let report = await user.report("sensor \(operation) \(user.address(1))")
      #expect(report?.code == "wsabi.session-needed" && report?.kind == .usage, "\(operation)")
      let bad = await user.report("sensor \(operation) \(user.address(1)) --session xyz")
      #expect(bad?.code == "wsabi.bad-id" && bad?.message == "'xyz' is not the id of a session", "\(operation)")
      #expect(bad?.advice?.contains("sensor register") == true && bad?.advice?.contains("list") == false)
    }
    #expect(!user.simulator.calls.contains { $0.operation != .getServiceInfo })
    await user.stop()
  }

  @Test func `a sensor is configured and reports its configuration`() async throws {
    let user = try await StationUser(sensors: 1)
    let session = try #require(try await user.value("sensor lock \(user.address(1))")["session"].text)
    try await user.run("sensor initialize \(user.address(1)) --session \(session)")
    try await user.run("sensor configure \(user.address(1)) --session \(session) --set submodality=LeftThumbFlat")
    let answer = try await user.value("sensor configuration \(user.address(1)) --session \(session)")
    #expect(answer["metadata"]["submodality"].text?.lowercased() == "leftthumbflat")
    await user.stop()
  }

  @Test func `a setup by options asks no questions, and an unsuitable sensor is refused`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.run("person add --first-name Ada")
    let sensor = "--sensor \(user.address(1)) --sensor-name desk"
    let item = try await user.value("sensor setup --person 1 --submodality LeftThumbFlat \(sensor)")
    #expect(item["submodality"] == "LeftThumbFlat" && item["sensor"] == "desk")
    let report = await user.report("sensor setup --person 1 --submodality LeftIris \(sensor)")
    #expect(report?.code == "wsabi.unsuitable-sensor")
    #expect(try await user.value("item list 1").list?.count == 1)
    #expect(user.plugin.answers.questions.isEmpty)
    await user.stop()
  }

  @Test func `a setup asks step by step, offers recent sensors, and stores only at the end`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.run("person add --first-name Ada")
    user.plugin.answers.say("finger", "left thumb", user.address(1), "desk")
    #expect(try await user.value("sensor setup --person 1")["submodality"] == "LeftThumbFlat")
    user.plugin.answers.say("finger", "right thumb", "1")
    #expect(try await user.value("sensor setup --person 1")["sensor"] == "desk")
    user.plugin.answers.say("finger", "right thumb")
    #expect(await user.report("sensor setup --person 1")?.code == "wsabi.missing")
    #expect(try await user.value("item list 1").list?.count == 2)
    #expect(try await user.value("sensor list").list?.count == 1)
    try await user.run("sensor forget desk")
    #expect(try await user.value("sensor list").list == [])
    await user.stop()
  }

  @Test func `an unreachable sensor is accepted with a warning`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    await user.stop()
    let result = try await user.run("sensor setup --item 1 --sensor-name away")
    #expect(result.diagnostics.map(\.code) == ["wsabi.sensor-unchecked"])
    #expect(result.value["sensor"] == "away" && result.value["submodality"] == "RightIndexFlat")
  }

  @Test func `a live preview gives the requested number of pictures`() async throws {
    let user = try await StationUser(sensors: 1)
    let result = try await user.run("preview \(user.address(1)) --frames 2")
    #expect(result.values.count == 2 && result.values.allSatisfy { ($0.picture?.width ?? 0) > 0 })
    await user.stop()
  }

  @Test(.timeLimit(.minutes(2))) func `a key ends a live preview without an error`() async throws {
    let user = try await StationUser(sensors: 1)
    user.plugin.answers.pressesKeys = true
    _ = try await user.run("preview \(user.address(1))")
    #expect(user.simulator.ledger.isEmpty)
    // A limited preview delivers the requested number.
    #expect(try await user.run("preview \(user.address(1)) --frames 2").values.count == 2)
    await user.stop()
  }

  @Test func `another process can cancel a running capture at the sensor`() async throws {
    let user = try await StationUser.enrolling(sensors: 1) { $0.captureDelayInMilliseconds = 60_000 }
    try await user.addPerson()
    async let capture = user.report("capture 1")
    await user.simulator.waitUntilBusy(1, with: .capture)
    let other = try await user.restarted()
    let rows = try await other.run(line: "operations --key-file \(user.keyFile)").value.list
    #expect(rows?.map { $0["item"] } == [1])
    let number = rows?.first?["number"].integer ?? 0
    // A capture of another process is not mistaken for a leftover.
    let resumed = try await other.run(line: "operations resume")
    #expect(resumed.diagnostics.map(\.code) == ["wsabi.not-resumed"])
    #expect(try await other.run(line: "operations cancel \(number)").value["canceled"] == true)
    #expect(await capture?.code == "wsabi.capture-canceled")
    #expect(try await user.value("operations").list == [])
    await user.stop()
  }

  @Test func `canceling a command cancels its capture at the sensor`() async throws {
    let user = try await StationUser.enrolling(sensors: 1) { $0.captureDelayInMilliseconds = 60_000 }
    try await user.addPerson()
    let capture = Task { try await user.run("capture 1") }
    await user.simulator.waitUntilBusy(1, with: .capture)
    capture.cancel()
    await #expect(throws: CancellationError.self) { try await capture.value }
    #expect(user.simulator.calls.contains { $0.operation == .cancel })
    #expect(user.simulator.ledger.isEmpty)
    #expect(try await user.value("operations").list == [])
    await user.stop()
  }
}
