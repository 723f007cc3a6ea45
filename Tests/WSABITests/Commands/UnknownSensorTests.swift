import PluginAPI
import Testing

@testable import WSABI

/// Sensors that do not say what they are.
@Suite(.timeLimit(.minutes(5)))
struct UnknownSensorTests {
  @Test(arguments: ["no-modality", "unknown-modality", "no-submodality"])
  func `33: a sensor that does not say what it captures is refused by the walkthrough, and can be kept by 'item add'`(
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

  @Test func `what is given up by 'operations discard' is written down, and asked for no more`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try user.simulator.script("status@download=failure")
    #expect(await user.report("capture 1")?.code == "wsabi.capture-waiting")
    let number = try #require(try await user.value("operations").list?.first?["number"].integer)
    #expect(await user.report("operations discard \(number)")?.code == "wsabi.not-confirmed")
    #expect(try await user.value("operations").list?.count == 1)
    // The data cannot be captured twice: as with a deletion, who gives it up proves who they are.
    #expect(await user.report("operations discard \(number) --yes")?.code == "wsabi.key-needed")
    let discard = "operations discard \(number) --yes --key-file \(user.keyFile)"
    // Another process may be fetching it just now.
    var claim: CaptureClaim? = try CaptureClaim(folder: try user.store().folder)
    #expect(try claim?.share() == true)
    #expect(await user.report(discard)?.code == "wsabi.captures-under-way")
    #expect(try await user.value("operations").list?.count == 1)
    claim = nil
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
    await user.stop()
  }
}
