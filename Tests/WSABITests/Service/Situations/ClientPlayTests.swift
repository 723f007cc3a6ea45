import Testing

@testable import WSABI
@testable import WSABISimulator

/// The client side of the conformance catalog, played in all dialects.
@Suite(.timeLimit(.minutes(5)))
struct ClientPlayTests {
  @Test(arguments: SimulatedServiceTests.dialects)
  func `every situation has the outcome of the table`(
    namespace: ProtocolNamespace, style: SimulatorConfiguration.Style
  ) async throws {
    var problems: [String] = []
    for play in ClientPlays.all { problems += try await play.problems(namespace, style) }
    #expect(problems == [])
  }

  @Test func `every situation sends requests and then checks the result`() {
    for play in ClientPlays.all {
      #expect(!play.looks.isEmpty && play.looks.count < play.steps.count, "\(play.name)")
    }
    #expect(Set(ClientPlays.all.map(\.name)).count == ClientPlays.all.count)
    #expect(ClientPlays.all.count == 185)
  }

  @Test func `a deviating client or sensor is detected`() async throws {
    let wrong = [
      ClientPlay("other status", "A register; A lock = lockHeldByAnother"),
      ClientPlay("other holder", "A register; A lock; holder = none"),
      ClientPlay("other data", "A register; A lock; A initialize; A capture; A details; data = whole"),
      ClientPlay("other count", "A register; A lock; A initialize; A capture; ledger = 2"),
      ClientPlay("other sensor", "A register; A lock; fault status@initialize=success; A initialize; sensor = ready"),
      ClientPlay("other journal", "fault forget@download; M capture = stored"),
      ClientPlay("other stream", "A register; A look = ended") { $0.hasOpenPreview = false },
    ]
    for play in wrong { #expect(try await play.problems(.nist, .jaxb).count == 1, "\(play.name)") }
  }
}
