import PluginAPI
import PluginJSON
import PluginServer

/// The envelope of a result, and the faults in its bytes.
struct SimulatedEnvelope {
  static let mediaType = "application/json-rpc"
  let id: Value
  let fault: SimulatorFault?
  var largeSize = 1_000_000
  var dripBytes = 400
  var dripMilliseconds = 1000

  /// Returns the response with a result; large tables are generated while they are sent.
  func response(
    _ outcome: SimulatedOutcome, _ counted: @escaping @Sendable (Int) -> Void
  ) async throws(SimulatedFailure) -> ServerResponse {
    var buffer = WireBuffer(reserving: 4096)
    begin(&buffer)
    switch outcome {
    case .json(let json): buffer.add(raw: json.bytes)
    case .table(let table, let syntax):
      var nextID = 1
      syntax.begin(table.columns, &nextID, &buffer)
      for (index, row) in table.rows.enumerated() {
        if index > 0 { buffer.add(",") }
        syntax.add(row, &nextID, &buffer)
      }
      syntax.end(&buffer)
    case .rows(let rows, let syntax):
      let isSmall = rows.members.count <= 400
      if !isSmall, fault == nil || fault?.stage == .session { return stream(rows, syntax, counted) }
      do {
        try await rows.write(syntax, &buffer) { _ in }
      } catch {
        throw .user("the rows cannot be written")
      }
    }
    end(&buffer)
    counted(buffer.count)
    return finished(buffer.bytes)
  }

  /// Returns the response with an error.
  func response(_ failure: SimulatedFailure) -> ServerResponse {
    var buffer = WireBuffer(reserving: 512)
    beginMessage(&buffer)
    buffer.add(#","error":"#)
    failure.write(to: &buffer)
    buffer.add("}")
    return ServerResponse(failure.status, type: Self.mediaType, buffer.bytes)
  }

  private func stream(
    _ rows: SimulatedRows, _ syntax: SimulatedTableSyntax, _ counted: @escaping @Sendable (Int) -> Void
  ) -> ServerResponse {
    ServerResponse(
      200, headers: [.init("Content-Type", Self.mediaType)],
      .stream(length: nil) { body in
        var buffer = WireBuffer(reserving: 1 << 18)
        begin(&buffer)
        try await rows.write(syntax, &buffer) { buffer in
          counted(buffer.count)
          try await body.write(buffer.take())
        }
        end(&buffer)
        counted(buffer.count)
        try await body.write(buffer.take())
      })
  }

  private func beginMessage(_ buffer: inout WireBuffer) {
    buffer.add(#"{"jsonrpc":"2.0","id":"#)
    if fault == .wrongID {
      buffer.add(#""another""#)
    } else {
      var writer = JSONWriter()
      writer.write(id)
      buffer.add(raw: writer.bytes)
    }
  }

  private func begin(_ buffer: inout WireBuffer) {
    beginMessage(&buffer)
    if fault == .noResult {
      buffer.add(#","outcome":"#)
    } else {
      if fault == .nullError { buffer.add(#","error":null"#) }
      buffer.add(#","result":"#)
    }
  }

  private func end(_ buffer: inout WireBuffer) { buffer.add("}") }

  // MARK: Faults of the bytes

  private func finished(_ body: [UInt8]) -> ServerResponse {
    // A call without id is a notification, which is not answered.
    var response = ServerResponse(type: Self.mediaType, id == .null && fault == nil ? [] : body)
    switch fault {
    case .emptyBody: response.body = .bytes([])
    case .cutBody: response.fault = .cut(after: body.count * 2 / 3)
    case .resetBody: response.fault = .reset(after: body.count * 2 / 3)
    case .overstatedLength: response.fault = .overstated(by: 1000)
    case .stall:
      response.body = .stream(length: nil) { out in
        try await out.write(Array(body.prefix(min(body.count / 2, 10 << 20))))
        while true { try await Task.sleep(for: .seconds(3600)) }
      }
    case .slowRows: response.fault = .drip(bytes: dripBytes, milliseconds: dripMilliseconds)
    case .bom: response.body = .bytes([0xEF, 0xBB, 0xBF] + body)
    case .utf16:
      response.body = .bytes(
        [0xFF, 0xFE] + String(decoding: body, as: UTF8.self).utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
    case .invalidUTF8: response.body = .bytes(Self.withWrongBytes(body))
    case .deepJSON: response.body = .bytes(Self.deep(body, largeSize / 10))
    case .gzip:
      response.headers.append(.init("Content-Encoding", "gzip"))
      response.body = .bytes(SimulatedChecksum.gzip(body))
    case .gzipBomb:
      response.headers.append(.init("Content-Encoding", "gzip"))
      response.body = .bytes(bomb())
    case .chunked:
      response.body = .stream(length: nil) { out in
        var start = 0
        var size = 1
        while start < body.count {
          try await out.write(Array(body[start..<min(body.count, start + size)]))
          start += size
          size = size * 3 % 1009 + 1
        }
      }
    case .connectionClose: response.headers.append(.init("Connection", "close"))
    default: break
    }
    return response
  }

  /// Returns a response whose result is one text of a thousand times the large size.
  private func bomb() -> [UInt8] {
    var head = WireBuffer()
    begin(&head)
    head.add("\"")
    return SimulatedBomb.gzip(head.bytes, count: largeSize * 1000, Array("\"}".utf8))
  }

  /// Inserts two bytes that are not UTF-8 into the middle of a text.
  private static func withWrongBytes(_ body: [UInt8]) -> [UInt8] {
    let marker = Array(#""value":""#.utf8)
    var index = body.count / 2
    while index + marker.count < body.count {
      if body[index..<(index + marker.count)].elementsEqual(marker) {
        return Array(body[..<(index + marker.count)] + [0xC3, 0x28] + body[(index + marker.count)...])
      }
      index += 1
    }
    return body + [0xFF]
  }

  private static func deep(_ body: [UInt8], _ depth: Int) -> [UInt8] {
    return Array(body.dropLast()) + Array(",\"more\":".utf8) + [UInt8](repeating: UInt8(ascii: "["), count: depth)
      + [UInt8](repeating: UInt8(ascii: "]"), count: depth) + [UInt8(ascii: "}")]
  }
}
