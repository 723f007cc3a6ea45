import Foundation
import TestSupport
import Testing

/// The whole program in a real terminal, started by a shell that afterwards prints its exit status.
final class ScreenSession {
  /// The home; the library in it is made at the first start.
  let home: TemporaryFolder
  let tmux: TmuxSession

  /// Starts `workbench` with arguments as the shell reads them.
  ///
  /// - Parameters:
  ///   - home: An existing home; a new one unless given.
  ///   - before: The words before the program, such as `TERM=dumb`, which tmux itself would set.
  ///   - isNewUser: True if the home screen offers the tour.
  init(
    _ words: String, home: TemporaryFolder? = nil, columns: Int = 80, rows: Int = 24, before: String = "",
    isNewUser: Bool = false
  ) throws {
    self.home = try home ?? TemporaryFolder()
    if !isNewUser {
      let state = self.home.path.appendingPathComponent("state")
      try FileManager.default.createDirectory(
        at: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data("offered\n".utf8).write(to: state.appendingPathComponent("tour"))
    }
    let variables = [
      "WORKBENCH_HOME": self.home.path.path, "SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "",
      "COLORTERM": "truecolor", "LANG": "C.UTF-8",
    ]
    tmux = try TmuxSession(
      """
      before=$(stty -g)
      \(before) '\(BuiltProgram.workbench.path)' \(words)
      echo "status $?"
      [ "$before" = "$(stty -g)" ] && echo same settings
      echo done
      """, columns: columns, rows: rows, environment: variables)
  }

  /// Waits until a text is on the screen and no progress is shown; returns the screen.
  @discardableResult
  func shows(_ text: String) throws -> String {
    try tmux.wait(for: "'\(text)' at rest") { $0.contains(text) && !$0.contains("esc cancels") }
  }

  /// Presses keys and waits until a text is on the screen.
  @discardableResult
  func press(_ keys: String..., shows text: String) throws -> String {
    for key in keys { try tmux.press(key) }
    return try shows(text)
  }

  /// Waits until the screen has changed and is stable; returns it.
  @discardableResult
  func changes(from before: String, _ what: String, by doing: () throws -> Void) throws -> String {
    try doing()
    try tmux.wait(for: "change by \(what)") { $0 != before }
    return try settled()
  }

  /// Waits until the screen stays the same for a while: smooth edges come a moment after the last key.
  func settled() throws -> String {
    var last = ""
    var since = Date()
    return try tmux.wait(for: "screen at rest") { screen in
      if screen != last { (last, since) = (screen, Date()) }
      return Date().timeIntervalSince(since) > 0.7
    }
  }

  /// Clicks a cell with a mouse button, both counted from 1 and 0.
  func click(column: Int, row: Int, times: Int = 1) throws {
    for _ in 0..<times {
      try tmux.send("\u{1B}[<0;\(column);\(row)M\u{1B}[<0;\(column);\(row)m")
    }
  }

  /// Drags the mouse with a button from a cell to another one.
  func drag(button: Int, from start: (Int, Int), to end: (Int, Int)) throws {
    try tmux.send(
      "\u{1B}[<\(button);\(start.0);\(start.1)M\u{1B}[<\(button + 32);\(end.0);\(end.1)M"
        + "\u{1B}[<\(button);\(end.0);\(end.1)m")
  }

  /// Expects that the program ends and restores the terminal; returns the text on it then, in lines as they were
  /// written.
  @discardableResult
  func expectSaneEnd(status: Int) throws -> String {
    try tmux.wait(for: "\ndone\n")
    let screen = try tmux.unwrappedScreen
    #expect(screen.contains("status \(status)\n"), "\(screen)")
    #expect(screen.contains("same settings"), "\(screen)")
    #expect(try tmux.value("#{alternate_on}") == "0")
    #expect(try tmux.value("#{cursor_flag}") == "1")
    #expect(try tmux.value("#{mouse_any_flag}") == "0")
    return screen
  }

  /// Returns the process of the program.
  func program() throws -> Int32 { try #require(try tmux.child) }
}
