import Foundation
import Glibc
import TestSupport
import Testing

/// The prompt on a terminal, with the keys of libedit.
///
/// One after the other: each holds a thread that all tests share.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ShellTerminalTests {
  private let home: PluginHome

  init() throws { home = try PluginHome(withPlugin: false) }

  /// Starts a shell and waits for its prompt.
  private func shell(_ options: String..., environment: [String: String] = [:]) throws -> PseudoTerminal {
    var variables = [
      "TERM": "xterm", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "WORKBENCH_HOME": home.home.path,
      "PAGER": "cat", "SWIFT_BACKTRACE": "enable=no",
    ]
    variables.merge(environment) { $1 }
    let terminal = try PseudoTerminal(
      BuiltProgram.workbench.path, ["shell"] + options, columns: 80, rows: 24, environment: variables)
    try #require(terminal.reads("workbench> "), "\(String(decoding: terminal.output, as: UTF8.self))")
    return terminal
  }

  /// Types keys, waits for a text and then for the prompt: earlier the terminal takes control characters itself.
  private func enter(_ keys: String, into terminal: PseudoTerminal, expecting text: String) throws {
    let start = terminal.output.count
    terminal.type(keys)
    try waitForPrompt(of: terminal, after: text, from: start)
  }

  /// Waits for a text, and for a prompt after it.
  private func waitForPrompt(of terminal: PseudoTerminal, after text: String, from start: Int) throws {
    func shown() -> String { String(decoding: terminal.output[start...], as: UTF8.self) }
    let isShown = terminal.reads { _ in
      let shown = shown()
      guard let found = shown.range(of: text) else { return false }
      let rest = shown[found.upperBound...]
      // A prompt with a status has colors; every one begins with the request to mark pastes.
      let prompt = rest.range(of: "\u{1B}[?2004h").map { rest[$0.upperBound...].contains("> ") }
      return rest.contains("workbench> ") || prompt == true
    }
    try #require(isShown, "\(shown())")
  }

  /// Types keys and waits for a text, which may be the prompt itself.
  private func type(_ keys: String, into terminal: PseudoTerminal, expecting text: String) throws {
    let start = terminal.output.count
    terminal.type(keys)
    try #require(
      terminal.reads(text, from: start), "\(String(decoding: terminal.output[start...], as: UTF8.self))")
  }

  /// Leaves a shell, and expects the terminal as it was.
  ///
  /// Unlike Ctrl-D, a line may be typed before the prompt is back.
  private func leave(_ terminal: PseudoTerminal, _ keys: String = "exit\r", status: Int32 = 0) {
    terminal.type(keys)
    #expect(terminal.end() == status)
    #expect(terminal.lineSettings == terminal.firstLineSettings)
  }

  @Test func `lines run, and the prompt shows a failed line's status`() throws {
    let terminal = try shell()
    try enter("version\r", into: terminal, expecting: "contract")
    try enter("nonsense\r", into: terminal, expecting: "is not a command")
    #expect(String(decoding: terminal.output, as: UTF8.self).contains("[2]"))
    try enter("version --json\r", into: terminal, expecting: "\"contract\"")
    leave(terminal, "exit 5\r", status: 5)
  }

  @Test func `Tab completes commands, choices and files, and lists candidates`() throws {
    let terminal = try shell()
    try enter("vers\t\r", into: terminal, expecting: "contract")
    try enter("completion fi\t\r", into: terminal, expecting: "complete -c workbench")
    try enter("config get the\t\r", into: terminal, expecting: "standard")
    try enter("completion \t", into: terminal, expecting: "zsh")
    let file = try home.folder.write(Array("version\n".utf8), "two words.wbs").path
    try enter("\u{3}script \(file.dropLast(10))\t\r", into: terminal, expecting: "contract")
    leave(terminal)
  }

  @Test func `a backslash continues a line`() throws {
    let terminal = try shell()
    try type("version \\\r", into: terminal, expecting: "...> ")
    try enter("--json\r", into: terminal, expecting: "\"contract\"")
    try type("version \\\r", into: terminal, expecting: "...> ")
    try type("\u{3}", into: terminal, expecting: "workbench> ")
    leave(terminal)
  }

  @Test func `Ctrl-C discards a line, and pressed twice leaves the shell`() throws {
    let terminal = try shell()
    try type("nonsense", into: terminal, expecting: "nonsense")
    try type("\u{3}", into: terminal, expecting: "workbench> ")
    try enter("version\r", into: terminal, expecting: "contract")
    #expect(!String(decoding: terminal.output, as: UTF8.self).contains("[2]"))
    leave(terminal, "\u{3}\u{3}")
  }

  @Test func `another shell finds earlier lines in its history`() throws {
    let first = try shell()
    try enter("version\r", into: first, expecting: "contract")
    leave(first)
    let file = home.home.appendingPathComponent("state/shell-history")
    #expect(try String(contentsOf: file, encoding: .utf8) == "version\nexit\n")
    let second = try shell()
    try enter("\u{1B}[A\u{1B}[A\r", into: second, expecting: "contract")
    try type("\u{12}ersi", into: second, expecting: "bck:")
    try enter("\r", into: second, expecting: "contract")
    leave(second)
  }

  @Test func `pasted lines wait for Enter`() throws {
    let terminal = try shell()
    try type("\u{1B}[200~version --json\nversion\n\u{1B}[201~", into: terminal, expecting: "version")
    #expect(!String(decoding: terminal.output, as: UTF8.self).contains("contract"))
    try enter("\r", into: terminal, expecting: "workbench 0.")
    #expect(String(decoding: terminal.output, as: UTF8.self).contains("\"contract\""))
    leave(terminal)
  }

  @Test func `invalid key bytes leave a usable prompt`() throws {
    let terminal = try shell()
    let start = terminal.output.count
    terminal.send([0xFF, 0xC3, 0x78, 0x00, 0xC2, 0x81, 0x1B, 0x5B, 0x39, 0x39, 0x7E, 0x1A, 0x1C, 0x07, 0x0D])
    try waitForPrompt(of: terminal, after: "is not a command", from: start)
    try enter("\u{1B}[201~\u{3}version\r", into: terminal, expecting: "contract")
    leave(terminal)
  }

  @Test(arguments: ["", "\u{1B}[200~"]) func `a line of a megabyte is refused`(mark: String) throws {
    let terminal = try shell()
    let start = terminal.output.count
    terminal.type(mark)
    let part = [UInt8](repeating: UInt8(ascii: "q"), count: 1 << 14)
    for _ in 0..<64 {
      terminal.send(part)
      // The program stops if nobody reads what it draws.
      _ = terminal.reads(seconds: 0.001) { _ in false }
    }
    terminal.type(mark.isEmpty ? "\r" : "\u{1B}[201~\r")
    try waitForPrompt(of: terminal, after: "longer than 65536 characters", from: start)
    try enter("version\r", into: terminal, expecting: "contract")
    leave(terminal)
  }

  @Test func `a long result is shown in the pager`() throws {
    let terminal = try shell(environment: ["PAGER": "tr a-z A-Z"])
    try enter("help errors\r", into: terminal, expecting: "HOST.UNKNOWN-COMMAND")
    try enter("version\r", into: terminal, expecting: "contract")
    try type("config set pager never\r", into: terminal, expecting: "workbench> ")
    try enter("help errors\r", into: terminal, expecting: "host.unknown-command")
    leave(terminal)
  }

  @Test(arguments: [SIGTERM, SIGHUP]) func `a signal ends the shell and restores the terminal`(signal: Int32) throws {
    let terminal = try shell()
    kill(terminal.processIdentifier, signal)
    #expect(terminal.end() == -signal)
    #expect(terminal.lineSettings == terminal.firstLineSettings)
  }

  @Test func `a time limit ends the shell`() throws {
    let terminal = try shell("--timeout", "5")
    #expect(terminal.end() == 124)
    #expect(terminal.lineSettings == terminal.firstLineSettings)
  }

  @Test func `a terminal without capabilities gets plain lines`() throws {
    let terminal = try shell(environment: ["TERM": "dumb"])
    try enter("version\r", into: terminal, expecting: "contract")
    kill(terminal.processIdentifier, SIGINT)
    #expect(terminal.reads("press Ctrl-C again or Ctrl-D to leave the shell"))
    leave(terminal)
    #expect(!terminal.output.contains(0x1B))
  }

  @Test func `the shell does not start without a terminal`() throws {
    let outcome = try CommandLineProcess.run("shell", input: "version\n")
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("run commands from a pipe with 'workbench script -'"))
  }
}

/// The prompt with commands and screens of a plugin.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ShellCommandTests {
  private let home: PluginHome

  init() throws { home = try PluginHome() }

  private func session(environment: [String: String] = [:]) throws -> TmuxSession {
    let session = try TmuxSession(
      """
      trap : INT # Ctrl-C in a command is not for this script
      '\(BuiltProgram.workbench.path)' shell --plugin-dir '\(home.plugins.path)'
      echo "status $?"
      """, environment: ["WORKBENCH_HOME": home.home.path, "SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 })
    try session.wait(for: "workbench>")
    return session
  }

  /// Types a line and waits for a text.
  private func enter(_ line: String, in session: TmuxSession, expecting text: String) throws {
    try session.type(line)
    try session.press("Enter")
    try session.wait(for: text)
  }

  /// Waits until the last line is an empty prompt.
  private func waitForPrompt(_ prompt: String = "workbench>", in session: TmuxSession) throws {
    try session.wait(for: "the prompt '\(prompt)'") { screen in
      screen.split(separator: "\n").last { !$0.allSatisfy(\.isWhitespace) }
        .map { $0.trimmingCharacters(in: .whitespaces) == prompt } ?? false
    }
  }

  @Test(.enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  func `Ctrl-C cancels a command and returns to the prompt`() throws {
    let session = try session()
    try enter("misbehaving key", in: session, expecting: "begun")
    try session.press("C-c")
    try waitForPrompt("workbench [130]>", in: session)
    try enter("version", in: session, expecting: "contract")
    try waitForPrompt(in: session)
    try session.press("C-d")
    try session.wait(for: "status 0")
  }

  @Test(.enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  func `a pager reads from the terminal, even after Ctrl-Z, and then returns it`() throws {
    let text = "printf 'more? '\nread -r answer < /dev/tty\necho \"got $answer\"\n"
    let pager = try home.folder.write(Array(text.utf8), "pager.sh").path
    let session = try session(environment: ["PAGER": "sh \(pager)"])
    try enter("help errors", in: session, expecting: "more?")
    try session.press("C-z")
    try enter("yes", in: session, expecting: "got yes")
    try waitForPrompt(in: session)
    try enter("version", in: session, expecting: "contract")
    try waitForPrompt(in: session)
    try session.press("C-d")
    try session.wait(for: "status 0")
  }

  @Test(.enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  func `a screen opens from the prompt and returns to it`() throws {
    let session = try session()
    try enter("run misbehaving", in: session, expecting: "ready to misbehave")
    try session.press("q")
    try waitForPrompt(in: session)
    try enter("version", in: session, expecting: "contract")
    try waitForPrompt(in: session)
    // The screen no longer handles it.
    try enter("misbehaving key", in: session, expecting: "begun")
    try session.press("C-c")
    try waitForPrompt("workbench [130]>", in: session)
    try session.press("C-d")
    try session.wait(for: "status 0")
  }
}
