import PluginAPI

/// The form of messages on the pipes of a process.
enum RPCForm: Sendable {
  /// JSON, one message per line: for programs in any language.
  case lines
  /// The byte form of values after its length: for child processes of this program.
  ///
  /// Both sides have the contract, so values need no conversion, and pictures no base64.
  case frames
}

extension RPCMessage {
  /// The kinds of messages in frames.
  private enum Kind: Int {
    case request, notification, result, failure

    /// The number of parts of a frame.
    var partCount: Int {
      switch self {
      case .request, .notification: 4
      case .result: 3
      case .failure: 5
      }
    }
  }

  /// The bytes of the length before a frame.
  static let lengthBytes = 4

  /// Reads the message in the bytes of an ``RPCSplitter``; its values are not JSON.
  init(_ bytes: [UInt8], in form: RPCForm) throws(Problem) {
    switch form {
    case .lines: self = try RPCMessage(line: bytes).converted(by: WireValue.value)
    case .frames: try self.init(frame: bytes)
    }
  }

  /// Returns the bytes of a message whose values are not JSON.
  func bytes(in form: RPCForm) -> [UInt8] {
    switch form {
    case .lines: inJSON.line
    case .frames: frame
    }
  }

  private var inJSON: RPCMessage {
    switch self {
    case .request(let id, let method, let parameters):
      .request(id: id, method: method, parameters: WireValue.json(parameters))
    case .notification(let method, let parameters):
      .notification(method: method, parameters: WireValue.json(parameters))
    case .result(let id, let result): .result(id: id, WireValue.json(result))
    case .failure: self
    }
  }

  private func converted(
    by convert: (Value) throws(WireValue.Problem) -> Value
  ) throws(Problem) -> RPCMessage {
    do throws(WireValue.Problem) {
      switch self {
      case .request(let id, let method, let parameters):
        return .request(id: id, method: method, parameters: try convert(parameters))
      case .notification(let method, let parameters):
        return .notification(method: method, parameters: try convert(parameters))
      case .result(let id, let result): return .result(id: id, try convert(result))
      case .failure: return self
      }
    } catch {
      throw Problem(message: "in a message, " + error.message)
    }
  }
}

// MARK: - Frames

extension RPCMessage {
  /// The message after its length, a 32-bit number with its lowest byte first.
  private var frame: [UInt8] {
    let parts: [Value]
    switch self {
    case .request(let id, let method, let parameters):
      parts = [.integer(Kind.request.rawValue), id, .text(method), Self.packed(parameters)]
    case .notification(let method, let parameters):
      parts = [.integer(Kind.notification.rawValue), nil, .text(method), Self.packed(parameters)]
    case .result(let id, let result): parts = [.integer(Kind.result.rawValue), id, .bytes(result.encoded())]
    case .failure(let id, let failure):
      parts = [
        .integer(Kind.failure.rawValue), id, .integer(failure.code), .text(failure.message),
        .bytes(failure.data.encoded()),
      ]
    }
    let content = Value.list(parts).encoded()
    return withUnsafeBytes(of: UInt32(truncatingIfNeeded: content.count).littleEndian) { Array($0) } + content
  }

  /// Returns parameters whose values are packed one by one, as each may have the maximum depth of values.
  private static func packed(_ parameters: Value) -> Value {
    .record(Record((parameters.record ?? Record()).fields.map { .init($0.name, .bytes($0.value.encoded())) }))
  }

  /// Reads a frame, without its length.
  private init(frame: [UInt8]) throws(Problem) {
    do {
      let parts = try Value(decoding: frame).list ?? []
      guard let kind = parts.first?.integer.flatMap(Kind.init(rawValue:)), parts.count == kind.partCount else {
        throw Problem(message: "a frame is not a message")
      }
      let id = try Self.id(parts[1])
      switch kind {
      case .request:
        self = .request(id: id, method: parts[2].text ?? "", parameters: try Self.unpacked(parts[3]))
      case .notification:
        self = .notification(method: parts[2].text ?? "", parameters: try Self.unpacked(parts[3]))
      case .result: self = .result(id: id, try Value(decoding: parts[2].bytes ?? []))
      case .failure:
        let data = try Value(decoding: parts[4].bytes ?? [])
        self = .failure(
          id: id, RPCFailure(code: parts[2].integer ?? RPCFailure.reported, parts[3].text ?? "", data: data))
      }
    } catch let error as Problem {
      throw error
    } catch {
      throw Problem(message: "in a frame, \(error)")
    }
  }

  private static func unpacked(_ parameters: Value) throws(ValueDecodingError) -> Value {
    var fields: [Record.Field] = []
    for field in (parameters.record ?? Record()).fields {
      fields.append(Record.Field(field.name, try Value(decoding: field.value.bytes ?? [])))
    }
    return .record(Record(fields))
  }
}

/// Cuts the bytes of a stream into messages.
enum RPCSplitter {
  case lines(LineSplitter)
  case frames(FrameSplitter)

  /// Creates a splitter.
  ///
  /// - Parameter limit: The longest message in bytes.
  init(_ form: RPCForm, limit: Int) {
    switch form {
    case .lines: self = .lines(LineSplitter(limit: limit))
    case .frames: self = .frames(FrameSplitter(limit: limit))
    }
  }

  /// A Boolean value indicating whether the stream ended, or exceeded the limit, inside a message.
  var isInsideMessage: Bool {
    switch self {
    case .lines(let splitter): splitter.isInsideLine
    case .frames(let splitter): splitter.isInsideFrame
    }
  }

  /// Adds bytes of the stream.
  ///
  /// - Returns: The messages that they complete, without line feeds and lengths; nil if one exceeds the limit.
  mutating func add(_ chunk: [UInt8]) -> [[UInt8]]? {
    switch self {
    case .lines(var splitter):
      // A second reference to its bytes would have them copied.
      self = .lines(LineSplitter(limit: 0))
      defer { self = .lines(splitter) }
      return splitter.add(chunk)
    case .frames(var splitter):
      self = .frames(FrameSplitter(limit: 0))
      defer { self = .frames(splitter) }
      return splitter.add(chunk)
    }
  }
}

/// Cuts the bytes of a stream into frames.
struct FrameSplitter {
  /// The longest frame in bytes.
  private let limit: Int
  private var pending: [UInt8] = []
  /// A Boolean value indicating whether a frame exceeded the limit.
  private var isLost = false

  init(limit: Int) { self.limit = limit }

  /// A Boolean value indicating whether the stream ended, or exceeded the limit, inside a frame.
  var isInsideFrame: Bool { !pending.isEmpty || isLost }

  /// Adds bytes of the stream.
  ///
  /// - Returns: The frames that they complete, without their lengths; nil if one exceeds the limit.
  mutating func add(_ chunk: [UInt8]) -> [[UInt8]]? {
    pending += chunk
    var frames: [[UInt8]] = []
    var start = 0
    while pending.count - start >= RPCMessage.lengthBytes {
      let length = pending[start..<start + RPCMessage.lengthBytes].reversed().reduce(0) { $0 << 8 | Int($1) }
      if length > limit { isLost = true }
      if isLost { return nil }
      let content = start + RPCMessage.lengthBytes
      guard pending.count - content >= length else { break }
      frames.append(Array(pending[content..<content + length]))
      start = content + length
    }
    if start > 0 { pending.removeFirst(start) }
    return frames
  }
}
