import PluginAPI
import PluginCompression
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
      response.body = .bytes((try? Gzip.compress(body)) ?? body)
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

/// The errors of a simulated server.
enum SimulatedFailure: Error, Equatable {
  /// An unknown session, in the server's words.
  case session(String)
  /// A wrong request of a user.
  case user(String)
  /// A failed script.
  case script(String)
  /// A request that the user is not allowed to make.
  case rights(String)
  case unknownMethod(String)
  case badParameters(String)
  /// An exception with its class.
  case exception(String, String)

  var status: Int {
    switch self {
    case .unknownMethod: 404
    case .badParameters: 500
    case .session, .user, .script, .rights, .exception: 200
    }
  }

  /// Writes the value of `error`.
  func write(to buffer: inout WireBuffer) {
    switch self {
    case .unknownMethod: buffer.add(#"{"code":-32601,"message":"method not found"}"#)
    case .badParameters:
      buffer.add(#"{"code":-32602,"message":"#)
      buffer.add(quoted: ServerWords.badParameters)
      buffer.add("}")
    case .session(let message): add(message, "ch.systemsx.cisd.common.exceptions.InvalidSessionException", &buffer)
    case .user(let message): add(message, Self.userFailure, &buffer)
    case .script(let message): add("Chosen plugin failed to create a report: " + message, Self.userFailure, &buffer)
    case .rights(let message):
      add(message, "ch.systemsx.cisd.common.exceptions.AuthorizationFailureException", &buffer)
    case .exception(let name, let message): add(message, name, &buffer)
    }
  }

  private static let userFailure = "ch.systemsx.cisd.common.exceptions.UserFailureException"

  private func add(_ message: String, _ name: String, _ buffer: inout WireBuffer) {
    buffer.add(#"{"code":0,"message":"#)
    buffer.add(quoted: message)
    buffer.add(#","data":{"exceptionTypeName":"#)
    buffer.add(quoted: name)
    buffer.add(#","message":"#)
    buffer.add(quoted: message)
    buffer.add("}}")
  }
}

/// The messages of openBIS servers, word for word; clients meet exactly these.
enum ServerWords {
  static func wrongToken(_ token: String) -> String {
    """
    Session token '\(token)' is invalid: wrong token. Please login again.
    """
  }

  static func notLoggedIn(_ token: String) -> String {
    """
    Session token '\(token)' is invalid: user is not logged in.
    """
  }

  static func malformed(_ token: String) -> String {
    "Session token '\(token)' is malformed. Please login again."
  }

  static let expired = "Session no longer available. Please login again."

  static let notAllowed =
    "Authorization failure: ERROR: \"None of method roles '[PROJECT_OBSERVER, SPACE_OBSERVER]' could be found in roles "
    + "of user.\"."

  /// The messages of data stores.
  static let downloadExpired = "Download session expired."

  static func notAccessible(_ dataSet: String) -> String { "Data set '\(dataSet)' is not accessible." }

  static func missing(_ path: String, in dataSet: String) -> String {
    "Resource '\(path)' does not exist in data set '\(dataSet)'."
  }

  /// The messages of Spring's HTTP invoker, by which an application server calls data stores.
  static let dataStoreUnreached =
    "Could not connect to HTTP invoker remote service at [http://127.0.0.1:1/datastore_server/data-store-service]; "
    + "nested exception is java.net.ConnectException: Connection refused"

  /// The messages of jsonrpc4j.
  static let badParameters = """
    method parameters invalid
    """
  static let badRequest = """
    invalid request
    """
}

/// A compressor of a text of one repeated letter into very few bytes.
///
/// - Source: RFC 1951 section 3.2.6 (fixed Huffman codes), RFC 1952.
struct SimulatedBomb {
  private var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
  private var bits: UInt32 = 0
  private var bitCount: UInt32 = 0

  /// The longest repetition that one code represents.
  private static let repetition = 258
  /// The number of codes that fill whole bytes, and the number of these bytes.
  private static let period = (codes: 8, bytes: 13)

  /// Returns a gzip file of a head, at least a number of letters `a`, and a tail.
  static func gzip(_ head: [UInt8], count: Int, _ tail: [UInt8]) -> [UInt8] {
    var bomb = SimulatedBomb()
    // The last block, with fixed codes.
    bomb.add(0b011, 3)
    for byte in head + Array("a".utf8) { bomb.add(literal: byte) }
    bomb.repeatLast()
    let start = bomb.bytes.count
    bomb.repeatLast()
    let periods = max(0, count / (repetition * period.codes) - 1)
    let pattern = bomb.bytes[start..<(start + period.bytes)]
    for _ in 0..<periods { bomb.bytes += pattern }
    for byte in tail { bomb.add(literal: byte) }
    bomb.add(code: 0, 7)
    bomb.add(0, (8 - bomb.bitCount % 8) % 8)
    bomb.end(head, letters: 1 + (periods + 2) * period.codes * repetition, tail)
    return bomb.bytes
  }

  /// Repeats the byte before, as often as it takes to fill whole bytes.
  private mutating func repeatLast() {
    for _ in 0..<Self.period.codes {
      add(code: 0b1100_0101, 8)
      add(code: 0, 5)
    }
  }

  /// Appends a character below 144, whose code has eight bits.
  private mutating func add(literal byte: UInt8) { add(code: 0x30 + UInt32(byte), 8) }

  /// Appends a code, which begins with its highest bit.
  private mutating func add(code: UInt32, _ count: UInt32) {
    var turned: UInt32 = 0
    for bit in 0..<count where code >> bit & 1 == 1 { turned |= 1 << (count - 1 - bit) }
    add(turned, count)
  }

  private mutating func add(_ value: UInt32, _ count: UInt32) {
    bits |= value << bitCount
    bitCount += count
    while bitCount >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }

  /// Appends checksum and size.
  private mutating func end(_ head: [UInt8], letters: Int, _ tail: [UInt8]) {
    var checksum = CRC32()
    checksum.add(head)
    let block = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
    for start in stride(from: 0, to: letters, by: block.count) {
      checksum.add(Array(block.prefix(letters - start)))
    }
    checksum.add(tail)
    for number in [checksum.value, UInt32(truncatingIfNeeded: head.count + letters + tail.count)] {
      bytes += (0..<4).map { UInt8(number >> (8 * $0) & 255) }
    }
  }
}
