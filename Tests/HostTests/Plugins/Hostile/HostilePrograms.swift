import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Host

/// A program of a plugin: a script with the functions of ``ScriptedProgram``, which may write the ids of its children
/// into the file `$notes.children`.
struct HostileProgram: Sendable {
  var script: String
  var run = #"["sh", "main.sh"]"#
  var limits = ProgramLimits()
  var memoryInBytes: UInt64 = 0
}

/// Programs that break the protocol, end, hang, or take more than they may.
enum HostilePrograms {
  static let all: [HostileCase<HostileProgram>] = endings + silences + lies + floods + versions + starts

  /// Returns a case whose program is a script.
  private static func script(
    _ label: String, _ code: String, _ script: String, _ message: String? = nil,
    _ limit: (inout ProgramLimits) -> Void = { _ in }
  ) -> HostileCase<HostileProgram> {
    var program = HostileProgram(script: script)
    limit(&program.limits)
    return HostileCase(label, code, program, message: message)
  }

  /// Returns a case whose program ends.
  private static func end(_ label: String, _ text: String, during: String, _ how: String) -> HostileCase<HostileProgram>
  {
    script(
      label, "host.plugin-ended", text, "the program of plugin 'scripted' ended during \(during): \(how)")
  }

  private static let endings: [HostileCase<HostileProgram>] = [
    end("ends at once", "", during: "its start", "status 0"),
    end("ends after hello was said to it", "take; exit 9", during: "its start", "status 9"),
    end("ends in a call", "hello; take; exit 3", during: "command 'go'", "status 3"),
    end("ends after a value", "hello; take; emit 2 1; exit 1", during: "command 'go'", "status 1"),
    end("crashes", "hello; take; kill -SEGV $$", during: "command 'go'", "SIGSEGV"),
    end("kills itself", "hello; take; kill -KILL $$", during: "command 'go'", "SIGKILL"),
    end("kills its group", "hello; take; kill -TERM 0; take", during: "command 'go'", "SIGTERM"),
    end(
      "half a message", #"hello; take; printf '{"jsonrpc":"2.0","id":2,"res'"#, during: "command 'go'",
      "status 0, inside a message"),
    end("ends behind a closed output", "hello; take; exec >&-; exit 4", during: "command 'go'", "status 4"),
    end("child that keeps the output", "hello; take; sleep 1000 & exit 5", during: "command 'go'", "status 5"),
    end(
      "fifty children", #"hello; take; for i in $(seq 50); do sleep 1000 & echo $! >>"$notes.children"; done; exit 1"#,
      during: "command 'go'", "status 1"),
    end(
      "orphan", #"hello; take; (sleep 1000 & echo $! >>"$notes.children"); exit 1"#, during: "command 'go'",
      "status 1"),
    end(
      "children that ignore signals",
      #"hello; take; trap '' TERM INT HUP; for i in 1 2 3; do sleep 1000 & echo $! >>"$notes.children"; done; exit 1"#,
      during: "command 'go'", "status 1"),
    script("closes its output and stays", "host.plugin-ended", "hello; take; exec >&-; sleep 1000", "SIGKILL") {
      $0.endSeconds = 0.1
    },
    script("closes its output at its start", "host.plugin-ended", "exec >&-; exec sleep 1000", "its start: SIGKILL") {
      $0.endSeconds = 0.1
    },
    HostileCase(
      "more memory than allowed", "host.plugin-ended",
      HostileProgram(
        script: #"hello; take; all=$(yes | head -c 200000000 | tr -d '\n'); finish 2; take"#, memoryInBytes: 64 << 20)),
  ]

  /// Returns a case whose program has not said hello after half a second.
  private static func silence(_ label: String, _ text: String) -> HostileCase<HostileProgram> {
    script(label, "host.plugin-not-responding", text, "did not respond within 0.5 s during its start") {
      $0.startSeconds = 0.5
    }
  }

  private static let silences: [HostileCase<HostileProgram>] = [
    silence("says nothing", "exec sleep 1000"),
    silence("ignores signals", "trap '' TERM INT HUP QUIT PIPE; exec sleep 1000"),
    silence("stops itself", "kill -STOP $$"),
    silence("begins a message", #"printf '{"jsonrpc":"2.0","id":1,'; exec sleep 1000"#),
    silence("floods the log", "exec yes >&2"),
    silence("asks in place of an answer", #"take; say '{"jsonrpc":"2.0","id":1,"method":"setting"}'; exec sleep 1000"#),
    silence("values before an answer", "take; emit 1 5; exec sleep 1000"),
    silence(
      "zombies", #"for i in 1 2 3; do sh -c 'echo $$' >>"$notes.children" & done; exec sleep 1000"#),
    silence("children at its start", #"for i in 1 2 3; do sleep 1000 & echo $! >>"$notes.children"; done; wait"#),
  ]

  /// Returns a case whose program says something during a call that the protocol does not allow.
  private static func lie(
    _ label: String, _ text: String, _ message: String? = nil, _ limit: (inout ProgramLimits) -> Void = { _ in }
  ) -> HostileCase<HostileProgram> {
    script(label, "host.plugin-bad-message", "hello; take; \(text); finish 2; take", message, limit)
  }

  private static let lies: [HostileCase<HostileProgram>] = [
    lie("text in place of a message", "say 'Traceback (most recent call last):'"),
    lie("empty line", "say ''"),
    lie("batch", "say '[1,2]'", "batches are not supported"),
    lie("another version of JSON-RPC", #"say '{"jsonrpc":"1.0","id":2,"result":1}'"#),
    lie("message with nothing in it", #"say '{"jsonrpc":"2.0"}'"#),
    lie("two messages on a line", #"say '{"jsonrpc":"2.0","method":"a"}{"jsonrpc":"2.0","method":"b"}'"#),
    lie("text that is not UTF-8", #"printf '{"jsonrpc":"2.0","method":"\377"}\n'"#, "not UTF-8"),
    lie("NUL", #"printf '\0\n'"#),
    lie("a name twice", #"say '{"jsonrpc":"2.0","id":2,"id":3,"result":1}'"#, "occurs twice"),
    lie(
      "a long name twice", #"n=$(printf '%0100000d' 0); say "{\"jsonrpc\":\"2.0\",\"$n\":1,\"$n\":2}""#,
      "a line is not JSON: the name '\(String(repeating: "0", count: 100))…' occurs twice"),
    lie("id that is a list", #"say '{"jsonrpc":"2.0","id":[2],"result":1}'"#),
    lie("id with a fraction", #"say '{"jsonrpc":"2.0","id":2.5,"result":1}'"#),
    lie("id beyond 64 bits", #"say '{"jsonrpc":"2.0","id":100000000000000000000,"result":1}'"#),
    lie("long id", #"say "{\"jsonrpc\":\"2.0\",\"id\":\"$(printf '%080d' 1)\",\"method\":\"setting\"}""#),
    lie("response without a request", "finish 3", "it responded to request 3, which is not pending"),
    lie("second response", "finish 1", "it responded to request 1, which is not pending"),
    lie("response to a negative id", "finish -1"),
    lie(
      "response to a text", #"finish '"2"'"#,
      "it responded to request '2', which is not pending; request 2 is"),
    lie("response to a row", #"finish '"b"'"#, "it responded to request 'b', which is not pending"),
    lie(
      "response to a long text", #"finish "\"$(printf '%0100000d' 1)\"""#, "neither a whole number nor a short text"),
    lie("value of a call that was not made", "emit 77 1", "it named call 77, which was not made"),
    lie("value of no call", "emit null 1"),
    lie("request for a call that was not made", "ask 1 call '{\"id\":99}'"),
    lie("failure of no request", #"say '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}'"#),
    lie("date that is none", #"emit 2 '{"$date":"tomorrow"}'"#, "'$date' is not a date of ISO 8601"),
    lie("unknown kind of value", #"emit 2 '{"$nonsense":1}'"#),
    lie("number that is none", #"emit 2 '{"$number":"many"}'"#),
    lie("bytes that are not base64", #"emit 2 '{"$bytes":"***"}'"#),
    lie("bytes in letters beyond ASCII", #"emit 2 '{"$bytes":"éééé"}'"#),
    lie("table of unequal columns", #"emit 2 '{"$table":[{"name":"a","values":[1]},{"name":"b","values":[]}]}'"#),
    lie("table with other values than stated", #"emit 2 '{"$table":[{"name":"a","kind":"texts","values":[1]}]}'"#),
    lie("picture without its pixels", #"emit 2 '{"$picture":{"width":4294967296,"height":4294967296,"pixels":""}}'"#),
    lie("picture of negative size", #"emit 2 '{"$picture":{"width":-1,"height":-1,"pixels":"AAAAAA=="}}'"#),
    lie(
      "array of another shape",
      #"emit 2 '{"$array":{"type":"float64","shape":[3000000000,3000000000,3000000000],"data":""}}'"#),
    lie("progress without its parts", #"say '{"jsonrpc":"2.0","method":"progress","params":{"id":2}}'"#),
    lie("deep lists", #"say "$(printf '%0100000d' 0 | tr 0 '[')""#),
    lie("too many requests", #"ask 1 setting '{"name":"unit"}'"#, "more than 0 requests at a time") {
      $0.openRequests = 0
    },
    lie(
      "too many subscriptions",
      #"ask 1 subscribe '{"topic":"scripted.news"}'; ask 2 subscribe '{"topic":"scripted.news"}'; take"#,
      "it has too many subscriptions"
    ) { $0.openRequests = 1 },
  ]

  private static let floods: [HostileCase<HostileProgram>] = [
    script("flood at its start", "host.plugin-bad-message", "exec yes"),
    script(
      "line without an end", "host.plugin-bad-message", "hello; take; yes | tr -d '\\n'",
      "a line longer than 100000 bytes"
    ) { $0.lineBytes = 100_000 },
    script(
      "huge message", "host.plugin-bad-message", #"hello; take; emit 2 "\"$(printf '%0200000d' 7)\""; finish 2; take"#,
      "a line longer than 100000 bytes"
    ) { $0.lineBytes = 100_000 },
    script(
      "requests whose answers it does not read", "host.plugin-bad-message",
      #"""
      hello; take; id=0
      while [ $id -lt 5000 ]; do
        say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"method\":\"setting\",\"params\":{\"name\":\"unit\"}}"; id=$((id + 1))
      done
      take
      """#, "it does not read its standard input"
    ) { $0.unreadBytes = 1000 },
  ]

  private static let versions: [HostileCase<HostileProgram>] = [
    script(
      "a later protocol", "host.plugin-other-protocol",
      #"take; say '{"jsonrpc":"2.0","id":1,"result":{"protocol":2}}'; take"#,
      "version 2"),
    script(
      "no protocol", "host.plugin-other-protocol", #"take; say '{"jsonrpc":"2.0","id":1,"result":null}'; take"#,
      "it names no version of the protocol"),
    script(
      "a protocol in letters", "host.plugin-other-protocol",
      #"take; say '{"jsonrpc":"2.0","id":1,"result":{"protocol":"1"}}'; exec sleep 1000"#
    ) { $0.endSeconds = 0.1 },
    script(
      "refuses hello", "host.plugin-threw",
      #"take; say '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}'; take"#, "'scripted' failed: no"),
    script(
      "refuses hello and stays", "host.plugin-threw",
      #"take; say '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}'; exec sleep 1000"#
    ) { $0.endSeconds = 0.1 },
    script("answers another hello", "host.plugin-bad-message", "take; finish 7; take"),
  ]

  /// Returns a case with a command line in the manifest.
  private static func start(_ label: String, _ code: String, run: String) -> HostileCase<HostileProgram> {
    HostileCase(label, code, HostileProgram(script: "", run: run))
  }

  private static let starts: [HostileCase<HostileProgram>] = [
    start("missing program", "host.plugin-no-program", run: #"["workbench-no-such-program"]"#),
    start("file that is not a program", "host.plugin-no-program", run: #"["/proc/self/cmdline"]"#),
    start("file of its own that is not a program", "host.plugin-no-program", run: #"["main.sh"]"#),
    start("folder", "host.plugin-not-started", run: #"["/etc"]"#),
  ]
}

@Suite(.timeLimit(.minutes(5))) struct HostileProgramTests {
  @Test(arguments: HostilePrograms.all)
  func `a hostile program is ended with a coded error, and no process of it stays`(
    hostile: HostileCase<HostileProgram>
  ) async throws {
    let subject = hostile.subject
    let program = try await ScriptedProgram(
      subject.script, run: subject.run, limits: subject.limits, memoryInBytes: subject.memoryInBytes)
    let error = try #require(await program.plugin.report("go"))
    #expect(error.code == hostile.code && error.kind == .pluginFailed, "\(error.message)")
    #expect(error.message.contains("'scripted'") && hostile.isNamed(in: error.message), "\(error.message)")
    #expect(polls { program.processes.allSatisfy { !ScriptedProgram.exists($0) } })
    #expect(polls { program.notes("notes.children").allSatisfy { !ScriptedProgram.runs($0) } })
  }
}
