import Foundation
import TestSupport
import Testing

/// A recorded session in all four domains, with bundled data and simulated services.
@Suite(.timeLimit(.minutes(10)))
struct RecordedSessionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ words: [String], input: String = "") throws -> CommandLineProcess.Outcome {
    let environment = ["WORKBENCH_HOME": folder.url("home").path]
    return try CommandLineProcess(words, environment: environment).finish(input: input)
  }

  /// Runs a script and returns its recording, and what it prints.
  private func replay(_ text: String, _ name: String) throws -> (text: String, output: String) {
    let (script, record) = (folder.url(name + ".wbs"), folder.url(name + "-record.wbs"))
    try Data(text.utf8).write(to: script)
    let outcome = try run(["script", script.path, "--record", record.path])
    #expect(outcome.status == 0, "\(name): \(outcome.errors)")
    return (try String(contentsOf: record, encoding: .utf8), outcome.output)
  }

  private func simulator(_ words: String...) throws -> (process: CommandLineProcess, address: String) {
    let process = try CommandLineProcess(words)
    let address = String(process.readSome().prefix { !$0.isWhitespace })
    try #require(address.hasPrefix("http://"))
    return (process, address)
  }

  @Test func `a session in all domains is recorded, replayed and recorded again identically`()
    throws
  {
    let lab = try simulator("openbis", "simulate")
    let sensor = try simulator("wsabi", "simulate", "--sensors", "1", "--modality", "finger")
    defer {
      for process in [lab.process, sensor.process] {
        process.send(SIGTERM)
        _ = process.wait()
      }
    }
    let login = ["openbis", "login", lab.address, "--user", "alice", "--password-stdin"]
    let loggedIn = try run(login, input: "wonderland\n")
    #expect(loggedIn.status == 0, "\(loggedIn.errors)")
    let synced = try run(["openbis", "sync", "--no-index"])
    #expect(synced.status == 0, "\(synced.errors)")

    // The rows of the home screen are the plugins; each is opened, used a little and left.
    let keys = """
      wait enter wait down wait ctrl-x h wait down enter wait down wait ? wait esc ctrl-x h
      wait down down enter wait / type:glyc wait escape wait ctrl-x h wait down down down enter wait
      """
    let first = folder.url("first.wbs")
    let shown = try run(["run", "--headless", "100x30", "--keys", keys, "--record", first.path])
    #expect(shown.status == 0 && shown.output.contains("WSABI"), "\(shown.errors)\(shown.output)")
    let recorded = try String(contentsOf: first, encoding: .utf8)
    #expect(recorded.hasPrefix("screen start --size=100x30\n") && recorded.hasSuffix("\nscreen end\n"))
    let lines = recorded.split(separator: "\n")
    #expect(lines.count { $0 == "screen key enter" } == 4 && lines.count { $0 == "screen action host.home" } == 3)

    let commands = """
      molecules info 3
      pathcase info w-glycolysis
      openbis roots --limit=1
      wsabi sensor information \(sensor.address)

      """
    let again = try replay(recorded + commands, "again")
    #expect(again.text.hasPrefix(recorded), "\(again.text)\n\(recorded)")
    let owners = again.text.dropFirst(recorded.count).split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(owners == ["molecules", "pathcase", "openbis", "wsabi"])
    #expect(again.output.hasPrefix(shown.output.prefix(80)))
    let last = try replay(again.text, "last")
    #expect(last.text == again.text)
  }

  @Test func `recordings omit text typed into a plugin for personal data, and replays say so`() throws {
    let file = folder.url("people.wbs")
    let key = folder.url("station.key").path
    let made = try run(["wsabi", "store", "init", "--new-key-file", key, "--user", "anna"])
    #expect(made.status == 0, "\(made.errors)")
    let keys = "wait ctrl-o type:\(key) enter wait / type:Lovelace wait"
    let shown = try run(["run", "wsabi", "--headless", "100x30", "--keys", keys, "--record", file.path])
    #expect(shown.status == 0, "\(shown.errors)")
    let recorded = try String(contentsOf: file, encoding: .utf8)
    #expect(recorded.contains("…") && !recorded.contains("Lovelace") && !recorded.contains(key))
    let replayed = try run(["script", file.path, "--json"])
    #expect(replayed.status == 2 && replayed.errors.contains("host.left-out"), "\(replayed.errors)")
  }
}
