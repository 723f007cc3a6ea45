import PluginAPI
import PluginJSON
import PluginNet

@testable import OpenBIS
@testable import OpenBISSimulator

/// A caller of a simulator like any other client, without the plugin's own client.
struct SimulatorCaller {
  let server: SimulatorServer
  private let client: HTTPClient

  init(_ server: SimulatorServer) {
    self.server = server
    var configuration = HTTPClient.Configuration(isOffline: false)
    configuration.repeatLimit = 0
    client = HTTPClient(configuration)
  }

  /// Sends a body unchanged.
  func send(_ interface: SimulatedCall.Interface, _ body: String) async throws -> HTTPResponse {
    var request = HTTPRequest(server.url + interface.rawValue, body: Array(body.utf8))
    request.headers["Content-Type"] = "application/json"
    return try await client.send(request)
  }

  /// Sends a call.
  func send(
    _ interface: SimulatedCall.Interface, _ method: String, _ parameters: [Value], deadlineInSeconds: Double = 60
  ) async throws -> HTTPResponse {
    var writer = JSONWriter()
    writer.write(["jsonrpc": "2.0", "id": 1, "method": .text(method), "params": .list(parameters)])
    var request = HTTPRequest(server.url + interface.rawValue, body: writer.take())
    request.headers["Content-Type"] = "application/json"
    request.deadlineInSeconds = deadlineInSeconds
    return try await client.send(request)
  }

  func get(_ path: String, headers: [String: String] = [:]) async throws -> HTTPResponse {
    var request = HTTPRequest(path.hasPrefix("http") ? path : server.url + path)
    for (name, value) in headers { request.headers[name] = value }
    return try await client.send(request)
  }

  /// Returns the whole response to a call.
  func answer(
    _ interface: SimulatedCall.Interface, _ method: String, _ parameters: [Value]
  ) async throws -> Value {
    try Value(json: try await send(interface, method, parameters).body)
  }

  /// Logs in and returns the token of the session.
  func logIn(_ user: String = "alice", _ password: String = "wonderland") async throws -> String {
    try await answer(.query, "tryToAuthenticateAtQueryServer", [.text(user), .text(password)])["result"].text ?? ""
  }

  /// Returns the response of the table service.
  func report(_ token: String, _ parameters: Value, store: String = "DSS1") async throws -> Value {
    try await answer(
      .query, "createReportFromAggregationService",
      [.text(token), .text(store), "ipad-read-service-v1", parameters])
  }

  /// Returns the rows of the table service, by column.
  func rows(_ token: String, _ parameters: Value) async throws -> [[String: String]] {
    let result = try await report(token, parameters)["result"]
    let titles = (result["columns"].list ?? []).map { $0["title"].text ?? "" }
    return (result["rows"].list ?? []).map { row in
      Dictionary(
        zip(titles, (row.list ?? []).map { $0["value"].text ?? "" }), uniquingKeysWith: { first, _ in first })
    }
  }

  /// Returns the reference to a row, with its REFCON as text or as value.
  static func entity(_ row: [String: String], asText: Bool) -> Value {
    let refcon = row["REFCON"] ?? ""
    let value = asText ? Value.text(refcon) : (try? Value(json: Array(refcon.utf8))) ?? .text(refcon)
    return ["PERM_ID": .text(row["PERM_ID"] ?? ""), "REFCON": value]
  }
}
