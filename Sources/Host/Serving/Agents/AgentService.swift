import PluginAPI

/// The Model Context Protocol for one agent.
///
/// - Source: https://modelcontextprotocol.io/specification/2026-07-28, /2025-11-25 and /2025-06-18.
@MainActor final class AgentService: ServedProtocol {
  /// A revision of the protocol.
  enum Revision: String, CaseIterable {
    /// Without a handshake: each request names its revision.
    case july2026 = "2026-07-28"
    case november2025 = "2025-11-25"
    case june2025 = "2025-06-18"

    var hasHandshake: Bool {
      switch self {
      case .july2026: false
      case .november2025, .june2025: true
      }
    }
  }

  /// The number of an unsupported revision.
  private static let unsupportedRevision = -32_022
  private static let metadata = "io.modelcontextprotocol/"
  /// The time for which lists are valid: they do not change while the server runs.
  private static let lifetimeInMilliseconds = 3_600_000
  private static let instructions =
    "Workbench reads structures of molecules, metabolic pathways and lab data. Find a command with 'find', read its "
    + "arguments with 'describe', and run it with 'read', 'table' or 'picture'."

  private let tools: ToolCommands
  /// The revision of the handshake; nil before it.
  private var agreed: Revision?

  init(_ tools: ToolCommands) {
    self.tools = tools
  }

  nonisolated var answersCanceled: Bool { false }

  nonisolated func takesTurn(_ method: String) -> Bool { method == "tools/call" }

  nonisolated func canceledRequest(by method: String, _ parameters: Value) -> Value? {
    guard method == "notifications/cancelled" else { return nil }
    return parameters["requestId"]
  }

  func end() {}

  func response(to request: ServedRequest) async throws -> [UInt8] {
    let parameters = request.parameters
    let result: Record
    switch request.method {
    case "initialize": result = handshake(parameters)
    case "ping": result = Record()
    case "server/discover": result = complete(try revision(of: parameters), isList: true, discovery)
    case "tools/list":
      let definitions = tools.tools.map { $0.definition(isOffline: tools.isOffline) }
      result = complete(try revision(of: parameters), isList: true, ["tools": .list(definitions)])
    case "tools/call":
      result = complete(try revision(of: parameters), isList: false, try await call(parameters, request))
    default:
      throw RPCFailure(code: RPCFailure.unknownMethod, "there is no method '\(request.method.prefix(100))'")
    }
    return JSONWriter.bytes(of: .record(result))
  }

  private var identity: Value {
    ["name": "workbench", "title": "Workbench", "version": .text(HostVersion.number)]
  }

  private func handshake(_ parameters: Value) -> Record {
    let wanted = parameters["protocolVersion"].text.flatMap(Revision.init(rawValue:))
    let revision = wanted.flatMap { $0.hasHandshake ? $0 : nil } ?? .november2025
    agreed = revision
    return [
      "protocolVersion": .text(revision.rawValue), "capabilities": ["tools": [:]], "serverInfo": identity,
      "instructions": .text(Self.instructions),
    ]
  }

  private var discovery: Record {
    [
      "supportedVersions": .list(Revision.allCases.map { .text($0.rawValue) }), "capabilities": ["tools": [:]],
      "instructions": .text(Self.instructions),
    ]
  }

  /// Returns the revision of a request.
  private func revision(of parameters: Value) throws(RPCFailure) -> Revision {
    let named = parameters["_meta"][Self.metadata + "protocolVersion"]
    if named.isNull {
      if let agreed { return agreed }
      throw RPCFailure(
        code: RPCFailure.badParameters,
        "the request names no revision of the protocol in '_meta', and there was no 'initialize'")
    }
    guard let revision = named.text.flatMap(Revision.init(rawValue:)) else {
      throw RPCFailure(
        code: Self.unsupportedRevision, "the revision of the protocol is not supported",
        data: [
          "supported": .list(Revision.allCases.map { .text($0.rawValue) }), "requested": .text(named.shortText),
        ])
    }
    return revision
  }

  /// Returns a result with the fields that a revision requires in all results.
  private func complete(_ revision: Revision, isList: Bool, _ fields: Record) -> Record {
    if revision.hasHandshake { return fields }
    var result = fields
    result["resultType"] = "complete"
    result["_meta"] = .record([Self.metadata + "serverInfo": identity])
    if isList {
      result["ttlMs"] = .integer(Self.lifetimeInMilliseconds)
      result["cacheScope"] = "private"
    }
    return result
  }

  private func call(_ parameters: Value, _ request: ServedRequest) async throws -> Record {
    guard let tool = parameters["name"].text.flatMap(Tool.init(rawValue:)), tools.tools.contains(tool) else {
      let names = tools.tools.map(\.rawValue).joined(separator: ", ")
      throw RPCFailure(code: RPCFailure.badParameters, "there is no such tool; there are \(names)")
    }
    do {
      let contents = try await tools.run(
        tool, parameters["arguments"], progressToken: parameters["_meta"]["progressToken"], for: request)
      return ["content": .list(contents), "isError": false]
    } catch {
      if error is CancellationError { throw error }
      let report = RPCFailure(served: error).data
      return ["content": [.content(JSONWriter.text(of: report))], "isError": true]
    }
  }
}
