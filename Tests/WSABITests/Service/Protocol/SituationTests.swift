import PluginServer
import PluginText
import Synchronization
import Testing

@testable import WSABI

@Suite struct SituationTests {
  /// Every namespace with every style.
  static let dialects = ProtocolNamespace.allCases.flatMap { namespace in
    DocumentStyle.allCases.map { (namespace, $0) }
  }

  /// The HTTP method and path of an operation, with `{s}` for the session and `{c}` for the captured data.
  static let addresses: [SensorOperation: (String, String)] = [
    .register: ("POST", "register"), .unregister: ("DELETE", "register/{s}"), .tryLock: ("POST", "lock/{s}"),
    .stealLock: ("PUT", "lock/{s}"), .unlock: ("DELETE", "lock/{s}"), .getServiceInfo: ("GET", "info"),
    .initialize: ("POST", "initialize/{s}"), .uninitialize: ("DELETE", "initialize/{s}"),
    .getConfiguration: ("GET", "configure/{s}"), .setConfiguration: ("POST", "configure/{s}"),
    .capture: ("POST", "capture/{s}"), .beginCapture: ("POST", "capture/{s}/async"),
    .endCapture: ("PUT", "capture/{s}/async"), .getSensorStatus: ("GET", "status"),
    .download: ("GET", "download/{c}"), .getDownloadInfo: ("GET", "download/{c}/info"),
    .thriftyDownload: ("GET", "download/{c}/320"), .rawDownload: ("GET", "download/{c}/raw"),
    .cancel: ("POST", "cancel/{s}"), .stream: ("GET", "stream/view/{s}"),
  ]

  /// Returns the path of an operation with the ids of the tests.
  static func path(of operation: SensorOperation) -> String {
    let parts = (addresses[operation]?.1 ?? "").split(separator: "/").map { part in
      part == "{s}" ? TestID.session : part == "{c}" ? TestID.capture : String(part)
    }
    return "/Service/" + parts.joined(separator: "/")
  }

  @Test(arguments: dialects)
  func `every situation is read as written`(namespace: ProtocolNamespace, style: DocumentStyle) async throws {
    let current = CurrentResult()
    let service = try AnsweringService { _, _ in
      ServerResponse(type: style.type, style.document(current.value, namespace))
    }
    let connection = try service.connection()
    current.value = Situation.information[0].result
    #expect(try await connection.serviceInformation().namespace == namespace)
    var wrong: [String] = []
    for situation in Situation.all {
      current.value = situation.result
      let sink = KeptBytes()
      let hasData = situation.result.data != nil
      do {
        let answer = try await connection.ask(.complete(situation.operation), into: sink)
        let expected = Self.expected(situation.result, namespace)
        if answer != expected { wrong.append("\(situation.name): \(answer) instead of \(expected)") }
        if hasData, sink.bytes != situation.result.data { wrong.append("\(situation.name): other data") }
      } catch {
        wrong.append("\(situation.name): \(error.kind)")
      }
      let question = service.questions.last
      let method = Self.addresses[situation.operation]?.0
      if question?.method != method || question?.path != Self.path(of: situation.operation) {
        wrong.append("\(situation.name): asked \(question?.method ?? "") \(question?.path ?? "")")
      }
    }
    #expect(wrong == [])
  }

  @Test func `the table of situations is complete`() {
    #expect(Situation.all.count == 168)
    let names = Set(Situation.all.map(\.name))
    #expect(names.count == Situation.all.count)
    let operations = Set(Situation.all.map(\.operation))
    #expect(operations.union([.rawDownload, .stream]) == Set(SensorOperation.allCases))
    let statuses = Set(Situation.all.map { OperationStatus(word: $0.result.status) })
    #expect(statuses.isSuperset(of: OperationStatus.standard))
  }

  /// Returns the response that the client makes of a result.
  static func expected(_ result: WrittenResult, _ namespace: ProtocolNamespace) -> SensorAnswer {
    var answer = SensorAnswer(status: OperationStatus(word: result.status), namespace: namespace)
    answer.badFields = result.badFields ?? []
    answer.captureIDs = (result.captureIDs ?? []).compactMap { SensorUUID($0) }
    answer.metadata = result.metadata.map { WireDictionary($0.map { .init($0.0, $0.1.expected) }) }
    answer.message = result.message ?? ""
    answer.sessionID = result.session.flatMap { SensorUUID($0) }
    answer.data = result.data.map { bytes in
      var hash = SHA256()
      hash.update(bytes)
      return SensorData(sizeInBytes: bytes.count, sha256: hash.finish())
    }
    if case .unknown = answer.status { answer.oddities = ["the status is unknown and is treated as a failure"] }
    return answer
  }
}

/// The next result of a service.
private final class CurrentResult: Sendable {
  private let state = Mutex(WrittenResult())

  var value: WrittenResult {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
