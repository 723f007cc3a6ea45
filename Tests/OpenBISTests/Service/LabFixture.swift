import Foundation
import PluginAPI
import PluginJSON
import PluginNet
import PluginServer
import Synchronization

@testable import OpenBIS
@testable import OpenBISSimulator

/// A server on the loopback interface that responds to calls as a test specifies, correctly or not.
final class LabFixture: Sendable {
  /// A received call.
  struct Call: Sendable {
    var path: String
    var method: String
    var parameters: [Value]
    /// The id as it was written.
    var id: String
    var body: [UInt8]
    var headers: [ServerRequest.Field]
  }

  /// The reply to a call.
  enum Reply: Sendable {
    /// JSON as the result.
    case result(String)
    /// An error in the format of openBIS.
    case fault(exception: String, message: String, code: Int = 0, status: Int = 200)
    /// A whole body, in which `ID` stands for the id of the call.
    case body(String, status: Int = 200, type: String = "application/json-rpc")
    /// Any response.
    case response(ServerResponse)
  }

  /// The class of the exception for an expired session.
  static let sessionException = "ch.systemsx.cisd.common.exceptions.InvalidSessionException"

  private let http: HTTPServer
  private let seen: Mutexed<[Call]>

  /// Starts a server.
  init(_ configuration: HTTPServer.Configuration = .init(), _ answer: @escaping @Sendable (Call) async throws -> Reply)
    throws
  {
    let seen = Mutexed<[Call]>([])
    self.seen = seen
    http = try HTTPServer(configuration) { request in
      let body = try await request.body.whole()
      let value = try Value(json: body)
      let call = Call(
        path: request.path, method: value["method"].text ?? "", parameters: value["params"].list ?? [],
        id: value["id"].integer.map(String.init) ?? value["id"].text ?? "", body: body, headers: request.headers)
      seen.withLock { $0.append(call) }
      return Self.response(try await answer(call), call)
    }
  }

  /// The address of the server.
  var address: ServerAddress { ServerAddress(base: http.url) }
  /// The calls so far, in order.
  var calls: [Call] { seen.withLock { $0 } }
  /// The names of the called methods.
  var methods: [String] { calls.map(\.method) }

  func stop() async { await http.stop(deadlineInSeconds: 0) }

  /// Returns a connection to the server that records the delays before retries.
  func connection(
    _ waits: Mutexed<[Double]> = Mutexed([]), _ change: (inout HTTPClient.Configuration) -> Void = { _ in }
  ) -> RPCConnection {
    var configuration = HTTPClient.Configuration(isOffline: false)
    change(&configuration)
    var backOff = RPCBackOff()
    backOff.jitter = { _ in 0.5 }
    backOff.wait = { seconds in waits.withLock { $0.append(seconds) } }
    return RPCConnection(address, HTTPClient(configuration), backOff: backOff)
  }

  private static func response(_ reply: Reply, _ call: Call) -> ServerResponse {
    switch reply {
    case .result(let json):
      return ServerResponse(
        type: "application/json-rpc", Array(#"{"jsonrpc":"2.0","id":\#(call.id),"result":\#(json)}"#.utf8))
    case .fault(let exception, let message, let code, let status):
      var writer = JSONWriter()
      writer.write(
        .record([
          "jsonrpc": "2.0", "id": .integer(Int(call.id) ?? 0),
          "error": .record([
            "code": .integer(code), "message": .text(message),
            "data": .record(["exceptionTypeName": .text(exception), "message": .text(message)]),
          ]),
        ]))
      return ServerResponse(status, type: "application/json-rpc", writer.take())
    case .body(let text, let status, let type):
      let parts = text.split(separator: "ID", omittingEmptySubsequences: false)
      return ServerResponse(status, type: type, Array(parts.joined(separator: call.id).utf8))
    case .response(let response): return response
    }
  }
}

/// A value that several threads change.
final class Mutexed<Content: Sendable>: Sendable {
  private let content: Mutex<Content>

  init(_ content: Content) { self.content = Mutex(content) }

  func withLock<Result: Sendable>(_ body: (inout Content) -> Result) -> Result { content.withLock { body(&$0) } }
  var value: Content { content.withLock { $0 } }
}

/// Returns the error that a body throws; nil if there is none.
func errorOf<Result: Sendable>(_ body: () async throws -> Result) async -> (any Error)? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error
  }
}

/// Returns the code of an error's report, or the error itself if it has no report.
func codeOf(_ error: (any Error)?) -> String {
  guard let error else { return "no error" }
  return (error as? any ReportableError)?.report.code ?? "\(error)"
}

/// Returns the message of an error's report.
func messageOf(_ error: (any Error)?) -> String { (error as? any ReportableError)?.report.message ?? "" }

/// Runs blocking work on a thread of its own: tasks have few threads, which must not wait.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}
