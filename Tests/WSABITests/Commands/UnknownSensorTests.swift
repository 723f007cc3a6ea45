import PluginAPI
import PluginTesting
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Sensors that do not describe themselves.
@Suite(.timeLimit(.minutes(5)))
struct UnknownSensorTests {
  @Test(arguments: ["no-modality", "unknown-modality", "no-submodality"])
  func `33: the walkthrough rejects a sensor that does not report its modality, and 'item add' accepts it`(
    _ fault: String
  ) async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.run("person add --first-name Ada")
    try user.simulator.script("\(fault)@getServiceInfo")
    let sensor = "--submodality RightIndexFlat --sensor \(user.address(1))"
    let check = try await user.value("sensor check \(user.address(1)) --submodality RightIndexFlat")
    #expect(check["reachable"] == true && check["supported"] == false)
    let report = await user.report("sensor setup --person 1 \(sensor)")
    #expect(report?.code == "wsabi.unsuitable-sensor")
    #expect(try await user.value("item list 1").list == [])
    try await user.run("item add 1 \(sensor)")
    #expect(try await user.value("capture 1")["captured"] == 1)
    await user.stop()
  }

  @Test(arguments: ["no-modality", "unknown-modality", "no-submodality"])
  func `a sensor that does not report what it captures is set up with '--anyway', with a warning`(
    _ fault: String
  ) async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.run("person add --first-name Ada")
    try user.simulator.script("\(fault)@getServiceInfo")
    let line = "sensor setup --person 1 --submodality RightIndexFlat --sensor \(user.address(1)) --sensor-name desk"
    let report = await user.report(line)
    #expect(report?.advice?.contains("'--anyway'") == true)
    let result = try await user.run("\(line) --anyway")
    #expect(result.diagnostics.map(\.code) == ["wsabi.sensor-unsuited"])
    #expect(try await user.value("capture 1")["captured"] == 1)
    await user.stop()
  }

  @Test func `a pre-release sensor captures its frontal face`() async throws {
    let user = try await StationUser.enrolling(sensors: 1) {
      $0.namespace = .preRelease
      $0.modalities = [.face]
    }
    try await user.run("person add --first-name Ada")
    let sensor = "--sensor \(user.address(1)) --sensor-name desk"
    let item = try await user.value("sensor setup --person 1 --submodality 'frontal face' \(sensor)")
    #expect(item["submodality"] == "frontalFace")
    #expect(try await user.value("capture 1")["captured"] == 1)
    await user.stop()
  }

  @Test func `a vendor-specific submodality is accepted with a modality, and stored and sent unchanged`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.run("person add --first-name Ada")
    let sensor = "--sensor \(user.address(1)) --sensor-name desk"
    let refused = await user.report("item add 1 --submodality palmprint-R1 \(sensor)")
    #expect(refused?.code == "wsabi.unknown-submodality" && refused?.advice?.contains("'--modality'") == true)
    let added = try await user.run("item add 1 --modality finger --submodality palmprint-R1 \(sensor)")
    #expect(added.diagnostics.map(\.code).contains("wsabi.own-word"))
    #expect(added.value["submodality"] == "palmprint-R1" && added.value["modality"] == "Finger")
    #expect(added.value["configuration"]["submodality"] == "palmprint-R1")
    // Other settings are changed without a word about it.
    let edited = try await user.run("item edit 1 --set gain=3")
    #expect(!edited.diagnostics.map(\.code).contains("wsabi.own-word"))
    #expect(edited.value["configuration"]["submodality"] == "palmprint-R1")
    // This sensor has no such word, and no other one is requested in its place.
    #expect(await user.report("capture 1")?.code == "wsabi.setting-not-taken")
    #expect(user.simulator.ledger.isEmpty)
    let setup = await user.report("sensor setup --person 1 --modality finger --submodality palmprint-R1 \(sensor)")
    #expect(setup?.code == "wsabi.unsuitable-sensor")
    await user.stop()
  }

  @Test func `data given up by 'operations discard' is logged, and no longer requested`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try user.simulator.script("status@download=failure")
    #expect(await user.report("capture 1")?.code == "wsabi.capture-waiting")
    let number = try #require(try await user.value("operations").list?.first?["number"].integer)
    #expect(await user.report("operations discard \(number)")?.code == "wsabi.not-confirmed")
    #expect(try await user.value("operations").list?.count == 1)
    // The data cannot be captured twice: as with a deletion, the user must prove their identity to give it up.
    #expect(await user.report("operations discard \(number) --yes")?.code == "wsabi.key-needed")
    let discard = "operations discard \(number) --yes --key-file \(user.keyFile)"
    // Another process may be fetching it just now.
    let claim = try CaptureClaim(folder: try user.store().folder)
    #expect(try claim.share())
    #expect(await user.report(discard)?.code == "wsabi.captures-under-way")
    #expect(try await user.value("operations").list?.count == 1)
    claim.release()
    #expect(try await user.value(discard)["discarded"] == 1)
    #expect(try await user.value("operations").list == [])
    #expect(await user.report("operations discard \(number) --yes") != nil)
    let log = try await user.value("log --verify")
    #expect(log["isWhole"] == true)
    let lost = log["entries"].list?.filter { $0["action"] == "captureLost" }
    #expect(lost?.count == 1)
    user.simulator.heal()
    #expect(try await user.value("operations resume").list == [])
    #expect(try await user.value("item list 1").list?.allSatisfy { $0["capture"] == .null } == true)
    // Nothing keeps the item any longer.
    try await user.run("item delete 1 --yes --key-file \(user.keyFile)")
    await user.stop()
  }

  @Test func `'--yes' confirms the deletion, but does not give up data at a sensor`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try user.simulator.script("status@download=failure")
    #expect(await user.report("capture 1")?.code == "wsabi.capture-waiting")
    for command in ["item delete 1", "person delete 1"] {
      let report = await user.report("\(command) --yes --key-file \(user.keyFile)")
      #expect(report?.code == "wsabi.capture-under-way" && report?.kind == .refused, "\(command)")
      #expect(report?.advice?.contains("'operations resume'") == true)
      #expect(report?.advice?.contains("'operations discard'") == true)
    }
    user.simulator.heal()
    #expect(try await user.value("operations resume").list?.count == 1)
    #expect(try await user.value("item show 1")["capture"]["captureId"].text != nil)
    try await user.run("person delete 1 --yes --key-file \(user.keyFile)")
    #expect(try await user.value("person list").list == [])
    await user.stop()
  }
}
