import PluginAPI
import Testing

@testable import Host

@Suite struct RPCMessageTests {
  private static let report = ErrorReport(
    code: "a.b", kind: .notFound, "nothing there", advice: "look elsewhere", details: ["x": 1], isRetryable: true)

  @Test(arguments: [
    RPCMessage.request(id: 7, method: "call", parameters: ["a": 1]),
    .request(id: "seven", method: "call", parameters: nil), .notification(method: "$/cancel", parameters: ["id": 7]),
    .result(id: 7, nil), .result(id: 7, [1, "x"]), .failure(id: 7, RPCFailure(code: -32_601, "no such method")),
    .failure(id: 7, RPCFailure(RPCMessageTests.report)), .failure(id: nil, RPCFailure(CancellationError())),
  ]) func `a message is encoded as one line and decoded unchanged`(message: RPCMessage) throws {
    let line = message.line
    #expect(line.last == UInt8(ascii: "\n") && line.count { $0 == UInt8(ascii: "\n") } == 1)
    #expect(try RPCMessage(line: Array(line.dropLast())) == message)
  }

  @Test func `an error without its fields is still a failure`() throws {
    let message = try RPCMessage(line: Array(#"{"jsonrpc":"2.0","id":1,"error":"oh"}"#.utf8))
    #expect(message == .failure(id: 1, RPCFailure(code: RPCFailure.reported, "unknown error")))
  }

  @Test func `a stream is split into lines, whatever the size of its chunks`() throws {
    let stream = Array("one\ntwo\n\nthree\nfour".utf8)
    for size in 1...stream.count {
      var splitter = LineSplitter(limit: 5)
      var lines: [String] = []
      for start in stride(from: 0, to: stream.count, by: size) {
        let added = splitter.add(Array(stream[start..<min(start + size, stream.count)]))
        lines += try #require(added).map { String(decoding: $0, as: UTF8.self) }
      }
      #expect(lines == ["one", "two", "", "three"])
      #expect(splitter.isInsideLine)
    }
  }

  @Test func `a line beyond the limit is refused, with or without its end`() {
    var (whole, part, fitting) = (LineSplitter(limit: 3), LineSplitter(limit: 3), LineSplitter(limit: 3))
    #expect(whole.add(Array("ab\nabcd\n".utf8)) == nil)
    #expect(part.add(Array("ab".utf8)) == [] && part.add(Array("cd".utf8)) == nil)
    #expect(fitting.add(Array("abc\nabc".utf8))?.count == 1 && fitting.isInsideLine)
  }

  @Test func `a line beyond the limit is reported once and skipped`() {
    var splitter = LineSplitter(limit: 3)
    #expect(splitter.pieces(adding: Array("ab\nabcd".utf8)) == [.line(Array("ab".utf8)), .tooLong])
    #expect(splitter.isInsideLine && splitter.pieces(adding: Array("efgh".utf8)) == [])
    #expect(splitter.pieces(adding: Array("i\nabc\nabcd\nx".utf8)) == [.line(Array("abc".utf8)), .tooLong])
    #expect(splitter.takeRemainder() == Array("x".utf8) && splitter.takeRemainder() == nil)
  }

  @Test func `a decoding problem has the id of its message`() {
    func problem(_ line: String) -> RPCMessage.Problem? {
      do throws(RPCMessage.Problem) { _ = try RPCMessage(line: Array(line.utf8)) } catch { return error }
      return nil
    }
    #expect(problem(#"{"jsonrpc":"2.0","id":7}"#)?.id == 7)
    #expect(problem(#"{"jsonrpc":"2.0","id":1.5}"#)?.id.isNull == true)
    #expect(problem("{")?.kind == .notJSON && problem("[]")?.kind == .notAMessage)
  }

  @Test func `a response from JSON equals one from a value`() {
    let value: Value = ["a": [1, "x"]]
    let line = RPCMessage.line(answering: "seven", .result, json: JSONWriter.bytes(of: value))
    #expect(line == RPCMessage.result(id: "seven", value).line)
  }
}
