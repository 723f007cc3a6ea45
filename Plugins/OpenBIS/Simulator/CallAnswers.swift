import PluginAPI
import PluginJSON
import PluginServer
import PluginSimulation
import Synchronization

/// The result of a call: JSON, or a table yet to be written.
enum SimulatedOutcome: Sendable {
  case json(WireBuffer)
  case table(SimulatedTable, SimulatedTableSyntax)
  case rows(SimulatedRows, SimulatedTableSyntax)

  static let null = jsonText("null")

  static func jsonText(_ json: String) -> SimulatedOutcome {
    var buffer = WireBuffer()
    buffer.add(raw: json)
    return .json(buffer)
  }

  static func text(_ text: String) -> SimulatedOutcome { jsonText(text.asSimulatedJSON) }
}

extension SimulatorCore {
  /// Answers any request.
  func respond(to request: ServerRequest) async throws -> ServerResponse {
    var response: ServerResponse
    if let interface = SimulatedCall.Interface(rawValue: request.path) {
      if request.method != "POST" { return ServerResponse(405, text: "calls are POST\n") }
      response = try await respond(to: interface, request)
    } else if request.path == Self.transferPath {
      response = try await transferAnswer(request)
    } else {
      response = answerFile(request)
    }
    if state.withLock({ $0.clockOffset != 0 || $0.has(.clockAhead) || $0.has(.clockBehind) }) {
      response.headers.append(.init("Date", SimulatedDates.http(now)))
    }
    return response
  }

  private func respond(to interface: SimulatedCall.Interface, _ request: ServerRequest) async throws -> ServerResponse {
    guard let message = try? Value(json: try await request.body.whole()) else {
      return reply(to: .null, code: -32700, "JSON parse error", status: 400)
    }
    guard message.record != nil, let method = message["method"].text else {
      return reply(to: .null, code: -32600, ServerWords.badRequest, status: 400)
    }
    let parameters = message["params"].list ?? []
    let (call, fault) = note(interface, method, parameters)
    if let response = fault.flatMap({ transportAnswer($0, call, message["id"]) }) { return response }
    let envelope = SimulatedEnvelope(
      id: message["id"], fault: fault, largeSize: configuration.largeSize, dripBytes: configuration.dripBytes,
      dripMilliseconds: configuration.dripMilliseconds)
    do throws(SimulatedFailure) {
      if let fault { try checkSession(fault, call) }
      var outcome = try outcome(of: call)
      if fault == .pageCost, let count = state.withLock({ $0.costs.removeValue(forKey: call.number) }) {
        try? await Task.sleep(for: .microseconds(5 * count))
      }
      if let fault, fault.stage == .table || fault == .nulTexts { outcome = spoiled(outcome, fault, call) }
      return try await envelope.response(outcome) { count in
        self.state.withLock { $0.sentBytes += count }
      }
    } catch {
      return envelope.response(error)
    }
  }

  /// Records a call, and determines the fault that affects it.
  private func note(
    _ interface: SimulatedCall.Interface, _ method: String, _ parameters: [Value]
  ) -> (SimulatedCall, SimulatorFault?) {
    var call = SimulatedCall(number: 0, interface: interface, method: method)
    call.parameters = parameters
    if !Self.methodsWithoutToken.contains(method), let token = parameters.first?.text {
      call.token = token
      call.parameters.removeFirst()
    }
    call.requestKey =
      switch method {
      case "createReportFromAggregationService": call.parameters.last?["requestKey"].text
      case "executeAggregationService", "executeCustomASService": call.parameters.last?["parameters"]["requestKey"].text
      default: nil
      }
    return state.withLock { state in
      call.number = state.ledger.callCount + 1
      let names = [method] + (call.requestKey.map { [$0] } ?? [])
      call.fault = state.ledger.meet(names, limit: 1) { $0.scope(ofMethod: method) }.first?.fault
      var kept = call
      if !configuration.keepsParameters { kept.parameters = [] }
      state.ledger.record(kept)
      return (call, call.fault)
    }
  }

  private static let methodsWithoutToken: Set<String> = [
    "login", "loginAs", "loginAsAnonymousUser", "tryToAuthenticateAtQueryServer", "tryToAuthenticateForAllServices",
    "getServerPublicInformation",
  ]

  private func checkSession(_ fault: SimulatorFault, _ call: SimulatedCall) throws(SimulatedFailure) {
    switch fault {
    case .expireSession:
      state.withLock { $0.sessions[call.token]?.isExpired = true }
    case .expireAlways: throw .session(ServerWords.expired)
    case .sessionTextOtherClass:
      throw .user(ServerWords.notLoggedIn(call.token))
    case .notAllowed: throw .rights(ServerWords.notAllowed)
    case .translationChanged:
      throw .user("Number of results after translation has changed from 250 to 249. Please try again.")
    case .scriptFails: throw .script("NameError: name 'sevice' is not defined")
    default: break
    }
  }

  private func outcome(of call: SimulatedCall) throws(SimulatedFailure) -> SimulatedOutcome {
    switch call.interface {
    case .query, .generalInformation: try tableOutcome(of: call)
    case .dataStoreV1: try fileListOutcome(of: call)
    case .application: try nativeOutcome(of: call)
    case .dataStore: try dataStoreOutcome(of: call)
    }
  }

  private func spoiled(
    _ outcome: SimulatedOutcome, _ fault: SimulatorFault, _ call: SimulatedCall
  ) -> SimulatedOutcome {
    var table: SimulatedTable
    let syntax: SimulatedTableSyntax
    switch outcome {
    case .json: return outcome
    case .table(let held, let how): (table, syntax) = (held, how)
    case .rows(let rows, let how): (table, syntax) = (rows.table, how)
    }
    if fault == .nulTexts {
      for column in ["SUMMARY_HEADER", "SUMMARY"] { table.change(column) { _, cell in .text("a\u{0}b" + cell.text) } }
    } else {
      fault.spoil(&table, requestKey: call.requestKey ?? "", view: view(hidden: []))
    }
    return .table(table, syntax)
  }

  /// Returns the user of a call's token.
  func user(of call: SimulatedCall) throws(SimulatedFailure) -> SimulatorConfiguration.User {
    let now = self.now
    let result = state.withLock { state in
      Result { () throws(SimulatedFailure) in
        try state.user(
          of: call.token, now: now, timeoutInSeconds: configuration.sessionTimeoutInSeconds,
          calls: configuration.sessionCalls)
      }
    }
    return try result.get()
  }

  /// Begins a session; returns nil if user and password do not match.
  func logIn(_ call: SimulatedCall) -> String? {
    let (name, password) = (call.parameters.first?.text, call.parameters.dropFirst().first?.text)
    let now = self.now
    return state.withLock { state in
      guard let user = state.users.first(where: { $0.name == name && $0.password == password }),
        !state.has(.wrongPassword)
      else { return nil }
      return state.begin(user.name, now: now)
    }
  }

  func logOut(_ call: SimulatedCall) {
    state.withLock { state in
      if state.sessions[call.token]?.isForPrograms == false { state.sessions[call.token] = nil }
    }
  }

  func isActive(_ call: SimulatedCall) -> Bool { (try? user(of: call)) != nil }

  // MARK: Network faults

  private func transportAnswer(_ fault: SimulatorFault, _ call: SimulatedCall, _ id: Value) -> ServerResponse? {
    let text = Array(
      "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>\n".utf8)
    func page(_ status: Int) -> ServerResponse { ServerResponse(status, type: "text/html; charset=utf-8", text) }
    func moved(_ address: String) -> ServerResponse {
      ServerResponse(307, headers: [.init("Location", address)], .bytes([]))
    }
    return switch fault {
    // The other host is an address of this machine without a server.
    case .htmlPage: page(200)
    case .busy502: page(502)
    case .busy503: page(503)
    case .busy504: page(504)
    case .notFoundMethod: reply(to: id, code: -32601, "method not found", status: 404)
    case .redirectOtherHost: moved("https://127.0.0.2:9" + call.interface.rawValue)
    case .redirectSameHost: moved(base.withLock { $0 } + call.interface.rawValue)
    default: nil
    }
  }

  private func reply(to id: Value, code: Int, _ message: String, status: Int) -> ServerResponse {
    var writer = JSONWriter()
    writer.write(["jsonrpc": "2.0", "id": id, "error": ["code": .integer(code), "message": .text(message)]])
    return ServerResponse(status, type: SimulatedEnvelope.mediaType, writer.take())
  }
}

/// A call received by a simulated server.
struct SimulatedCall: Sendable {
  /// The interfaces of the server.
  enum Interface: String, Sendable, Hashable {
    case query = "/openbis/openbis/rmi-query-v1.json"
    case generalInformation = "/openbis/openbis/rmi-general-information-v1.json"
    case dataStoreV1 = "/datastore_server/rmi-dss-api-v1.json"
    case application = "/openbis/openbis/rmi-application-server-v3.json"
    case dataStore = "/datastore_server/rmi-data-store-server-v3.json"
  }

  /// The number of the call, counted from 1 across all interfaces.
  var number: Int
  var interface: Interface
  var method: String
  /// The request key of a table client; nil in other calls.
  var requestKey: String?
  /// The token of the call; empty if there is none.
  var token = ""
  /// The parameters without the token.
  var parameters: [Value] = []
  /// The fault that affected the call.
  var fault: SimulatorFault?
}

extension SimulatorCore {
  /// Answers a request for a picture or a file of a data set.
  func answerFile(_ request: ServerRequest) -> ServerResponse {
    let path = request.path
    state.withLock { $0.fetched.append(path) }
    if path == "/" || path == "/openbis/" { return ServerResponse(text: "a simulated openBIS server\n") }
    let parts = path.split(separator: "/").map(String.init)
    if parts.first == "datastore_server" {
      var call = SimulatedCall(number: 0, interface: .dataStore, method: "GET")
      call.token = request.queryItem("sessionID") ?? ""
      guard let user = try? user(of: call) else { return refusal(401, ServerWords.downloadExpired) }
      if parts.count > 2, !configuration.dataStores.contains(parts[1]) {
        return dataSetFile(parts, request, user)
      }
    }
    return picture(path, parts) ?? ServerResponse(404, text: "not found\n")
  }

  /// Returns a refusal of the data store: with a status, or as the real servlet writes it.
  ///
  /// - Source: openBIS, `AbstractDatasetDownloadServlet.printErrorResponse`, `HTMLErrorRenderer`.
  func refusal(_ status: Int, _ text: String) -> ServerResponse {
    guard state.withLock({ $0.has(.dssPage) }) else { return ServerResponse(status, text: text + "\n") }
    let body = status == 401 ? text : "<h1>Error</h1>\n\(text)\n"
    return ServerResponse(type: "text/html", Array("<html><body>\(body)</body></html>".utf8))
  }

  private func picture(_ path: String, _ parts: [String]) -> ServerResponse? {
    let number = parts.last?.split(separator: ".").first.flatMap { UInt64($0) } ?? 0
    if let faulty = faultyPicture(path) { return faulty }
    return switch (parts.first, parts.dropLast().last, path.split(separator: ".").last) {
    case ("images", "gel", "png"), (_, "gels", "png"): ServerResponse(type: "image/png", SimulatedPictures.gel(number))
    case (_, _, "svg"): ServerResponse(type: "image/svg+xml", SimulatedPictures.svg(number))
    case (_, _, "jpg"): ServerResponse(type: "image/jpeg", SimulatedPictures.jpeg(number))
    case (_, "molecule", "png"), (_, "images", "png"): ServerResponse(type: "image/png", SimulatedPictures.png(number))
    default: nil
    }
  }

  private func faultyPicture(_ path: String) -> ServerResponse? {
    let state = self.state.withLock { $0 }
    if state.has(.pictureMissing) || path.hasSuffix("/missing.png") { return ServerResponse(404, text: "not found\n") }
    if state.has(.pictureIsPage) || path.hasSuffix("/page") {
      return ServerResponse(type: "text/html", Array("<html><body>no picture</body></html>".utf8))
    }
    if state.has(.pictureHuge) || path.hasSuffix("/huge.png") {
      return ServerResponse(
        200, headers: [.init("Content-Type", "image/png")],
        .stream(length: 500 << 20) { body in
          let piece = [UInt8](repeating: 0x2A, count: 1 << 16)
          try await body.write(Array(SimulatedPictures.png(1).prefix(8)) + piece.dropFirst(8))
          for _ in 1..<(500 << 4) { try await body.write(piece) }
        })
    }
    if state.has(.pictureSlow) || path.hasSuffix("/slow.png") {
      return ServerResponse(type: "image/png", SimulatedPictures.png(1), fault: .drip(bytes: 1, milliseconds: 200))
    }
    return nil
  }
}
