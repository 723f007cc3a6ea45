import PluginAPI
import PluginNet
import PluginText
import TestSupport

@testable import OpenBIS
@testable import OpenBISSimulator

/// A caller of a simulator that keeps the bytes of its responses.
struct RecordingCaller: RPCCaller {
  let caller: SimulatorCaller
  let token: String
  let bodies = Mutexed<[[UInt8]]>([])

  func call(_ call: RPCCall, _ reader: any RPCResultReader & Sendable) async throws -> RPCResponse {
    let interface: SimulatedCall.Interface = call.interface == .application ? .application : .query
    let parameters = [token.asSimulatedJSON] + call.parameters.map { String(decoding: $0, as: UTF8.self) }
    let body = try await caller.send(
      interface,
      #"{"jsonrpc":"2.0","id":1,"method":"\#(call.method)","params":[\#(parameters.joined(separator: ","))]}"#
    ).body
    bodies.withLock { $0.append(body) }
    return try await RecordedCaller(body: body).call(call, reader)
  }
}

/// A caller that returns the same bytes for every call, in pieces as a network delivers them.
struct RecordedCaller: RPCCaller {
  let body: [UInt8]
  var piece = 4096

  func call(_ call: RPCCall, _ reader: any RPCResultReader & Sendable) async throws -> RPCResponse {
    let answer = RPCResponseReader(
      RPCTarget(method: call.method, server: "http://recorded"), MessageSanitizer(hiding: []), id: 1, reader)
    var head = HTTPHead(status: 200, address: "http://recorded")
    head.headers["Content-Type"] = "application/json-rpc"
    answer.begin(head)
    let gate = HTTPGate()
    var start = 0
    while start < body.count {
      let end = min(body.count, start + piece)
      let flow = try body[start..<end].withUnsafeBytes { try answer.take($0, gate) }
      if case .enough = flow { break }
      start = end
    }
    do {
      return try answer.finish(head)
    } catch let failure as RPCFailure {
      throw failure.error
    }
  }
}

/// A deterministic corrupter of bytes.
struct Gnawer {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Returns the bytes with a few pieces changed, moved, left out, repeated, or with deep nesting inserted.
  mutating func gnawed(_ original: [UInt8]) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty { gnaw(&bytes) }
    return bytes
  }

  private mutating func gnaw(_ bytes: inout [UInt8]) {
    let piece = range(in: bytes, longest: 200)
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1: bytes[piece.lowerBound] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: bytes.removeLast(bytes.count - piece.lowerBound)
    case 3: bytes.removeSubrange(piece)
    case 4: bytes.insert(contentsOf: bytes[piece], at: piece.upperBound)
    case 5:
      let other = range(in: bytes, longest: 200)
      let moved = Array(bytes[piece])
      bytes.replaceSubrange(piece, with: bytes[other])
      bytes.insert(contentsOf: moved, at: min(bytes.count, other.lowerBound))
    case 6:
      let opening = ["[", "{\"a\":", "\"", "[{"].randomElement(using: &random) ?? "["
      bytes.insert(contentsOf: Array(String(repeating: opening, count: 20_000).utf8), at: piece.lowerBound)
    case 7:
      let words = [
        "null", "\"\"", "-1e999", "\"\\ud800\"", "true", "{}", "[]", "\u{0}", "\"@id\":3", "12345678901234567890",
      ]
      bytes.replaceSubrange(piece.prefix(6), with: Array((words.randomElement(using: &random) ?? "").utf8))
    default:
      bytes[piece.lowerBound] = [0x22, 0x5C, 0x2C, 0x5D, 0x7D, 0x00, 0xFF, 0x7B].randomElement(using: &random) ?? 0
    }
  }

  private mutating func range(in bytes: [UInt8], longest: Int) -> Range<Int> {
    let start = Int.random(in: 0..<bytes.count, using: &random)
    return start..<min(bytes.count, start + Int.random(in: 1...longest, using: &random))
  }
}
