import PluginServer

/// One call with the faults it meets: before it, in its response, and in transit.
struct FaultyCall: Sendable {
  let core: SimulatorCore
  let route: SimulatedRoute
  let body: [UInt8]
  let sensor: SimulatedSensor
  let faults: [SimulatorFaultRule]

  /// A response, and its text for the log.
  struct Outcome: Sendable {
    var outcome: String
    var response: ServerResponse
  }

  func response() async -> Outcome {
    if let early = await early() { return early }
    let reply = await sensor.answer(route, body, base: core.address(of: sensor.number), faults)
    if sensor.snapshot.isDead { return unanswered(isReset: true) }
    if faults.contains(.restartAfter) { sensor.restart() }
    if faults.contains(.dropAfter) { return unanswered(isReset: false) }
    if faults.contains(.resetAfter) { return unanswered(isReset: true) }
    if let rule = faults[.httpLate] { return http(rule.number(500)) }
    return late(reply)
  }

  private func unanswered(isReset: Bool) -> Outcome {
    Outcome(outcome: "none", response: ServerResponse(fault: .unanswered(isReset: isReset)))
  }

  private func http(_ status: Int) -> Outcome {
    let page = "<html><head><title>\(status)</title></head><body><h1>Error \(status)</h1></body></html>"
    return Outcome(
      outcome: "http \(status)", response: ServerResponse(status, type: "text/html; charset=utf-8", Array(page.utf8)))
  }

  /// Applies the faults that precede the call or replace it.
  private func early() async -> Outcome? {
    for rule in faults {
      switch rule.fault {
      case .delay: try? await Task.sleep(for: .milliseconds(rule.number(500)))
      case .hang: while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
      case .dropBefore: return unanswered(isReset: false)
      case .resetBefore: return unanswered(isReset: true)
      case .http: return http(rule.number(500))
      case .redirect:
        let place = rule.value ?? "http://127.0.0.2:9/elsewhere"
        return Outcome(outcome: "http 302", response: ServerResponse(302, headers: [.init("Location", place)]))
      case .loginPage:
        let page = "<!DOCTYPE html><html><body><form action=\"/login\"><input name=\"user\"></form></body></html>"
        return Outcome(
          outcome: "http 200", response: ServerResponse(type: "text/html; charset=utf-8", Array(page.utf8)))
      case .status: return document(SimulatedAnswer(word: rule.value ?? "failure"), rule.value)
      case .busy: return document(SimulatedAnswer(.sensorBusy), nil)
      case .restart: sensor.restart()
      case .clockJump: core.clock.advance(milliseconds: rule.number(86_400) * 1000)
      case .stolen: sensor.giveLockToAnother()
      default: break
      }
    }
    return nil
  }

  /// Returns the response in transit, with the faults applied there.
  private func late(_ reply: SimulatedReply) -> Outcome {
    switch reply {
    case .document(let answer): return document(answer, nil)
    case .http(let status, let type, let bytes):
      let headers = type.map { [ServerRequest.Field("Content-Type", $0)] } ?? []
      return Outcome(outcome: "http \(status)", response: ServerResponse(status, headers: headers, .bytes(bytes)))
    case .data(let data, let type):
      return Outcome(outcome: "data", response: bare(data, type))
    case .preview(let session, let isEmpty):
      let preview = SimulatedPreview(sensor: sensor, session: session, faults: faults)
      let headers = [ServerRequest.Field("Content-Type", preview.type)]
      let body: ServerResponse.Body = isEmpty ? .bytes([]) : .stream(length: nil) { try await preview.send($0) }
      return Outcome(outcome: isEmpty ? "nothing" : "frames", response: ServerResponse(headers: headers, body))
    }
  }

  /// Returns a document in the style of its service, changed by the faults.
  private func document(_ answer: SimulatedAnswer, _ word: String?) -> Outcome {
    let late = faults[.statusLate].map { SimulatedAnswer(word: $0.value ?? "failure") }
    let maker = FaultyDocument(configuration: core.configuration, faults: faults, earlier: earlierCapture)
    let document = maker.document(late ?? answer, word: word ?? faults[.statusLate]?.value)
    let type = faults[.wrongType].map { $0.value ?? "application/octet-stream" } ?? core.documentType
    let outcome = word ?? (late ?? answer).status.rawValue
    let transport = AnswerTransport(faults)
    if transport.isPlain, !maker.changesBytes {
      return Outcome(outcome: outcome, response: plain(document, type))
    }
    return Outcome(outcome: outcome, response: transport.response(maker.changed(document.bytes), type: type))
  }

  private func bare(_ data: SimulatedData, _ type: String) -> ServerResponse {
    let transport = AnswerTransport(faults)
    if !transport.isPlain { return transport.response(data.bytes, type: type) }
    return ServerResponse(
      headers: [.init("Content-Type", type)],
      .stream(length: data.count) { out in
        var start = 0
        while let piece = data.piece(from: start) {
          try await out.write(piece)
          start += piece.count
        }
      })
  }

  private var earlierCapture: String? { core.ledger.firstID }

  private func plain(_ document: SimulatedDocument, _ type: String) -> ServerResponse {
    let isChunked = core.isNextChunked()
    if document.data == nil, !isChunked { return ServerResponse(type: type, document.bytes) }
    let headers = [ServerRequest.Field("Content-Type", type)]
    return ServerResponse(
      headers: headers,
      .stream(length: isChunked ? nil : document.count) { out in try await document.write { try await out.write($0) } })
  }
}

extension SimulatedAnswer {
  /// Creates a response of any status; an unknown one counts as failure.
  init(word: String) { self.init(SimulatedStatus(rawValue: word) ?? .failure) }
}
