import Foundation
import PluginAPI
import Testing

@testable import Host

@MainActor struct BugReportTests {
  /// Secrets and personal data, each placed where a report could contain it.
  private static let planted = [
    "tok_live_9f8e7d", "correct horse battery staple", "horse", "battery", "Ada", "Lovelace", "ada.lovelace",
    "analytical-engine.example", "/home/lovelace", "1815-12-10", "555 0199", "hunter2", "s3cr3t", "lovelace-laptop",
    "babbage", "c2VjcmV0LWtleQ==", "molly",
  ]

  /// Creates a run whose environment, settings, log and quarantine are full of secrets.
  private func run() throws -> CommandLineRun {
    let run = try CommandLineRun(environment: [
      "TERM": "xterm-256color", "COLORTERM": "tok_live_9f8e7d:s3cr3t", "LANG": "C.UTF-8", "HOME": "/home/lovelace",
      "USER": "babbage", "WORKBENCH_OPENBIS_TOKEN": "tok_live_9f8e7d",
      "WORKBENCH_VAULT_PASSPHRASE": "correct horse battery staple", "SSH_CONNECTION": "lovelace-laptop 22",
      "WORKBENCH_SAMPLE_WEIGHT_LIMIT": "7",
    ])
    for folder in ["config", "state"] {
      try FileManager.default.createDirectory(atPath: run.home + "/" + folder, withIntermediateDirectories: true)
    }
    _ = try run.file(
      "config/settings.json",
      #"{"host": {"color": "never", "theme": "molly"}, "sample": {"colors": ["hunter2"]}, "gone": {"Ada": "s3cr3t"}}"#)
    var quarantine = PluginQuarantine(state: run.home + "/state")
    try quarantine.add(
      PluginQuarantine.Entry(
        id: "tides", signal: "SIGSEGV", date: "2026-11-20T06:30:00Z", phase: "command", command: "Ada hunter2"))
    let messages = [
      "cannot read the file '/home/lovelace/Ada Lovelace.json': permission denied",
      "the server analytical-engine.example did not accept tok_live_9f8e7d for ada.lovelace@analytical-engine.example",
      "cannot open the store: correct horse battery staple is wrong",
      "imported Lovelace, Ada, born 1815-12-10, telephone 030 555 0199, key c2VjcmV0LWtleQ==",
      "user babbage has no permission", "status 404 in line 12", "passphrase \"correct horse battery staple",
    ]
    var log = messages.map { "2026-11-20T06:30:00Z\twarning\tsample\t\($0)\n" }.joined()
    log += "Ada wrote this line\n2026-11-20T06:30:00Z\terror\thunter2\tthe state is damaged\n\n"
    log += "s3cr3t\tnote\tsample\tstarted\n"
    _ = try run.file("state/workbench.log", log)
    return run
  }

  private func expectNoSecret(_ text: String, _ comment: Comment) {
    let found = Self.planted.filter { text.range(of: $0, options: .caseInsensitive) != nil }
    #expect(found == [], comment)
  }

  @Test func `a report contains no secrets and no personal data`() async throws {
    let run = try run()
    expectNoSecret(try await run.output("bugreport"), "as text")
    expectNoSecret(try await run.output("bugreport", "--json"), "as JSON")
    let path = run.home + "/report.txt"
    let shown = try await run.output("bugreport", "--output", path)
    let written = try String(contentsOfFile: path, encoding: .utf8)
    #expect(shown == written, "what is shown is what is written")
    expectNoSecret(written, "in a file")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(run.messages.contains("wrote '\(path)'"))
  }

  @Test func `a report contains the facts that help to find a fault`() async throws {
    let run = try run()
    let text = try await run.output("bugreport")
    for fact in [
      "  workbench \(HostVersion.number), contract", "  compiler: ", "  kernel: Linux ", "  TERM=xterm-256color\n",
      "  COLORTERM=…\n", "  SSH_CONNECTION is set\n", "  WORKBENCH_OPENBIS_TOKEN is set\n",
      "  host.color = never (user)\n", "  host.theme = … (user)\n", "  sample.colors = … (user)\n",
      "  sample.weight-limit = 7.0 (environment)\n", "  undeclared settings: 1\n",
      "  2026-11-20T06:30:00Z, tides, command, …, SIGSEGV\n",
      "warning sample cannot read the file '…': permission denied\n",
      "warning sample status 404 in line 12\n", "  2026-11-20T06:30:00Z error … the state is damaged\n",
      "  warning checks sample.hammer: the hammer is ",
    ] { #expect(text.contains(fact), "\(fact) is missing in:\n\(text)") }
  }

  @Test func `a report contains only the requested number of last log lines`() async throws {
    let run = try run()
    func log(_ count: Int) async throws -> [Value]? {
      let output = try await run.output("bugreport", "--json", "--log-lines", "\(count)")
      return try JSONReader.read(Array(output.utf8))["sections"].list?.last?["lines"].list
    }
    #expect(try await log(0) == [])
    #expect(try await log(2) == ["2026-11-20T06:30:00Z error … the state is damaged", "… note sample started"])
    #expect(try await log(1000)?.count == 10)
  }

  @Test func `a log that is a pipe or not text does not stop a report`() async throws {
    let run = try CommandLineRun()
    try FileManager.default.createDirectory(atPath: run.home + "/state", withIntermediateDirectories: true)
    let path = run.home + "/state/workbench.log"
    #expect(mkfifo(path, 0o600) == 0)
    #expect(try await run.output("bugreport").hasSuffix("Last lines of the log\n  none\n"))
    #expect(unlink(path) == 0)
    try Data([0xFF, 0x00, 0x1B, 0x5B, 0x0A, 0x09, 0x09, 0x09, 0x0A]).write(to: URL(fileURLWithPath: path))
    #expect(try await run.output("bugreport").hasSuffix("Last lines of the log\n  …\n  …\n"))
  }

  @Test func `redaction preserves only declared words, punctuation and small numbers`() {
    let words = DeclaredWords(
      texts: ["Rotate the picture, as in 'secretword'", "the shared molly"], names: ["sample.no-rock", "PNG"],
      secrets: ["Molly's key"])
    #expect(words.filtered("rotate the picture (PNG): sample.no-rock") == "rotate the picture (PNG): sample.no-rock")
    #expect(words.filtered("the shared molly") == "the shared …")
    #expect(words.filtered("secretword Rotate ROTATE rotatex") == "…")
    #expect(words.filtered("the 'sample.no-rock' of 'the Rock' is 'the") == "the 'sample.no-rock' of '…' is …")
    #expect(words.filtered("line 12, of 1234 rows, 030 555 12") == "line 12, of … rows, …")
    #expect(words.filtered("") == "" && words.filtered("\u{1B}[31m\u{202E}") == "…")
  }
}
