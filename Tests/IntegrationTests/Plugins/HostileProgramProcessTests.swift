import Foundation
import TestSupport
import Testing

/// Programs of plugins that misbehave while their screen is shown on a terminal.
@Suite(.enabled(if: TmuxSession.isAvailable, "tmux is not installed"), .serialized)
struct HostileProgramProcessTests {
  private static let manifest = #"""
    {"protocol": 1, "run": ["sh", "main.sh"],
     "plugin": {"id": "bad", "name": "Bad", "version": "1.0.0", "summary": "Misbehaves in a screen"},
     "screens": [{"name": "main", "title": "Main", "actions": [{"id": "go", "title": "Go", "keys": ["a"]}]}]}
    """#

  /// A program that writes commands for terminals to its log, shows a screen, and misbehaves at the first key.
  private static func script(_ misdeed: String) -> String {
    #"""
    read -r hello
    echo '{"jsonrpc":"2.0","id":1,"result":{"protocol":1}}'
    read -r open
    printf '\033[2J\033[?1003h\033]0;title\007\n' >&2
    echo '{"jsonrpc":"2.0","id":2,"result":{"view":{"is":"text","text":"the screen is shown"}}}'
    read -r event
    \#(misdeed)

    """#
  }

  @Test(arguments: [
    ("exit 3", "the program of plugin 'bad' ended during screen 'main': status 3"),
    ("kill -SEGV $$", "the program of plugin 'bad' ended during screen 'main': SIGSEGV"),
    ("sleep 1000 & kill -KILL $$", "the program of plugin 'bad' ended during screen 'main': SIGKILL"),
    ("yes", "the program of plugin 'bad' was ended: a line is not JSON"),
    ("echo '{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}'; read -r end", "it responded to request 7"),
    // The id of a row in place of that of the request.
    (#"echo '{"jsonrpc":"2.0","id":"b","result":{}}'; read -r end"#, "it responded to request 'b'"),
    (
      #"echo '{"jsonrpc":"2.0","id":3,"result":{"view":{"is":"list","rows":[{"id":7}]}}}'; read -r end"#,
      "'rows[0].id' is not a text"
    ),
    ("yes >&2", "Waiting for Main"), ("printf '{'; exec sleep 1000", "Waiting for Main"),
    (
      "trap '' TERM INT HUP; exec >&- sleep 1000", "the program of plugin 'bad' ended during screen 'main': SIGKILL"
    ),
  ])
  func `a program that misbehaves in a screen leaves the host alive and the terminal sane`(
    misdeed: String, shown: String
  ) throws {
    let home = try PluginHome(withPlugin: false)
    try home.folder.write(Array(Self.manifest.utf8), "plugins/bad/plugin.json")
    try home.folder.write(Array(Self.script(misdeed).utf8), "plugins/bad/main.sh")
    let session = try home.screen(of: "bad")
    try session.wait(for: "the screen is shown")
    try session.press("a")
    let screen = try session.wait(for: shown)
    #expect(screen.contains("the screen is shown"), "the last good view stays")
    try session.press("q")
    let question = "Cancel work and quit"
    let answer = try session.wait(for: "the end, or a question") { $0.contains("done") || $0.contains(question) }
    // Work that took a while is not given up unasked.
    if answer.contains(question) { try session.press("2") }
    #expect(try session.wait(for: "done").contains("status 0"))
    #expect(try session.value("#{alternate_on}#{mouse_any_flag}#{cursor_flag}") == "001")
  }
}
