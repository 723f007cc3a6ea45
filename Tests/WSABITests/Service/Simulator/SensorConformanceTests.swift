import Testing

@testable import WSABI
@testable import WSABISimulator

/// The server side of the conformance catalog, in both ways of writing and behaving.
struct SensorConformanceTests {
  @Test(arguments: SensorSituations.sessions, SimulatorConfiguration.Style.allCases)
  func `sessions behave as in the catalog`(
    _ situation: SensorSituation, _ style: SimulatorConfiguration.Style
  ) async throws {
    #expect(try await situation.problems(style, .bioserv) == [])
  }

  @Test(arguments: SensorSituations.locks, SimulatorConfiguration.Style.allCases)
  func `locks behave as in the catalog`(
    _ situation: SensorSituation, _ style: SimulatorConfiguration.Style
  ) async throws {
    #expect(try await situation.problems(style, .nist) == [])
  }

  @Test(arguments: SensorSituations.work, SimulatorConfiguration.Style.allCases)
  func `operations of the sensor behave as in the catalog`(
    _ situation: SensorSituation, _ style: SimulatorConfiguration.Style
  ) async throws {
    #expect(try await situation.problems(style, .biometrics) == [])
  }

  @Test(arguments: SensorSituations.configurations, SimulatorConfiguration.Style.allCases)
  func `configurations behave as in the catalog`(
    _ situation: SensorSituation, _ style: SimulatorConfiguration.Style
  ) async throws {
    #expect(try await situation.problems(style, .preRelease) == [])
  }

  @Test(arguments: SensorSituations.downloads, SimulatorConfiguration.Style.allCases)
  func `downloads behave as in the catalog`(
    _ situation: SensorSituation, _ style: SimulatorConfiguration.Style
  ) async throws {
    #expect(try await situation.problems(style, .bioserv) == [])
  }

  @Test(arguments: SensorSituations.others, SimulatorConfiguration.Style.allCases)
  func `cancels and other clients behave as in the catalog`(
    _ situation: SensorSituation, _ style: SimulatorConfiguration.Style
  ) async throws {
    #expect(try await situation.problems(style, .nist) == [])
  }

  @Test func `of many simultaneous clients, one gets the lock`() async throws {
    let simulator = try SensorSimulator(.init(seed: 9))
    let probe = SensorProbe(simulator.addresses[0])
    let answers = await withTaskGroup(of: String.self) { group in
      for _ in 0..<16 {
        group.addTask { await probe.ask("POST", "/lock/\(await probe.register())").status }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.filter { $0 == "success" }.count == 1)
    #expect(answers.filter { $0 == "lockHeldByAnother" }.count == 15)
    await simulator.stop()
  }
}
