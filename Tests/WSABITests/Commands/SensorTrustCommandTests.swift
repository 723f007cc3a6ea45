import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The trust of a sensor, from the command line to the capture.
@Suite(.enabled(if: TLSServer.isAvailable), .timeLimit(.minutes(5)))
struct SensorTrustCommandTests {
  private let certificates: TestCertificates

  init() throws { certificates = try TestCertificates() }

  private func station(asksClients: Bool = false) async throws -> StationUser {
    let certificate = try certificates.ofSensor(asksClients: asksClients)
    let user = try await StationUser.enrolling(sensors: 1) { $0.certificate = certificate }
    try await user.run("person add --first-name Ada")
    return user
  }

  @Test func `a displayed pin is stored with the item, and applies to every capture`() async throws {
    let user = try await station()
    let sensor = user.address(1)
    let shown = try await user.value("sensor certificate \(sensor)")
    let pin = try #require(shown["pin"].text)
    let expected = try certificates.pin("sensor.pem")
    #expect(shown["isTrusted"] == false && pin == expected)
    let problem = try await user.value("sensor check \(sensor)")
    #expect(problem["reachable"] == false && problem["problem"].text?.contains("not trusted") == true)
    #expect(problem["problem"].text?.contains("'sensor certificate'") == true)
    #expect(problem["message"] == "The sensor at this address is not trusted.")
    #expect(try await user.value("sensor check \(sensor) --pin \(pin)")["reachable"] == true)
    let item = try await user.value(
      "sensor setup --person 1 --submodality RightIndexFlat --sensor \(sensor) --pin \(pin)")
    #expect(item["pins"].list == [.text(pin)])
    #expect(try await user.value("capture 1")["captured"] == 1)
    // The same sensor is offered with its pin to the next item.
    user.plugin.answers.say("finger", "left index", "1")
    let second = try await user.value("sensor setup --person 1")
    #expect(second["pins"].list == [.text(pin)])
    try await user.run("person duplicate 1")
    let copied = try await user.value("item list 2").list
    #expect(copied?.allSatisfy { $0["pins"].list == [.text(pin)] } == true)
    await user.stop()
  }

  @Test func `a key that differs from the pin is refused, and nothing is captured`() async throws {
    let user = try await station()
    let other = try certificates.pin("stranger.pem")
    try await user.run("item add 1 --submodality RightIndexFlat --sensor \(user.address(1)) --pin \(other)")
    let report = await user.report("capture 1")
    #expect(
      report?.code == "wsabi.not-captured"
        && report?.message.contains("the key of the host differs from the pin") == true)
    #expect(user.simulator.calls.isEmpty && user.simulator.ledger.isEmpty)
    // Another sensor's pin does not apply to the next one.
    let edited = try await user.value("item edit 1 --sensor https://127.0.0.1:9")
    #expect(edited["pins"].list == [])
    await user.stop()
  }

  @Test func `a client certificate is stored with the item, and used for leftovers too`() async throws {
    let user = try await station(asksClients: true)
    let trust = """
      --authorities \(certificates.path("sensor.pem")) --client-certificate \(certificates.path("client.pem")) \
      --client-key \(certificates.path("client-key.pem"))
      """
    try user.simulator.script("status@download#1-3=failure")
    try await user.run("item add 1 --submodality RightIndexFlat --sensor \(user.address(1)) \(trust)")
    #expect(await user.report("capture 1")?.code == "wsabi.capture-waiting")
    // The sensor as the journal knows it.
    let resumed = try await user.value("operations resume")
    #expect(resumed.list?.map { $0["outcome"] } == ["stored"])
    await user.stop()
  }

  @Test func `contradictory trust settings are refused with their reason`() async throws {
    let user = try await station()
    let add = "item add 1 --submodality RightIndexFlat --sensor"
    let pin = try certificates.pin("sensor.pem")
    #expect(
      await user.report("\(add) http://127.0.0.1:9 --pin \(pin)")?.message.contains("need an https address") == true)
    #expect(await user.report("\(add) https://127.0.0.1:9 --pin abc")?.message.contains("44 characters") == true)
    #expect(
      await user.report("\(add) https://127.0.0.1:9 --authorities /nowhere.pem")?.message.contains("/nowhere.pem")
        == true)
    #expect(try await user.value("item list 1").list == [])
    await user.stop()
  }

  @Test func `an unencrypted connection causes a warning`() async throws {
    let user = try await station()
    let result = try await user.run("item add 1 --submodality RightIndexFlat --sensor http://192.0.2.7:8000")
    #expect(result.diagnostics.map(\.code) == ["wsabi.sensor-unprotected"])
    let safe = try await user.run("item add 1 --submodality RightIndexFlat --sensor https://192.0.2.7:8000")
    #expect(safe.diagnostics.isEmpty)
    await user.stop()
  }
}
