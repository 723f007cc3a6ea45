import PluginAPI
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Objects as a connection receives them.
@Suite struct GraphAnswerTests {
  /// A caller that does not log in.
  private struct BareCaller: RPCCaller {
    let connection: RPCConnection

    func call(_ call: RPCCall, _ reader: any RPCResultReader & Sendable) async throws -> RPCResponse {
      do {
        return try await connection.call(call, token: nil, reader)
      } catch let failure as RPCFailure {
        throw failure.error
      }
    }
  }

  @Test(arguments: [
    (#"{"@id":1,"objects":[{"@id":2,"code":"A","type":9}]}"#, GraphError.forwardReference("type", id: "9")),
    (#"{"@id":1,"objects":[{"@id":2},{"@id":2}]}"#, .repeatedID("2")),
    ("null", .otherShape(expected: "a result with objects", found: "nothing")),
  ])
  func `Case 54: an invalid graph is reported with method and server`(result: String, expected: GraphError) async throws
  {
    let lab = try LabFixture { _ in .result(result) }
    defer { withExtendedLifetime(lab) {} }
    let service = NativeService(BareCaller(connection: lab.connection()))
    do {
      _ = try await service.page(.sample, NativePageRequest()) { _ in }
      Issue.record("no error")
    } catch {
      let place = RPCTarget(method: "searchSamples", server: lab.address.base)
      #expect(error as? RPCError == .graph(place, expected))
      #expect(codeOf(error) == expected.report.code)
      #expect(messageOf(error) == "the response to \(place) \(expected.predicate)")
    }
  }

  @Test func `A page is received completely over the network`() async throws {
    let objects = (0..<3000).map { #"{"@id":\#($0 + 2),"code":"S\#($0)"}"# }
    let lab = try LabFixture { _ in .result(#"{"@id":1,"objects":["# + objects.joined(separator: ",") + "]}") }
    defer { withExtendedLifetime(lab) {} }
    let summary = try await NativeService(BareCaller(connection: lab.connection())).page(.sample, NativePageRequest()) {
      _ in
    }
    #expect(summary.count == 3000)
  }
}
