import PluginAPI
import PluginSimulation
import PluginTesting
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// A session that expires at each call of a refresh of forty categories, one after the other.
@Suite(.timeLimit(.minutes(5)))
struct SessionExpiryTests {
  /// The interface by which a server is called.
  enum Way: String, CaseIterable, Sendable {
    case tablesV1 = "tables-v1"
    case tablesV3 = "tables-v3"
    case native
  }

  /// Returns a user logged in to a server with forty categories, and with an empty cache.
  private func user(_ way: Way, _ server: SimulatorServer) async throws -> LabUser {
    let user = try await LabUser(server: server)
    server.heal()
    if way == .tablesV3 { server.add(SimulatorFaultRule(.notFoundMethod, on: "listAggregationServices")) }
    try await user.logIn(way == .native ? "--native" : "")
    #expect(try await user.accounts().first?.backEnd?.rawValue == way.rawValue)
    server.heal()
    server.forgetCalls()
    return user
  }

  @Test(arguments: Way.allCases)
  func `a session that expires at any call of a refresh costs one login and one repeated call`(_ way: Way)
    async throws
  {
    var configuration = SimulatorConfiguration(shape: .plain)
    (configuration.entities, configuration.categories) = (way == .native ? 2100 : 120, 40)
    configuration.keepsParameters = false
    let server = try SimulatorServer(configuration)
    let undisturbed = try await user(way, server)
    try await undisturbed.run("sync --no-index")
    let (usual, content) = (server.log, try await undisturbed.content())
    #expect(usual.count == (way == .native ? usual.count : 43) && content.entities.count > 120)
    for number in 1...usual.count {
      let user = try await user(way, server)
      server.add(SimulatorFaultRule(.expireSession, calls: number...number, times: 1))
      try await user.run("sync --no-index")
      var log = server.log
      let logins = log.filter { $0.hasPrefix("login") || $0.hasPrefix("tryTo") }
      #expect(logins.count == 1, "call \(number): \(logins)")
      log.removeAll { logins.contains($0) }
      // The failed call occurs twice, and all others as usual; V3 calls run two at once, in any order.
      for call in usual {
        let place = try #require(log.firstIndex(of: call), "call \(number): no \(call)")
        log.remove(at: place)
      }
      let isRight =
        way == .native
        ? (1...2).contains(log.count) && log.allSatisfy { usual.contains($0) } : log == [usual[number - 1]]
      #expect(isRight, "call \(number): \(log)")
      let found = try await user.content()
      #expect(found == content, "call \(number): \(found.differences(from: content))")
      #expect(try await user.state().unfinished == nil)
    }
    await server.stop()
  }
}
