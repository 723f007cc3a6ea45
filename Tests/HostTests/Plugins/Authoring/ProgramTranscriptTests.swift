import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

struct ProgramTranscriptTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // A program may end before it reads; the host ignores the signal too.
    signal(SIGPIPE, SIG_IGN)
  }

  private static let call = #"{"send":{"id":2,"method":"call","params":{"command":"go","arguments":{}}}}"#

  /// Holds a conversation with a script of the shell, which has answered 'hello'.
  private func hold(
    _ script: String, _ transcript: String, isRecording: Bool = false, seconds: Double = 60
  ) throws -> TranscriptRun.Outcome {
    let head = "read -r m; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocol\":1}}'\n"
    try folder.write(Array(ScriptedProgram.manifest().utf8), "tool/plugin.json")
    try folder.write(Array((head + script + "\n").utf8), "tool/main.sh")
    let path = folder.url("tool/plugin.json").path
    let (manifest, identity) = try ProgramManifest.read(path)
    let source = ProgramService.Source(
      manifest: manifest, path: path, identity: identity, state: folder.url("state").path)
    return try TranscriptRun.hold(
      try ProgramTranscript(Array(transcript.utf8), path: "t.jsonl"), with: source, isRecording: isRecording,
      scratch: folder.path.path, seconds: seconds)
  }

  private static let answer = """
    read -r m
    echo '{"jsonrpc":"2.0","method":"progress","params":{"id":2,"progress":{"label":"x","fraction":null}}}'
    echo '{"params":{"value":5,"id":2},"method":"emit","jsonrpc":"2.0"}'
    echo '{"jsonrpc":"2.0","id":2,"result":null}'
    """

  private static let conversation = """
    \(call)
    {"receive":{"method":"emit","params":{"id":2,"value":5}}}

    {"receive":{"id":2,"result":null}}
    """

  @Test func `a program that responds as recorded passes, with any progress and field order`() throws {
    #expect(try hold(Self.answer, Self.conversation).difference == nil)
  }

  @Test func `a different response is reported with its line in the transcript`() throws {
    let edited = Self.conversation.replacingOccurrences(of: "\"value\":5", with: "\"value\":6")
    let difference = try #require(try hold(Self.answer, edited).difference)
    #expect(difference.hasPrefix("line 2: expected "))
    #expect(difference.contains("\"value\":6") && difference.contains("\"value\":5"))
  }

  @Test func `an extra message, an early end and a malformed message are reported`() throws {
    let short = try hold(Self.answer, Self.call + "\n" + #"{"receive":{"method":"emit","params":{"id":2,"value":5}}}"#)
    #expect(short.difference?.hasPrefix("it wrote one message too many") == true)
    let ended = try hold("read -r m; echo gone >&2; exit 3", Self.conversation).difference
    #expect(ended == "it ended before line 2 with status 3: gone")
    let broken = try hold("read -r m; echo nonsense", Self.conversation).difference
    #expect(broken?.contains("not JSON") == true)
  }

  @Test func `a program that does not respond is ended at the time limit`() throws {
    let outcome = try hold("while read -r m; do :; done; sleep 600", Self.conversation, seconds: 0.2)
    #expect(outcome.difference == "it did not respond within 0.2 s")
  }

  /// A script that writes messages until it is killed, as 'exec' leaves nothing else to end it.
  private static let flood = #"""
    read -r m
    exec yes '{"jsonrpc":"2.0","method":"emit","params":{"id":2,"value":"\#(String(repeating: "x", count: 4000))"}}'
    """#

  @Test func `a program that floods the host is killed at the first difference`() throws {
    let difference = try hold(Self.flood, Self.conversation).difference
    #expect(difference?.hasPrefix("line 2: expected ") == true)
    // Lines that are not messages, too.
    #expect(try hold("read -r m; exec yes", Self.conversation).difference?.contains("not JSON") == true)
  }

  @Test func `a program that floods a recording is killed at the transcript's size limit`() throws {
    let outcome = try hold(Self.flood, Self.call, isRecording: true)
    #expect(outcome.difference == "the transcript is larger than 16 MiB")
    #expect(outcome.recorded.bytes.count <= ProgramTranscript.largest)
  }

  @Test func `a program's responses are recorded, and its requests are answered`() throws {
    let script = """
      read -r m
      echo '{"jsonrpc":"2.0","id":"a","method":"setting","params":{"name":"unit"}}'
      read -r unit
      echo '{"jsonrpc":"2.0","id":"b","method":"call","params":{"command":"other.go"}}'
      read -r other
      echo '{"jsonrpc":"2.0","method":"emit","params":{"id":2,"value":"\(folder.url("tool").path)/file"}}'
      echo '{"jsonrpc":"2.0","id":2,"result":null}'
      """
    let recorded = try hold(script, Self.call, isRecording: true)
    #expect(recorded.difference == nil)
    let lines = String(decoding: recorded.recorded.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(lines.count == 7)
    #expect(lines[2] == #"{"send":{"id":"a","result":"metre"}}"#)
    #expect(lines[4].contains(#""id":"b","error""#) && lines[4].contains("-32601"))
    #expect(lines[5].contains("$FOLDER/file"))
    #expect(try hold(script, lines.joined(separator: "\n")).difference == nil)
    // An answer of the transcript is kept when it is recorded again.
    let edited = lines.joined(separator: "\n").replacingOccurrences(of: "\"metre\"", with: "\"foot\"")
    let again = try hold(script, edited, isRecording: true).recorded
    #expect(String(decoding: again.bytes, as: UTF8.self).contains(#"{"send":{"id":"a","result":"foot"}}"#))
  }

  @Test(arguments: [
    ("{", 1), ("\n\n[1]", 3), (#"{"send": 1}"#, 1), (#"{"send": {}, "receive": {}}"#, 1), (#"{"say": {}}"#, 1),
  ])
  func `a malformed line is an error with its number`(text: String, line: Int) {
    do throws(ErrorReport) {
      _ = try ProgramTranscript(Array(text.utf8), path: "t.jsonl")
      Issue.record("it was read")
    } catch {
      #expect(error.code == "host.bad-transcript")
      #expect(error.details == ["file": "t.jsonl", "line": .integer(line)])
      #expect(error.message.hasPrefix("t.jsonl:\(line): "))
    }
  }

  @Test func `examples of read-only commands become calls, with files of the folder`() throws {
    let text = #"""
      {"protocol": 1, "run": ["sh", "main.sh"],
       "plugin": {"id": "tool", "name": "Tool", "version": "1.0.0", "summary": "Works"},
       "commands": [
         {"name": "count all", "summary": "Count", "effects": ["reads"],
          "arguments": [{"name": "file", "kind": {"is": "inputFile", "words": []}, "summary": "File", "required": true,
            "repeatable": false, "default": null}],
          "options": [{"name": "least", "kind": {"is": "integer"}, "summary": "Least", "required": false,
            "repeatable": false, "default": 1}],
          "examples": [{"line": "count all 'a b.txt' --least 3", "summary": "A"}, {"line": "count all x", "summary": "B"}],
          "output": {"schema": {"is": "any"}, "type": null, "stream": false}},
         {"name": "drop", "summary": "Drop", "effects": ["deletes"], "arguments": [], "options": [],
          "examples": [{"line": "drop", "summary": "All"}],
          "output": {"schema": {"is": "any"}, "type": null, "stream": false}}]}
      """#
    try folder.write([], "a b.txt")
    let manifest = try ProgramManifest(Array(text.utf8), path: "plugin.json")
    let transcript = try ProgramTranscript.examples(of: manifest, folder: folder.path.path)
    let calls = transcript.steps.compactMap { step -> Value? in
      if case .send(let message) = step.message { message } else { nil }
    }
    #expect(calls.count == 2)
    #expect(calls.map { $0["params"]["command"] } == ["count all", "count all"])
    #expect(calls[0]["params"]["arguments"] == ["file": "$FOLDER/a b.txt", "least": 3])
    #expect(calls[1]["params"]["arguments"] == ["file": "x", "least": 1])
    #expect(calls.map { $0["id"] } == [2, 3])
  }
}
