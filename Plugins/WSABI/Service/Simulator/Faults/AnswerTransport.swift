import PluginCompression
import PluginServer
import PluginText

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
    case .glued: return raw(bytes + answer(bytes, type, stated: bytes.count), type, stated: bytes.count)
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
    ServerResponse(200, .bytes(answer(bytes, type, stated: stated)), fault: .raw)
  }

  private func answer(_ bytes: [UInt8], _ type: String, stated: Int) -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(stated)\r\n\r\n".utf8) + bytes
  }

  /// Returns a document with an element of some MB inserted before another.
  private func huge(
    _ bytes: [UInt8], _ headers: [ServerRequest.Field], before mark: String, _ begin: String, _ megabytes: Int,
    _ end: String
  ) -> ServerResponse {
    let place = ByteSearch.firstIndex(of: mark.utf8, in: bytes) ?? 0
    let (first, last) = (Array(bytes[..<place] + begin.utf8), Array(end.utf8 + bytes[place...]))
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
    let place = ByteSearch.firstIndex(of: text.utf8, in: self) ?? count
    return Array(self[..<place]) + bytes + Array(self[place...])
  }
}
