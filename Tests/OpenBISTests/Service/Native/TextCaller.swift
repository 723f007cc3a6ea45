import PluginJSON
import Synchronization

@testable import OpenBIS

/// A caller that returns a text for each call, delivered in pieces of a given size.
final class TextCaller: RPCCaller {
  private let answers: [String: String]
  private let pieceSize: Int
  private let made = Mutex<[RPCCall]>([])

  init(_ answers: [String: String], pieceSize: Int = .max) {
    (self.answers, self.pieceSize) = (answers, pieceSize)
  }

  /// The calls so far.
  var calls: [RPCCall] { made.withLock { $0 } }

  func call(_ call: RPCCall, _ reader: any RPCResultReader & Sendable) async throws -> RPCResponse {
    made.withLock { $0.append(call) }
    let bytes = Array((answers[call.method] ?? "null").utf8)
    try read(bytes, pieceSize: pieceSize, reader)
    return RPCResponse(serverTimeInSeconds: 1_700_000_000, sizeInBytes: bytes.count)
  }
}

/// Passes JSON to a reader, a number of bytes at a time.
func read(_ bytes: [UInt8], pieceSize: Int, _ reader: any RPCResultReader) throws {
  let json = try JSONReader { try reader.take($0) }
  var rest = bytes[...]
  while !rest.isEmpty {
    try json.push(rest.prefix(pieceSize))
    rest = rest.dropFirst(pieceSize)
  }
  try json.finish()
}

extension RPCCall {
  /// The parameters as sent over the network, without the token.
  var parameterTexts: [String] { parameters.map { String(decoding: $0, as: UTF8.self) } }
}
