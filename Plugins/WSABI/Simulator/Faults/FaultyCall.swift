import PluginCompression
import PluginServer
import PluginSimulation
import PluginText

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
    let reply = await sensor.respond(to: route, body, base: core.address(of: sensor.number), faults)
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
        let location = rule.value ?? "http://127.0.0.2:9/elsewhere"
        return Outcome(outcome: "http 302", response: ServerResponse(302, headers: [.init("Location", location)]))
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
    case .document(let response): return document(response, nil)
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
  private func document(_ response: SimulatedAnswer, _ word: String?) -> Outcome {
    let late = faults[.statusLate].map { SimulatedAnswer(word: $0.value ?? "failure") }
    let maker = FaultyDocument(configuration: core.configuration, faults: faults, earlier: earlierCapture)
    let document = maker.document(late ?? response, word: word ?? faults[.statusLate]?.value)
    let type = faults[.wrongType].map { $0.value ?? "application/octet-stream" } ?? core.documentType
    let outcome = word ?? (late ?? response).status.rawValue
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

/// The faults applied to a response's bytes in transit.
struct AnswerTransport: Sendable {
  private let faults: [SimulatorFaultRule]
  private static let kinds: Set<SimulatorFault> = [
    .silence, .stall, .truncate, .overstate, .understate, .glued, .garbage, .throttle, .dribble, .noLength, .gzip,
    .gzipBomb, .hugeMessage, .hugeData,
    .emptyBody,
  ]

  init(_ faults: [SimulatorFaultRule]) { self.faults = faults.filter { Self.kinds.contains($0.fault) } }

  /// True if there are no such faults.
  var isPlain: Bool { faults.isEmpty }

  func response(_ bytes: [UInt8], type: String) -> ServerResponse {
    guard let rule = faults.first else { return ServerResponse(type: type, bytes) }
    let head = [ServerRequest.Field("Content-Type", type)]
    switch rule.fault {
    case .silence: return ServerResponse(type: type, bytes, fault: .stall(after: 0))
    case .stall: return ServerResponse(type: type, bytes, fault: .stall(after: bytes.count / 2))
    case .truncate: return ServerResponse(type: type, bytes, fault: .cut(after: bytes.count / 2))
    case .overstate: return ServerResponse(type: type, bytes, fault: .overstated(by: 7))
    case .understate: return raw(bytes, type, stated: bytes.count - 9)
    case .glued: return raw(bytes + message(bytes, type, stated: bytes.count), type, stated: bytes.count)
    case .garbage: return ServerResponse(200, .bytes([UInt8]("220 smtp ready\r\n\u{1B}[2J\r\n\r\n".utf8)), fault: .raw)
    case .throttle:
      let rate = max(1, rule.number(10))
      let size = max(1, rate / 20)
      return ServerResponse(type: type, bytes, fault: .drip(bytes: size, milliseconds: 1000 * size / rate))
    case .dribble: return ServerResponse(type: type, bytes, fault: .chunks(of: 1))
    case .gzip:
      let packed = (try? Gzip.compress(bytes)) ?? []
      return ServerResponse(headers: head + [.init("Content-Encoding", "gzip")], .bytes(packed))
    case .gzipBomb:
      let packed = (try? Gzip.compress([UInt8](repeating: 0x20, count: rule.number(256) << 20))) ?? []
      return ServerResponse(headers: head + [.init("Content-Encoding", "gzip")], .bytes(packed))
    case .hugeMessage: return huge(bytes, head, before: "<status>", "<message>", rule.number(300), "</message>")
    case .hugeData: return huge(bytes, head, before: "<status>", "<sensorData>", rule.number(1000), "</sensorData>")
    case .emptyBody: return ServerResponse(type: type, [])
    default: return ServerResponse(headers: head, .stream(length: nil) { try await $0.write(bytes) })
    }
  }

  /// Returns a response whose stated length differs from that of its body.
  private func raw(_ bytes: [UInt8], _ type: String, stated: Int) -> ServerResponse {
    ServerResponse(200, .bytes(message(bytes, type, stated: stated)), fault: .raw)
  }

  private func message(_ bytes: [UInt8], _ type: String, stated: Int) -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(stated)\r\n\r\n".utf8) + bytes
  }

  /// Returns a document with an element of some MB inserted before another.
  private func huge(
    _ bytes: [UInt8], _ headers: [ServerRequest.Field], before mark: String, _ begin: String, _ megabytes: Int,
    _ end: String
  ) -> ServerResponse {
    let offset = ByteSearch.firstIndex(of: mark.utf8, in: bytes) ?? 0
    let (first, last) = (Array(bytes[..<offset] + begin.utf8), Array(end.utf8 + bytes[offset...]))
    let piece = [UInt8](repeating: UInt8(ascii: "A"), count: 1 << 18)
    return ServerResponse(
      headers: headers,
      .stream(length: first.count + last.count + megabytes << 20) { out in
        try await out.write(first)
        for _ in 0..<(megabytes * 4) { try await out.write(piece) }
        try await out.write(last)
      })
  }
}

extension [UInt8] {
  /// Returns the bytes with an insertion before a text, or at the end if the text is missing.
  func inserting(_ bytes: [UInt8], before text: String) -> [UInt8] {
    let offset = ByteSearch.firstIndex(of: text.utf8, in: self) ?? count
    return Array(self[..<offset]) + bytes + Array(self[offset...])
  }
}
