import PluginAPI
import PluginServer
import PluginSimulation
import PluginTesting
import TestSupport
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Cases 6 to 17: missing services, intermediaries, and invalid responses.
struct AnswerCases {
  /// Refreshes a full cache under a fault: the error is reported and the cache stays unchanged.
  private func report(
    _ fault: SimulatorFault, on operation: String = "ROOT"
  ) async throws -> ErrorReport {
    let user = try await LabUser.synced()
    let (before, state) = (try await user.content(), try await user.state())
    user.server.add(SimulatorFaultRule(fault, on: operation))
    let report = try #require(await user.report("sync --full"))
    #expect(report.message.contains("127.0.0.1:\(user.server.port)"), "names no server: \(report.message)")
    #expect(
      report.message.contains("createReportFromAggregationService"), "names no call: \(report.message)")
    #expect(try await user.content() == before)
    #expect(try await user.state().completedAt == state.completedAt)
    #expect(try await user.canBrowse())
    return report
  }

  @Test func `case 6: a server without the service is browsed by its objects, with a note`() async throws {
    let user = try await LabUser { $0.faults = [SimulatorFaultRule(.serviceMissing)] }
    let result = try await user.run("login \(user.server.url) --user alice --password-stdin")
    #expect(result.value["backEnd"] == "native")
    let note = try #require(result.diagnostics.first { $0.code == "openbis.no-tables" })
    #expect(note.message.contains("ipad-read-service-v1") && note.advice?.contains("mapping") == true)
    try await user.run("sync")
    #expect(try await user.canBrowse())
    // A server that is too old for V3 offers nothing else.
    let old = try await LabUser { configuration in
      configuration.faults =
        [SimulatorFaultRule(.serviceMissing)]
        + ["login", "getServerInformation", "searchAggregationServices"].map {
          SimulatorFaultRule(.notFoundMethod, on: $0)
        }
    }
    let report = try #require(await old.report("login \(old.server.url) --user alice --password-stdin"))
    #expect(report.code == "openbis.no-tables" && report.message.contains("127.0.0.1"))
    #expect(report.advice?.contains("--back-end") == false)
  }

  @Test func `case 7: the first of two data stores is used unless another one is chosen permanently`()
    async throws
  {
    let home = CacheFolder()
    let user = try await LabUser(home: home.path) { $0.faults = [SimulatorFaultRule(.twoDataStores)] }
    let result = try await user.run("login \(user.server.url) --user alice --password-stdin")
    #expect(result.value["dataStore"] == "DSS1" && result.value["dataStores"] == ["DSS1", "DSS2"])
    #expect(
      result.diagnostics.contains {
        $0.code == "openbis.several-data-stores" && $0.advice?.contains("--data-store") == true
      })
    try await user.logIn("--data-store DSS2")
    let next = try await LabUser(server: user.server, home: home.path)
    user.server.forgetCalls()
    try await next.run("sync")
    let stores = user.server.calls.compactMap { $0.requestKey == nil ? nil : $0.parameters.first?.text }
    #expect(!stores.isEmpty && stores.allSatisfy { $0 == "DSS2" })
  }

  @Test func `case 8: a web page instead of JSON is reported with its beginning, and the cache stays`() async throws {
    let report = try await report(.htmlPage)
    #expect(report.code == "openbis.not-json" && report.kind == .network && report.exitStatus == 6)
    #expect(report.message.contains("not JSON (text/html)") && report.message.contains("<!DOCTYPE html>"))
    let quoted = try #require(report.message.split(separator: "'").last)
    #expect(quoted.count <= 81)
  }

  @Test(arguments: [SimulatorFault.busy502, .busy503, .busy504])
  func `case 9: requests to a busy server are retried after 1, 2 and 4 seconds`(_ fault: SimulatorFault)
    async throws
  {
    let lab = HastyLab(try SimulatorServer())
    try await lab.sync()
    let before = try lab.content()
    lab.server.forgetCalls()
    lab.server.add(SimulatorFaultRule(fault, on: "NAVIGATION", times: 3))
    try await lab.sync()
    #expect(lab.waits.value == [1.5, 2.5, 4.5])
    #expect(lab.server.log.filter { $0 == "NAVIGATION" }.count == 4)
    lab.waits.withLock { $0 = [] }
    lab.server.forgetCalls()
    lab.server.add(SimulatorFaultRule(fault, on: "NAVIGATION"))
    let error = await errorOf { try await lab.sync() }
    #expect(codeOf(error) == "openbis.busy" && messageOf(error).contains("4 attempts"))
    #expect(lab.server.log.filter { $0 == "NAVIGATION" }.count == 4 && lab.waits.value.count == 3)
    #expect(try lab.content() == before)
  }

  @Test func `case 10: a missing method is reported as unsupported, and the other interface is tried`()
    async throws
  {
    // Neither the login nor the tables by V3: V1 has both.
    let user = try await LabUser {
      $0.faults = [SimulatorFaultRule(.notFoundMethod, on: "login")]
    }
    try await user.logIn()
    #expect(user.server.log.prefix(2) == ["login", "tryToAuthenticateAtQueryServer"])
    try await user.run("sync")
    // No tables by V1: V3 has them.
    let other = try await LabUser {
      $0.faults = [SimulatorFaultRule(.notFoundMethod, on: "listAggregationServices")]
    }
    let result = try await other.run("login \(other.server.url) --user alice --password-stdin")
    #expect(result.value["backEnd"] == "tables-v3")
    let report = try await report(.notFoundMethod)
    #expect(report.code == "openbis.no-method" && report.message.contains("not supported by the server"))
  }

  @Test func `case 11: a redirection is followed on the same host only, without the token elsewhere`() async throws {
    let user = try await LabUser.synced()
    user.server.add(SimulatorFaultRule(.redirectSameHost, on: "ROOT", times: 1))
    try await user.run("sync --full")
    let seen = Mutexed(0)
    let other = try LabFixture { _ in
      seen.withLock { $0 += 1 }
      return .result("null")
    }
    for status in [301, 302, 307, 308] {
      let first = try LabFixture { call in
        .response(.init(status, headers: [.init("Location", other.address.base + call.path)], .bytes([])))
      }
      let session = RPCSession(first.connection(), user: "anna", key: .none, token: Secret("anna-token-1"))
      let error = await errorOf { try await TableService.services(session, host: .v1) }
      #expect(error != nil && !messageOf(error).contains("anna-token-1"), "\(status)")
      await first.stop()
    }
    #expect(seen.value == 0)
    let report = try await report(.redirectOtherHost)
    #expect(report.kind == .network)
    await other.stop()
  }

  @Test(arguments: [SimulatorFault.cutBody, .overstatedLength, .resetBody])
  func `case 12: a response that ends within a row is rejected as a whole`(_ fault: SimulatorFault) async throws {
    let report = try await report(fault)
    #expect(report.kind == .network)
  }

  @Test func `case 13: a stalled stream fails after the idle time, or at once when canceled`() async throws {
    let lab = HastyLab(try SimulatorServer(.init(shape: .plain)))
    try await lab.sync()
    let before = try lab.content()
    lab.stallInSeconds.withLock { $0 = 1 }
    lab.server.add(SimulatorFaultRule(.stall, on: "ROOT"))
    let error = await errorOf { try await lab.sync(isFull: true) }
    #expect(codeOf(error) == "net.timed-out", "\(messageOf(error))")
    #expect(messageOf(error).contains("createReportFromAggregationService"))
    #expect(try lab.content() == before)
    let user = try await LabUser.loggedIn(.plain) {
      $0.faults = [SimulatorFaultRule(.stall, on: "ROOT")]
      $0.entities = 4000
    }
    let task = Task { try await user.run("sync") }
    await until { user.server.log.contains("ROOT") }
    task.cancel()
    let outcome = await task.result
    #expect(throws: CancellationError.self) { try outcome.get() }
    #expect(try await user.content().entities.count == user.run("categories").value.list?.count)
  }

  @Test func `case 14: a slow server has no time limit while bytes arrive, and the cache can be read`()
    async throws
  {
    var configuration = SimulatorConfiguration(shape: .plain)
    (configuration.entities, configuration.categories, configuration.dripMilliseconds) = (60, 2, 150)
    let lab = HastyLab(try SimulatorServer(configuration))
    try await lab.sync()
    // libcurl counts the idle time by the clock: twenty pauses between two pieces, less than all pieces take.
    lab.stallInSeconds.withLock { $0 = 3 }
    lab.server.add(SimulatorFaultRule(.slowRows, on: "ROOT"))
    let start = ContinuousClock.now
    let isOver = Mutexed(false)
    let task = Task {
      defer { isOver.withLock { $0 = true } }
      return try await lab.sync(isFull: true)
    }
    var reads = 0
    while !isOver.value {
      #expect(try await lab.cache.roots(in: nil, 0..<10).rows.count == 10)
      reads += 1
    }
    _ = try await task.value
    #expect(ContinuousClock.now - start > .seconds(3) && reads > 2)
    #expect(lab.progress.value.contains { $0.label.contains("requesting") })
  }

  @Test func `case 15: a null error beside a result is a success`() async throws {
    let user = try await LabUser.loggedIn { $0.faults = [SimulatorFaultRule(.nullError)] }
    try await user.run("sync")
    let undisturbed = try await LabUser.synced()
    #expect(try await user.content().entities.count == undisturbed.content().entities.count)
  }

  @Test func `case 16: a response with neither result nor error violates the protocol`() async throws {
    let report = try await report(.noResult)
    #expect(report.code == "openbis.protocol-broken" && report.message.contains("result"))
  }

  @Test func `case 17: a response to another request violates the protocol`() async throws {
    let report = try await report(.wrongID)
    #expect(report.code == "openbis.protocol-broken")
  }
}
