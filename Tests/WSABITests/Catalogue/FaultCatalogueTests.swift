import Testing

@testable import WSABI
@testable import WSABISimulator

/// The faults of services end as the list requires; the product's client sends each request to a simulated sensor.
struct FaultCatalogueTests {
  @Test(arguments: FaultCases.all, SimulatorConfiguration.Style.allCases)
  func `each fault of a service has the listed outcome`(
    _ fault: FaultCase, _ style: SimulatorConfiguration.Style
  ) async throws {
    let problem = try await fault.problem(style)
    #expect(problem == nil, "\(problem ?? "")")
  }
}
