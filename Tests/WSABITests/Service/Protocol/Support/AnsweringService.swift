import PluginServer
import Synchronization
import Testing

@testable import WSABI

/// A service on the loopback interface that responds as a test requires, and records its requests.
final class AnsweringService: Sendable {
  /// A request that the service received.
  struct Question: Sendable, Equatable {
    var method: String
    var path: String
    var headers: [String: String]
    var body: [UInt8]
  }

  private final class Box: Sendable {
    let questions = Mutex<[Question]>([])
  }

  private let box = Box()
  let server: HTTPServer

  /// Starts the service.
  ///
  /// - Parameter answer: Responds to a request; its number counts from 0.
  init(_ answer: @escaping @Sendable (Int, Question) async throws -> ServerResponse) throws {
    let box = box
    server = try HTTPServer { request in
      var headers: [String: String] = [:]
      for field in request.headers { headers[field.name.lowercased()] = field.value }
      let question = Question(
        method: request.method, path: request.path, headers: headers, body: try await request.body.whole())
      let number = box.questions.withLock { questions in
        questions.append(question)
        return questions.count - 1
      }
      return try await answer(number, question)
    }
  }

  /// Starts a service with the same response to every request.
  convenience init(_ response: ServerResponse) throws { try self.init { _, _ in response } }

  /// Starts a service that responds to every request with a document.
  convenience init(_ text: String, type: String = "application/xml") throws {
    try self.init(ServerResponse(type: type, Array(text.utf8)))
  }

  var questions: [Question] { box.questions.withLock { $0 } }

  /// Returns a connection to the service that never waits between retries.
  func connection(_ change: (inout SensorLimits) -> Void = { _ in }) throws -> SensorConnection {
    try connectionForTests(to: server.url + "/Service", change)
  }
}

/// Returns a connection that never waits between retries.
func connectionForTests(
  to address: String, _ change: (inout SensorLimits) -> Void = { _ in }
) throws -> SensorConnection {
  var limits = SensorLimits()
  limits.firstDelayInSeconds = 0.001
  change(&limits)
  return SensorAccess(isOffline: false, limits: limits).connection(try SensorAddress(parsing: address))
}

/// Ids of the tests.
enum TestID {
  static let session = "2e6e1e1f-9d4b-4C56-8a20-f5e0a2b7c9d1"
  static let capture = "7d1a5b3e-0c2f-4E8a-b6d4-93f1e5a7c802"
  static let other = "c0ffee00-1234-4abc-9def-0123456789ab"
}

/// Returns a document of the namespace in force around some elements.
func resultDocument(_ content: String) -> String {
  "<result xmlns=\"\(ProtocolNamespace.bioserv.rawValue)\" xmlns:xs=\"\(ProtocolNamespace.schema)\""
    + " xmlns:xsi=\"\(ProtocolNamespace.instance)\">\(content)</result>"
}

extension SensorRequest {
  /// Returns a request for an operation with everything it may need.
  static func complete(_ operation: SensorOperation, deadlineInSeconds: Double = 120) -> SensorRequest {
    SensorRequest(
      operation, session: SensorUUID(TestID.session), capture: SensorUUID(TestID.capture), maxSize: 320,
      configuration: operation == .setConfiguration
        ? WireDictionary([.init("submodality", .string("LeftIris"))]) : nil,
      stream: operation == .stream ? "view" : nil, deadlineInSeconds: deadlineInSeconds)
  }
}

extension SensorFault {
  /// The name of its kind.
  var word: String { String("\(kind)".prefix { $0.isLetter }) }
}

/// Returns the fault that asking ends with; nil with an issue if there is none.
func fault(
  _ connection: SensorConnection, _ request: SensorRequest, into sink: KeptBytes? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async -> SensorFault? {
  do {
    let answer = try await connection.ask(request, into: sink)
    Issue.record("answered with \(answer.status.word)", sourceLocation: sourceLocation)
    return nil
  } catch {
    return error
  }
}
