internal import Foundation

/// A command in a terminal of tmux: a server of its own that nothing else shares, ended with the session.
public final class TmuxSession {
  /// An error for a condition that was not met in time.
  public struct TimedOut: Error, CustomStringConvertible {
    /// A description of the condition, and of the screen in its place.
    public let description: String
  }

  /// A Boolean value indicating whether tmux is installed.
  public static let isAvailable = (try? run("tmux", ["-V"]).status) == 0

  private let server = "workbench-test-\(UUID().uuidString.prefix(8))"

  /// Starts a command in a terminal of a size.
  ///
  /// - Parameters:
  ///   - command: A line for the shell; the terminal stays when it ends.
  ///   - environment: Variables for it.
  public init(_ command: String, columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]) throws {
    let variables = environment.flatMap { ["-e", "\($0.key)=\($0.value)"] }
    try tmux(
      ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"] + variables
        + ["sh", "-c", command + "\nexec cat"])
  }

  deinit { close() }

  /// Closes the terminal, whatever runs in it.
  public func close() { _ = try? tmux(["kill-server"]) }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    try run("tmux", ["-L", server] + arguments).output
  }

  /// Presses keys, named as tmux names them: `a`, `Enter`, `Up`, `C-p`, `Escape`.
  public func press(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

  /// Types text.
  public func type(_ text: String) throws { try tmux(["send-keys", "-l", text]) }

  /// Sends the bytes a terminal would send, such as a mouse report.
  public func send(_ bytes: String) throws {
    try tmux(["send-keys", "-H"] + bytes.utf8.map { String($0, radix: 16) })
  }

  /// Pastes text, marked as pasted where the program asked for that.
  public func paste(_ text: String) throws {
    try tmux(["set-buffer", text])
    try tmux(["paste-buffer", "-p"])
  }

  /// Changes the size of the terminal.
  public func resize(columns: Int, rows: Int) throws {
    try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// The text on the screen.
  public var screen: String { get throws { try tmux(["capture-pane", "-p"]) } }

  /// The text on the screen, with lines that were too long for a row joined again.
  ///
  /// Messages with paths are as long as the path of a temporary folder: a word at the end of a row may be divided.
  public var unwrappedScreen: String {
    get throws {
      // Joined lines keep the spaces at their ends.
      try tmux(["capture-pane", "-p", "-J"])
        .replacingOccurrences(of: "(?m) +$", with: "", options: .regularExpression)
    }
  }

  /// Returns the value of a format of tmux, such as `#{alternate_on}`.
  public func value(_ format: String) throws -> String {
    try tmux(["display-message", "-p", format]).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The process that the terminal's shell waits for; nil if there is none.
  public var child: Int32? {
    get throws {
      let shell = try value("#{pane_pid}")
      let children = try? String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
      return children?.split(separator: " ").first.flatMap { Int32($0) }
    }
  }

  /// Waits until the screen is as it should be.
  ///
  /// - Returns: The screen.
  /// - Throws: ``TimedOut`` with the screen there is.
  @discardableResult
  public func wait(
    for what: String, seconds: Double = 120, until isRight: (String) throws -> Bool
  ) throws -> String {
    let deadline = Date().addingTimeInterval(seconds)
    var last = ""
    while Date() < deadline {
      last = try screen
      if try isRight(last) { return last }
    }
    throw TimedOut(description: "no \(what) within \(Int(seconds)) s; the screen:\n\(last)")
  }

  /// Waits until a text is on the screen.
  @discardableResult
  public func wait(for text: String, seconds: Double = 120) throws -> String {
    try wait(for: "'\(text)'", seconds: seconds) { $0.contains(text) }
  }
}
