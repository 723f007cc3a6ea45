import PluginAPI
import Testing

@testable import Host

struct RPCFrameTests {
  private static let values: [Value] = [
    nil, true, -7, .number(.nan), .decimal("0.10"), .text("tide"), .bytes([0, 255]), .quantity(1.8, unit: "angstrom"),
    .date(Instant(seconds: 1_795_132_800, nanoseconds: 123_456_789)), [1, ["$date": "no date"]],
    .picture(Picture(width: 1, height: 1, pixels: [1, 2, 3, 4])), Value.text("Brest").typed("tides.port"),
  ]

  private static let messages: [RPCMessage] = [
    .request(id: 1, method: "call", parameters: ["command": "list", "arguments": .list(values)]),
    .notification(method: "emit", parameters: ["id": 1, "value": .list(values)]),
    .result(id: "a", .list(values)), .result(id: 2, nil),
    .failure(id: 3, RPCFailure(code: -32_000, "no port", data: ["code": "tides.no-port"])),
  ]

  private static func nested(_ levels: Int) -> Value {
    (0..<levels).reduce(.null) { value, _ in .list([value]) }
  }

  @Test func `messages arrive in frames as they were sent, however the bytes are cut`() throws {
    let bytes = Self.messages.flatMap { $0.bytes(in: .frames) }
    for size in [1, 3, 1000, bytes.count] {
      var splitter = FrameSplitter(limit: 1 << 20)
      var received: [RPCMessage] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        let frames = splitter.add(Array(bytes[start..<min(bytes.count, start + size)]))
        for frame in try #require(frames) { received.append(try RPCMessage(frame, in: .frames)) }
      }
      #expect("\(received)" == "\(Self.messages)")
      #expect(!splitter.isInsideFrame)
    }
  }

  @Test func `a value of the maximum depth is a parameter or a result`() throws {
    let value = Self.nested(Value.maximumDepth)
    for message: RPCMessage in [
      .notification(method: "emit", parameters: ["value": value]), .result(id: 1, value),
    ] {
      let frame = Array(message.bytes(in: .frames).dropFirst(RPCMessage.lengthBytes))
      #expect(try RPCMessage(frame, in: .frames) == message)
    }
  }

  @Test func `a frame beyond the limit is refused before its content arrives`() {
    var splitter = FrameSplitter(limit: 100)
    let first = splitter.add([101, 0, 0, 0])
    #expect(first == nil && splitter.isInsideFrame)
    let next = splitter.add([1])
    #expect(next == nil)
  }

  @Test func `a stream that ends inside a frame is noticed`() {
    var splitter = FrameSplitter(limit: 100)
    let none = splitter.add([5, 0])
    #expect(none == [] && splitter.isInsideFrame)
    let one = splitter.add([0, 0, 1, 2, 3, 4, 5])
    #expect(one == [[1, 2, 3, 4, 5]] && !splitter.isInsideFrame)
  }

  @Test(
    arguments: [
      [], [7], [0xFF], .encoded(nil), .encoded([]), .encoded([9, 1, nil]), .encoded([0, 1, "call"]),
      .encoded([2, 1, .bytes([0xFF])]), .encoded([2, 1, 7]), .encoded([0, 1, "call", ["a": .bytes([1, 2])]]),
      .encoded([3, 1, 2, "text", .bytes([])]),
    ] as [[UInt8]])
  func `bytes that are not a message are refused`(frame: [UInt8]) {
    #expect(throws: RPCMessage.Problem.self) { try RPCMessage(frame, in: .frames) }
  }

  @Test func `changed bytes of a frame never trap`() {
    for message in Self.messages {
      let frame = Array(message.bytes(in: .frames).dropFirst(RPCMessage.lengthBytes))
      for index in frame.indices {
        for bit in [0x01, 0x20, 0x80] as [UInt8] {
          var changed = frame
          changed[index] ^= bit
          _ = try? RPCMessage(changed, in: .frames)
        }
      }
    }
  }

  @Test func `lines hold values as JSON`() throws {
    let message = RPCMessage.notification(method: "emit", parameters: ["value": .bytes([0, 255])])
    let line = message.bytes(in: .lines)
    #expect(String(decoding: line, as: UTF8.self).contains(#"{"value":{"$bytes":"AP8="}}"#))
    #expect(try RPCMessage(line.dropLast(), in: .lines) == message)
    var splitter = RPCSplitter(.lines, limit: 100)
    let lines = splitter.add(line)
    #expect(lines?.map(\.count) == [line.count - 1] && !splitter.isInsideMessage)
  }
}

extension [UInt8] {
  /// The byte form of a value.
  fileprivate static func encoded(_ value: Value) -> [UInt8] { value.encoded() }
}
